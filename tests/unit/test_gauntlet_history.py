"""History warnings: patterns that a person should look at, never a reason to refuse."""

from __future__ import annotations

from typing import Any

from crawloop.gauntlet import judge
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.verdict import Finding
from tests.fakes.trials import case, known, trial

SCHEMA = Schema(
    "P@1",
    (
        Field("title", required=True),
        Field("price", Kind.MONEY),
        Field("stock", Kind.NUMBER, volatile=True),
        Field("brand"),
        Field("maker"),
    ),
)


def warnings(before: list[dict[str, Any]], now: list[dict[str, Any]]) -> list[Finding]:
    """One record a page; what is known is keyed by its URL."""
    samples = [known(n, row) for n, row in enumerate(now)]
    history = {sample.page.url: (row,) for sample, row in zip(samples, before, strict=True)}
    on = case(samples, schema=SCHEMA, history=history)
    verdict = judge(trial(on, *[[row] for row in now]), on)
    assert verdict.passed
    return [one for one in verdict.findings if one.gate == "history"]


def row(title: str, **more: Any) -> dict[str, Any]:
    return {"title": title, "price": 10.0, "stock": 5, "brand": "b" + title, "maker": "m" + title} | more


def test_nothing_is_said_of_what_stayed_or_moved_a_little() -> None:
    before = [row("a"), row("b", stock=4), row("c", price=3.0)]
    now = [row("a"), row("b", stock=7), row("c", price=2.5)]
    assert warnings(before, now) == []


def test_a_tax_on_every_price() -> None:
    before = [row(t, price=p) for t, p in (("a", 10.0), ("b", 24.9), ("c", 3.35))]
    now = [{**one, "price": round(one["price"] * 1.19, 2)} for one in before]
    [finding] = warnings(before, now)
    assert finding.field == "price"
    assert "1.19 times what was known, in all 3 records" in finding.message


def test_fields_that_changed_places() -> None:
    before = [row("a"), row("b")]
    now = [{**one, "brand": one["maker"], "maker": one["brand"]} for one in before]
    messages = [one.message for one in warnings(before, now)]
    assert any("brand and maker seem to have changed places, in 2 of 2 records" in message for message in messages)


def test_a_volatile_field_that_moved_too_far() -> None:
    [finding] = warnings([row("a", stock=5), row("b")], [row("a", stock=900), row("b")])
    assert (finding.field, finding.expected, finding.got) == ("stock", 5, 900)


def test_a_steady_field_that_moved_on_most_pages() -> None:
    before = [row(t) for t in "abc"]
    now = [row("a", brand="x"), row("b", brand="y"), row("c")]
    [finding] = warnings(before, now)
    assert "brand differs from what was known in 2 of 3 records" in finding.message


def test_lists_of_other_lengths_and_unknown_pages_are_left_out() -> None:
    samples = [known(1, row("a"), row("b")), known(2, row("c"))]
    history = {samples[0].page.url: (row("x", brand="?"),)}
    on = case(samples, schema=SCHEMA, history=history)
    verdict = judge(trial(on, [row("a"), row("b")], [row("c")]), on)
    assert verdict.findings == ()
