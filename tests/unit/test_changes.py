"""What a program that served finds on the pages of today: the readings that miss, and where their values stand now."""

from typing import Any

from crawloop.brief.tokens import tokens
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page
from crawloop.model.truth import Claim, Sample, Truth
from crawloop.strategy.changes import changes, readings

SCHEMA = Schema("Lamp@1", (Field("title"), Field("price", Kind.MONEY), Field("tags", many=True)))
PAGE = (
    '<div id="top"><h2 class="name">{title}</h2></div><p class="cost">{old} EUR</p><b class="now">{price} EUR</b>'
    '<ul class="tags"><li>red</li><li>{title} parts</li></ul>'
)


def sample(number: int, **more: Any) -> Sample:
    values = {"title": f"Lamp {number}", "price": 10.5 + number, "tags": ["red", f"Lamp {number} parts"]} | more
    url = f"https://lamps.example/l/{number}"
    html = PAGE.format(title=values["title"], old=99 + number, price=values["price"])
    return Sample(Page(url, html), Truth(url, ({k: Claim(v, ("history",)) for k, v in values.items()},)))


def told(body: str) -> list[str]:
    return changes(f"def extract(page):\n    return [{{{body}}}]\n", [sample(1), sample(2)], SCHEMA).splitlines()


def test_what_matches_nothing_is_told_with_the_place_where_the_value_stands_now() -> None:
    first, *places = told('"title": page.text("h1")')
    assert first == 'title: page.text("h1") matches nothing on 2 of 2 pages'
    assert places
    assert all("Lamp 1" in one and one.startswith("  stands in text: ") for one in places)
    assert any("h2" in one for one in places)


def test_what_reads_another_thing_is_told_with_the_right_value() -> None:
    first, *places = told('"price": money(page.text("p.cost"))')
    assert first == ('price: page.text("p.cost") reads another thing on 2 of 2 pages ("100 EUR", right is 11.5)')
    assert any("b.now" in one or "b" in one.split("(")[0] for one in places)


def test_what_still_holds_is_not_told_in_whatever_form_it_is_read() -> None:
    assert (
        told('"title": page.text("h2"), "price": money(page.text(".now"), decimal="."), "tags": page.texts("li")') == []
    )
    assert told('"tags": page.lines("ul.tags")') == []


def test_rows_and_readings_that_stand_under_no_field_are_told_where_they_match_nothing() -> None:
    source = (
        "def extract(p):\n    box = p.css_first('#box')\n    return [{'title': r.text('a')} for r in p.css('li.x')]\n"
    )
    assert changes(source, [sample(1)], SCHEMA).splitlines() == [
        'page.css_first("#box") matches nothing on 1 of 1 pages',
        'page.css("li.x") matches nothing on 1 of 1 pages',
    ]


def test_a_field_that_no_page_knows_and_a_source_that_does_not_parse_tell_nothing() -> None:
    source = 'def extract(page):\n    return [{"title": page.text("h1")}]\n'
    assert changes(source, [sample(1, title=None)], SCHEMA) == ""
    assert changes("def extract(page) return", [sample(1)], SCHEMA) == ""
    assert readings('def extract(page):\n    return [{"title": page.text("h1[")}]\n')[0].args == ("h1[",)


def test_it_takes_no_more_tokens_than_it_is_given() -> None:
    body = ", ".join(f'"title": page.text("h1.a{n}")' for n in range(200))
    text = changes(f"def extract(page):\n    return [{{{body}}}]\n", [sample(1)], SCHEMA, room=300)
    assert tokens(text) <= 310
    assert text.splitlines()[-1].startswith("… and ")
