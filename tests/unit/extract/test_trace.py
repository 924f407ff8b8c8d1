"""Where a value comes from: told by the traced plan, whose program is a plan's like any other."""

from __future__ import annotations

from typing import Any

from crawloop.extract import transforms
from crawloop.extract.plan import FieldPlan, Plan, Rows
from crawloop.extract.reading import Absolute, Apply, Read
from crawloop.extract.trace import origin, traced
from crawloop.extract.view import PageView

PAGE = """<script type="application/ld+json">{"@type": "Product", "name": "Lamp", "offers": {"price": %s}}</script>
<h1>Lamp</h1><b class=cost>EUR 1.299,00</b>"""
PRICE = FieldPlan(
    (
        Read("json", ("@Product.offers.price",)),
        Apply("money", (Apply("strip_prefix", (Read("text", (".cost",)),), ("EUR",)),), (), (("decimal", ","),)),
    )
)


def told(plan: Plan, html: str) -> list[dict[str, Any]]:
    """What the traced plan's program says; it is run here as the sandbox would run it."""
    space: dict[str, Any] = {name: getattr(transforms, name) for name in transforms.__all__}
    exec(traced(plan).source("evidence", "trace"), space)
    rows: list[dict[str, Any]] = space["extract"](PageView(html, "https://shop.example/p/1"))
    return rows


def test_the_reader_of_a_chain_that_gave_the_value_is_named_with_its_transforms_in_order() -> None:
    plan = Plan({"price": PRICE})
    first, second = (origin(plan, "price", told(plan, PAGE % said)[0]["price"], 1299) for said in ("1299.00", "null"))
    assert first is not None
    assert second is not None
    assert (first.path, first.snippet, first.transform) == ('page.json("@Product.offers.price")', "1299", ())
    assert (second.path, second.snippet) == ('page.text(".cost")', "EUR 1.299,00")
    assert second.transform == ('strip_prefix("EUR")', 'money(decimal=",")')
    assert [(one.reader, one.of) for one in (first, second)] == [(1, 2), (2, 2)]


def test_of_readers_that_vote_the_one_that_was_outvoted_is_not_named() -> None:
    price = FieldPlan((*PRICE.readers, Apply("money", (Read("attr", ("b", "data-price")),))), "agreed")
    plan = Plan({"price": price})
    html = PAGE.replace("<b ", '<b data-price="1299" ') % 15
    found = origin(plan, "price", told(plan, html)[0]["price"], plan.read(PageView(html))[0]["price"])
    assert found is not None
    assert found.path == 'page.text(".cost")'


def test_every_row_of_a_listing_is_told_of() -> None:
    link = FieldPlan((Absolute(Read("attr", ("a", "href"))),))
    plan = Plan({"link": link}, Rows(Read("css", ("li",)), (Read("text", ("a",)),)))
    items = "".join(f'<li><a href="/p/{n}">{n}</a></li>' for n in range(30))
    html = f"<ul><li>Advertisement</li>{items}</ul>"
    found = [origin(plan, "link", row["link"], f"https://shop.example/p/{n}") for n, row in enumerate(told(plan, html))]
    assert [one.snippet for one in found if one is not None] == [f"/p/{n}" for n in range(30)]
    assert {(one.path, one.transform) for one in found if one} == {('row.attr("a", "href")', ("page.absolute",))}


def test_a_value_that_no_reader_gave_has_no_origin() -> None:
    plan = Plan({"price": PRICE})
    assert origin(plan, "price", told(plan, PAGE % 5)[0]["price"], 7) is None


def test_no_more_is_asked_of_a_long_text_than_is_shown() -> None:
    plan = Plan({"text": FieldPlan((Apply("before", (Read("text", ("p",)),), (" ",)),))})
    ((value, read),) = told(plan, f"<p>word {'x' * 90_000}</p>")[0]["text"]
    assert (value, len(read)) == ("word", 200)
    found = origin(plan, "text", [[value, read]], "word")
    assert found is not None
    assert len(found.snippet) == 120
