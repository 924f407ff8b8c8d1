"""Where values stand on a page, and which values a page supports."""

import pytest

from crawloop.carriers import index, support
from crawloop.extract.view import PageView
from crawloop.model.kind import Field, Kind

PAGE = """<html lang="en"><head><title>Blue chair - Shop</title>
<meta property="og:title" content="Blue chair">
<script type="application/ld+json">{"@type": "Product", "name": "Blue chair", "sku": "A-17",
 "offers": {"price": "1299.00", "inStock": true}, "datePublished": "2023-05-03T10:00:00Z",
 "totalTime": "PT1H30M", "recipeYield": "4", "aggregateRating": {"ratingValue": "4.6667"}}</script></head>
<body><h1>Blue <em>chair</em></h1><p class="price">was 1.499,00 € now 1.299,00 €</p>
<ul><li>oak</li><li>felt</li><li>steel</li></ul><p>Open from 9</p><a href="/chairs/blue">more</a></body></html>"""
VIEW = PageView(PAGE, "https://shop.example/chairs/blue")


@pytest.mark.parametrize(
    ("value", "field"),
    [
        ("Blue chair", Field("title")),
        ("blue  CHAIR", Field("title")),
        ("A-17", Field("sku")),
        (1299, Field("price", Kind.MONEY)),
        (1499.0, Field("old_price", Kind.MONEY)),
        ("2023-05-03", Field("date", Kind.DATE)),
        (90, Field("total_time", Kind.DURATION, unit="minutes")),
        (4.67, Field("rating", Kind.NUMBER)),
        ("https://shop.example/chairs/blue", Field("url", Kind.URL)),
        (["oak", "felt", "steel"], Field("materials", many=True)),
        ("oak, felt", Field("materials")),
        ("4 servings", Field("recipe_yield")),
        (True, Field("in_stock", Kind.BOOL)),
        ("en", Field("language")),
    ],
)
def test_what_stands_on_the_page_is_supported(value, field):
    assert support(VIEW, value, field)


@pytest.mark.parametrize(
    ("value", "field"),
    [
        ("Red chair", Field("title")),
        (1298, Field("price", Kind.MONEY)),
        ("2023-05-04", Field("date", Kind.DATE)),
        (91, Field("total_time", Kind.DURATION, unit="minutes")),
        (["oak", "glass"], Field("materials", many=True)),
        ("oak, glass", Field("materials")),
        ("4 servings", Field("sku")),
        (False, Field("on_sale", Kind.BOOL)),
        ("", Field("title")),
        (None, Field("title")),
        ([], Field("materials", many=True)),
    ],
)
def test_what_the_page_does_not_carry_is_not(value, field):
    assert support(VIEW, value, field) == ()


@pytest.mark.parametrize(
    "value", ["Oven / Grill, Fish", "Salt and Pepper; Fish", "Salt and Pepper, Oven / Grill, Fish"]
)
def test_a_list_in_one_text_may_have_elements_that_hold_signs_which_part_others(value):
    tags = "".join(f"<a rel=tag>{one}</a>" for one in ("Oven / Grill", "Fish", "Salt and Pepper"))
    assert support(PageView(f"<h1>Trout</h1>{tags}", "https://shop.example/trout"), value, Field("category"))


@pytest.mark.parametrize("text", ["-64.00 EUR", "\u2212\u20ac64.00", "\u2013 64,00 \u20ac"])
def test_an_amount_with_the_other_sign_is_another(text):
    view = PageView(f"<p class=total>{text}</p>", "https://shop.example/a")
    for field in (Field("total", Kind.MONEY), Field("total", Kind.NUMBER)):
        assert support(view, 64.0, field) == ()
        assert support(view, -64.0, field)


@pytest.mark.parametrize("text", ["Our price \u2013 EUR 64.00", "now - 64 \u20ac", "64.00 EUR -", "50-64 EUR"])
def test_a_dash_before_an_amount_is_no_sign_of_it(text):
    view = PageView(f"<p class=total>{text}</p>", "https://shop.example/a")
    assert support(view, 64.0, Field("total", Kind.MONEY))


def test_evidence_names_carrier_path_and_snippet():
    found = {one.carrier: one for one in support(VIEW, "Blue chair", Field("title"))}
    assert found["json"].path == "json[0].name"
    assert found["json"].snippet == "Blue chair"
    assert found["text"].path.endswith("h1")


def test_whole_places_come_first():
    places = index(VIEW).places("Blue chair", Field("title"))
    assert [one.whole for one in places] == sorted((one.whole for one in places), reverse=True)
    assert {one.carrier for one in places if one.whole} == {"json", "text", "attribute"}


def test_short_values_are_only_believed_where_they_stand_alone():
    places = index(VIEW).places("en", Field("language"))
    assert [(one.carrier, one.name) for one in places] == [("attribute", "lang")]


@pytest.mark.parametrize("amount", ["4 999,99 kr", "CHF 4'999.99", "4\u00a0999,99"])
def test_an_amount_in_groups_is_supported_after_a_label(amount):
    view = PageView(f"<p>Price: {amount}</p>", "https://x.example/")
    assert support(view, 4999.99, Field("price", Kind.MONEY))


@pytest.mark.parametrize("day", ["2012-06-03", "2012-03-06"])
def test_a_date_in_figures_is_supported_in_either_order(day):
    view = PageView("<p>On sale since: 03/06/2012</p>", "https://x.example/")
    assert support(view, day, Field("released", Kind.DATE))


def test_a_page_without_any_text_has_no_places():
    assert index(PageView("", "")).places("x", Field("title")) == []
    assert support(PageView("<p></p>", ""), 5, Field("n", Kind.NUMBER)) == ()


def test_deep_pages_do_not_exhaust_the_stack():
    assert support(PageView("<div>" * 3000 + "<b>needle</b>", ""), "needle", Field("title"))


@pytest.mark.parametrize("href", ["https://shop.example/chairs/red.pdf?v=1", "/chairs/red.pdf?v=1", "red.pdf?v=1"])
def test_a_link_is_found_however_it_is_written(href):
    view = PageView(f'<a href="{href}">more</a>', "https://shop.example/chairs/blue")
    assert support(view, "https://shop.example/chairs/red.pdf?v=1", Field("sheet", Kind.URL))
    assert not support(view, "https://shop.example/tables/red.pdf?v=1", Field("sheet", Kind.URL))


def test_a_number_in_another_unit_is_supported_under_the_name_of_its_field_alone():
    view = PageView('<script id="S" type="application/json">{"priceCents": 1250, "weight": 1250}</script>', "")
    assert [one.path for one in support(view, 12.5, Field("price", Kind.MONEY))] == ["S.priceCents"]
    assert support(view, 12.5, Field("width", Kind.NUMBER)) == ()
    assert support(view, 1.25, Field("price", Kind.MONEY)) != ()


@pytest.mark.parametrize("shown", ["03/10/2000", "10 March 2000", "10. März 2000", "3-10-00", "20000310"])
def test_a_date_is_found_among_many_codes_that_hold_its_digits(shown: str) -> None:
    codes = "".join(f"<li>1:06-cv-010{n}79-ABC</li>" for n in range(10, 99))
    view = PageView(f"<ul>{codes}</ul><p>{shown}</p>", "https://site.example/")
    (found,) = support(view, "2000-03-10", Field("opened", Kind.DATE))
    assert found.snippet == shown


def test_a_date_of_another_month_is_not_the_date() -> None:
    view = PageView("<p>10 May 2000</p><p>05/10/2000</p>", "https://site.example/")
    assert support(view, "2000-03-10", Field("opened", Kind.DATE)) == ()


@pytest.mark.parametrize("shown", ["03/09/2024", "9/3/2024", "March 9, 2024", "9 Mar 2024"])
def test_a_date_is_found_in_a_long_text(shown: str) -> None:
    before, after = "The garden was opened to the neighbours. " * 6, " It closed again in the winter. " * 6
    view = PageView(f"<p>{before}(Entered: {shown}){after}</p>", "https://site.example/")
    assert support(view, "2024-03-09", Field("entered", Kind.DATE))
    assert not support(view, "2024-03-08", Field("entered", Kind.DATE))


def test_a_number_is_found_in_each_carrier_and_as_a_word_in_longer_lines():
    page = f"""<script type="application/ld+json">{{"@type": "Recipe", "recipeYield": 4}}</script>
    <div><b>4</b></div><p>41</p><p>for 4 people</p><p>for 42 people</p>
    <img alt="4" title="in 4 bowls"><article>{"words " * 40}</article>"""
    places = index(PageView(page, "https://shop.example/")).places("4", Field("servings"))
    dom = index(PageView(page, "https://shop.example/")).dom
    said = [
        (one.carrier, one.name or (dom.tags[one.owner] if one.carrier == "text" else ""), one.whole) for one in places
    ]
    assert said == [
        ("json", "", True),
        ("text", "b", True),
        ("text", "div", True),
        ("attribute", "alt", True),
        ("text", "p", False),
        ("attribute", "title", False),
    ]


def test_all_short_texts_with_the_digits_of_a_number_are_its_places_in_the_order_of_the_page():
    page = "".join(f"<p id=p{number}>{text}</p>" for number, text in enumerate(("12", "112", "1.2", "12 or 13", "21")))
    page += f"<article>{'words ' * 40}</article>"
    found = index(PageView(page, "https://shop.example/"))
    shown = [found.dom.attributes[one.owner]["id"] for one in found.places(12, Field("count", Kind.NUMBER))]
    assert shown == ["p0", "p2", "p3"]
