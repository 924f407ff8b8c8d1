"""The unseen gate: hard-coded answers, overfit selectors, junk rows and values of another sort."""

from __future__ import annotations

from typing import Any

import pytest

from crawloop.gauntlet import judge
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Record
from crawloop.model.verdict import Finding, Verdict
from tests.fakes.trials import PRODUCT, case, known, page, trial, unknown

TITLES = ["Iron pan", "Copper kettle", "Bread knife", "Salt mill", "Wooden spoon", "Glass bowl", "Tea towel"]


def product(number: int) -> Record:
    return {"title": TITLES[number], "price": 10.5 * number, "brand": "Hearth & Home"}


def html(*records: Record) -> str:
    rows = (f"<div><h2>{r['title']}</h2><b>{r.get('price')} EUR</b><i>{r.get('brand')}</i></div>" for r in records)
    return f"<main>{''.join(rows)}</main>"


SEEN = [known(n, product(n), html=html(product(n))) for n in (1, 2, 3)]
ANSWERS = [[product(n)] for n in (1, 2, 3)]


def fatal(verdict: Verdict) -> list[Finding]:
    return [one for one in verdict.findings if one.fatal]


def unseen(*numbers: int) -> list[Any]:
    return [unknown(n, html(product(n))) for n in numbers]


def test_an_honest_program_passes() -> None:
    on = case(SEEN, [*unseen(4, 5), known(6, product(6), html=html(product(6)))])
    verdict = judge(trial(on, *ANSWERS, *[[product(n)] for n in (4, 5, 6)]), on)
    assert verdict.passed
    assert verdict.findings == ()


def test_fault_14_answers_by_url_that_fall_back_to_one_of_them() -> None:
    on = case(SEEN, unseen(4))
    verdict = judge(trial(on, *ANSWERS, [product(1)]), on)
    assert verdict.stopped_at == "unseen"
    [finding] = fatal(verdict)
    assert finding.field is None, "the program is to be dropped, and not a field of it"
    assert "do not come from the page" in finding.message
    assert page(1).url in finding.message
    assert finding.url == page(4).url


@pytest.mark.parametrize("fallback", [[], [{"title": None, "price": None, "brand": None}], [{}]])
def test_fault_14_answers_by_url_that_fall_back_to_nothing(fallback: list[Record]) -> None:
    on = case(SEEN, unseen(4))
    verdict = judge(trial(on, *ANSWERS, fallback), on)
    assert verdict.stopped_at == "unseen"
    assert "returns nothing here" in fatal(verdict)[0].message


@pytest.mark.parametrize("fallback", [[product(1)], [], [{"title": None}]])
def test_fault_14_answers_by_url_on_a_page_with_truth(fallback: list[Record]) -> None:
    on = case(SEEN, [known(4, product(4), html=html(product(4)))])
    verdict = judge(trial(on, *ANSWERS, fallback), on)
    assert verdict.stopped_at == "unseen"


def test_a_single_field_that_is_not_of_the_page_is_named() -> None:
    on = case(SEEN, unseen(4, 5))
    verdict = judge(trial(on, *ANSWERS, *[[{**product(n), "title": TITLES[1]}] for n in (4, 5)]), on)
    assert {one.field for one in fatal(verdict)} == {"title"}
    assert "stands nowhere on the page; it is that of" in fatal(verdict)[0].message


def test_a_value_that_seen_pages_do_not_carry_either_needs_no_tie() -> None:
    def row(number: int) -> Record:
        return {"title": TITLES[number], "url": f"https://shop.example/made/up/{number}"}

    on = case([known(n, row(n), html=html(product(n))) for n in (1, 2, 3)], unseen(4))
    for sample in on.seen:
        assert sample.truth is not None
        record = sample.truth.records[0]
        record["url"] = type(record["url"])(record["url"].value, ("examples",), ())
    assert judge(trial(on, *[[row(n)] for n in (1, 2, 3)], [row(4)]), on).passed


def test_one_page_of_another_sort_among_three_is_told_and_not_fatal() -> None:
    on = case(SEEN, unseen(4, 5, 6))
    verdict = judge(trial(on, *ANSWERS, [product(4)], [product(5)], []), on)
    assert verdict.passed
    assert [one.url for one in verdict.findings] == [page(6).url]


def test_a_selector_that_fits_seen_pages_only_is_lost_elsewhere() -> None:
    on = case(SEEN, [known(n, product(n), html=html(product(n))) for n in (4, 5)])
    gone = [[{"title": TITLES[n], "price": None, "brand": None}] for n in (4, 5)]
    verdict = judge(trial(on, *ANSWERS, *gone), on)
    [finding] = fatal(verdict)
    assert "lost: brand, price" in finding.message


def test_a_wrong_value_on_an_unseen_page_names_its_field() -> None:
    on = case(SEEN, [known(4, product(4), html=html(product(4)))])
    verdict = judge(trial(on, *ANSWERS, [{**product(4), "price": 1}]), on)
    assert [(one.gate, one.field, one.url) for one in fatal(verdict)] == [("unseen", "price", page(4).url)]
    assert verdict.fields["price"].wrong == 1


LISTED = [[{**product(n), "price": float(k)} for n in range(7)] for k in range(1, 4)]


def listing(rows: list[Record]) -> Verdict:
    """A listing of seven rows, seen thrice; `rows` come from a page that nobody knows and that carries them."""
    seen = [known(k, *LISTED[k - 1], html=html(*LISTED[k - 1])) for k in (1, 2, 3)]
    on = case(seen, [unknown(4, html(*rows, {"title": "Home"}))])
    return judge(trial(on, *LISTED, rows), on)


def test_fault_17_twenty_identical_rows() -> None:
    verdict = listing([{"title": "Iron pan", "price": 1.0, "brand": "Hearth & Home"}] * 20)
    assert verdict.stopped_at == "unseen"
    assert "19 of 20 records repeat others" in fatal(verdict)[0].message


def test_fault_17_one_row_of_twenty() -> None:
    verdict = listing([product(1)])
    assert "1 record: seen pages give 7 and more" in fatal(verdict)[0].message


def test_fault_17_an_optional_field_gone() -> None:
    verdict = listing([{**product(n), "price": None} for n in range(7)])
    assert [one.field for one in fatal(verdict)] == ["price"]


def test_fault_17_junk_rows() -> None:
    verdict = listing([{"title": "<div class='x'>{{ title }}</div>", "price": float(n)} for n in range(7)])
    assert "title" in {one.field for one in fatal(verdict)}


def test_an_honest_listing_passes() -> None:
    assert listing([product(n) for n in range(5)]).passed


def test_related_items_are_not_the_product() -> None:
    on = case(SEEN, unseen(4))
    verdict = judge(trial(on, *ANSWERS, [product(n) for n in (4, 5, 6)]), on)
    assert "3 records: every seen page gives one" in fatal(verdict)[0].message


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ({"title": "x", "price": "twelve"}, "price"),
        ({"title": ["x"]}, "title"),
        ({"title": "x", "tags": "a"}, "tags"),
        ({"title": "x", "stock": "sold out"}, "stock"),
        ({"title": "x", "released": "soon"}, "released"),
    ],
)
def test_a_value_that_its_field_cannot_hold_is_fatal_on_any_page(row: Record, field: str) -> None:
    on = case([known(1, {"title": "x"})], [unknown(2)])
    verdict = judge(trial(on, [{"title": "x"}], [row]), on)
    assert verdict.stopped_at == "shape"
    assert [(one.field, one.url) for one in fatal(verdict)] == [(field, page(2).url)]


def test_a_key_that_the_schema_lacks_is_told() -> None:
    on = case([known(1, {"title": "x"})])
    verdict = judge(trial(on, [{"title": "x", "colour": "red"}]), on)
    assert verdict.passed
    assert [one.message for one in verdict.findings] == ["colour is no field of Product@1"]


def test_a_null_in_a_required_field_is_a_gap_and_no_fault_of_shape() -> None:
    on = case([known(1, {"title": "x", "brand": "b"}), known(2, {"title": "y", "brand": "c"})])
    verdict = judge(trial(on, [{"title": "x", "brand": "b"}], [{"title": None, "brand": "c"}]), on)
    assert verdict.passed
    assert [one.field for one in verdict.findings] == ["title"]


def test_a_label_map_by_substring_dies() -> None:
    """`available` found in `unavailable` (fault 15) is a wrong value like any other."""
    schema = Schema("S@1", (Field("title", required=True), PRODUCT["stock"]))
    rows = [{"title": "a", "stock": "available"}, {"title": "b", "stock": "unavailable"}]
    on = case([known(n, row) for n, row in enumerate(rows)], schema=schema)
    verdict = judge(trial(on, [rows[0]], [{**rows[1], "stock": "available"}]), on)
    assert [one.field for one in fatal(verdict)] == ["stock"]
    assert PRODUCT["stock"].kind is Kind.ENUM
