"""What a page calls a value: by keys, classes, labels and columns, and never by what stands beside it."""

from typing import Any

import pytest

from crawloop.carriers.called import is_called
from crawloop.carriers.naming import FITTING, affinity
from crawloop.extract.view import PageView
from crawloop.model.kind import Field, Kind, Schema

SCHEMA = Schema(
    "Item@1",
    (Field("title"), Field("author"), Field("price", Kind.MONEY), Field("phone"), Field("tags", many=True)),
)


def called(body: str, name: str, value: Any, head: str = "") -> bool:
    view = PageView(f"<html><head>{head}</head><body>{body}</body></html>", "https://a.example/p")
    return is_called(view, value, SCHEMA[name], SCHEMA)


@pytest.mark.parametrize(
    "body",
    [
        '<p class="product-price">12.50</p>',
        "<dl><dt>Price:</dt><dd>12.50</dd></dl>",
        "<p>Price: 12.50 per piece</p>",
        '<div id="price"><b><i>12.50</i></b></div>',
        "<table><tr><th>Name</th><th>Price</th></tr><tr><td>Kettle</td><td>12.50</td></tr></table>",
        '<script type="application/json" id="s">{"item": {"salePrice": 12.5}}</script>',
        '<p data-price="12.50">now</p>',
    ],
)
def test_a_value_is_called_by_what_stands_around_before_and_above_it(body: str) -> None:
    assert called(body, "price", 12.5)


@pytest.mark.parametrize(
    "body",
    [
        "<p>12.50</p>",
        '<p class="phone">12.50</p>',
        '<div class="price"><p>9.90</p><p>some words that are far longer than it</p><p>12.50</p></div>',
        "<dl><dt>Price</dt><dd>9.90</dd><dt>Shipping</dt><dd>12.50</dd></dl>",
        "<table><tr><th>Size</th><th>Price</th></tr><tr><th>12.50</th><td>9.90</td></tr></table>",
    ],
)
def test_a_value_is_not_called_by_what_is_said_of_another(body: str) -> None:
    assert not called(body, "price", 12.5)


@pytest.mark.parametrize("name", ["subTitle", "sub-title", "subtitle", "sub_title"])
def test_what_stands_below_a_title_is_not_called_a_title(name: str) -> None:
    assert not called(f'<p class="{name}">Samovar</p><h1>Red kettle</h1>', "title", "Samovar")
    schema = Schema("Item@1", (Field("sub_title"), Field("title")))
    view = PageView(f'<p class="{name}">Samovar</p><h1>Red kettle</h1>')
    assert is_called(view, "Samovar", schema["sub_title"], schema)


def test_the_title_is_what_the_page_is_headed_by_and_not_a_later_part_of_that() -> None:
    head = "<title>Red kettle - Samovar and sons - Shop</title>"
    assert called("<p>x</p>", "title", "Red kettle", head)
    assert not called("<p>x</p>", "title", "Samovar and sons", head)


@pytest.mark.parametrize("rest", [" (Java SE 21)", " (1999) - Films", "(hardback)", ""])
def test_a_title_goes_on_after_the_name_of_the_thing_with_a_sign(rest: str) -> None:
    head = f"<title>Red kettle{rest}</title>"
    assert called("<p>x</p>", "title", "Red kettle", head)
    assert not called("<p>x</p>", "title", "Red", head)


def test_a_part_of_a_longer_description_is_none() -> None:
    whole = '<meta name="author" content="Jane Doe">'
    part = '<meta name="author" content="A word on where she was born, of Jane Doe">'
    island = '<script type="application/json" id="s">{"author": "A word on where she was born, of Jane Doe"}</script>'
    assert called("", "author", "Jane Doe", whole)
    assert not called("", "author", "Jane Doe", part)
    assert not called(island, "author", "Jane Doe")


def test_a_column_names_what_fills_its_cells_and_not_what_is_told_there() -> None:
    table = "<table><tr><th>Author</th></tr><tr><td>{}</td></tr></table>"
    assert called(table.format("Jane Doe"), "author", "Jane Doe")
    assert not called(table.format("A word on where she was born, of Jane Doe"), "author", "Jane Doe")


@pytest.mark.parametrize(
    ("first", "is_called"),
    [
        ("<tr><th>Author</th><th>Year</th></tr>", True),
        ("<thead><tr><td>Author</td><td>Year</td></tr></thead>", True),
        ("<tr><td>Author</td><td>Year</td><td>Pages</td></tr>", True),
        ("<tr><td>Author:</td><td>Jane Doe</td></tr>", False),
        ("<tr><th>Author</th><td>Jane Doe</td></tr>", False),
        ("<tr><td>Author</td><td>Jane Doe</td></tr>", False),
        ("<tr><td>Author:</td><td>Jane Doe</td><td>of Kent</td></tr>", False),
    ],
)
def test_a_row_that_begins_with_a_label_does_not_head_the_columns(first: str, is_called: bool) -> None:
    """Below it stand other labels, not authors."""
    table = f"<table>{first}<tr><td>Printed in</td><td>1999</td><td>12</td></tr></table>"
    assert called(table, "author", "Printed in") is is_called


def test_what_is_called_after_another_field_more_is_not_called_after_this_one() -> None:
    body = '<p class="author">Jane Doe</p><h1>A book</h1>'
    assert called(body, "author", "Jane Doe")
    assert not called(body, "phone", "Jane Doe")
    assert not called(body, "title", "Jane Doe")


def test_a_list_is_called_as_its_elements_are() -> None:
    assert called('<ul class="tags"><li>red</li><li>hot water</li></ul>', "tags", ["red", "hot water"])
    assert not called("<ul><li>red</li><li>hot water</li></ul>", "tags", ["red", "hot water"])
    assert not called('<ul class="tags"></ul>', "tags", [])


def test_the_word_of_a_group_of_fields_names_none_of_them() -> None:
    carbs = Field("nutrition_carbohydrateContent", group="nutrition")
    assert affinity(carbs, "Carbs") >= FITTING
    assert affinity(carbs, "nutrition-carbohydrates") > affinity(carbs, "Carbs")
    assert affinity(carbs, "nutrition") < FITTING
    assert affinity(carbs, "nutrition-fat") < FITTING
