"""Counts and agreement: what is right, wrong and a gap, and what of it ends a candidate."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from crawloop.gauntlet import judge
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.truth import Claim, Sample, Truth
from crawloop.model.verdict import Finding, Tally, Verdict
from tests.fakes.trials import PRODUCT, case, known, page, trial


def verdict_of(schema: Schema, expected: Any, got: Any) -> Verdict:
    """On three pages one field is as expected on two, and `got` on the third. A title is right everywhere."""
    name = schema.fields[-1].name
    on = case([known(n, {"title": f"t{n}", name: expected}) for n in (1, 2, 3)], schema=schema)
    rows = [[{"title": f"t{n}", name: got if n == 3 else expected}] for n in (1, 2, 3)]
    return judge(trial(on, *rows), on)


def with_field(kind: Kind = Kind.TEXT, **more: Any) -> Schema:
    return Schema("Any@1", (Field("title", required=True), Field("value", kind, **more)))


def fatal(verdict: Verdict) -> list[Finding]:
    return [one for one in verdict.findings if one.fatal]


@pytest.mark.parametrize(
    ("field", "expected", "got"),
    [
        ({}, "Pasta with 2 eggs", "Pizza with 2 onions"),
        ({}, "Pasta with 2 eggs", "2"),
        ({"kind": Kind.URL}, "https://shop.example/p/2", "https://shop.example/q/2"),
        ({"kind": Kind.DATE}, "2026-03-12", "2026-12-03"),
        ({"kind": Kind.NUMBER}, 2, 25),
        ({"kind": Kind.ENUM, "choices": ("available", "unavailable")}, "unavailable", "available"),
        ({"many": True}, ["a", "b"], ["b", "a"]),
        ({"many": True}, ["a", "b"], ["a"]),
    ],
)
def test_fault_01_a_part_that_is_equal_is_not_the_value(field: dict[str, Any], expected: Any, got: Any) -> None:
    verdict = verdict_of(with_field(**field), expected, got)
    assert verdict.stopped_at == "agreement"
    assert verdict.fields["value"] == Tally(right=2, wrong=1)
    assert verdict_of(with_field(**field), expected, expected).passed


def test_fault_04_a_field_that_cannot_be_reached_does_not_fail_the_record() -> None:
    on = case([known(n, {"title": f"t{n}", "brand": "b", "price": n}) for n in (1, 2)])
    rows = [[{"title": f"t{n}", "brand": None, "price": n}] for n in (1, 2)]
    verdict = judge(trial(on, *rows), on)
    assert verdict.passed
    assert verdict.fields == {
        "title": Tally(right=2),
        "price": Tally(right=2),
        "brand": Tally(gap=2),
    }
    gaps = [one for one in verdict.findings if not one.fatal]
    assert [(one.field, one.url, one.expected) for one in gaps] == [
        ("brand", page(1).url, "b"),
        ("brand", page(2).url, "b"),
    ]


@pytest.mark.parametrize("wrong", ["key", "f7"])
def test_fault_04_among_more_than_fifty_fields_a_wrong_one_is_seen(wrong: str) -> None:
    schema = Schema("Wide@1", (Field("key", required=True), *(Field(f"f{n}") for n in range(99))))
    rows = [{name: f"{name} of {n}" for name in schema.names} for n in (1, 2)]
    on = case([known(n, row) for n, row in enumerate(rows, 1)], schema=schema)
    returned = [[{**row, wrong: "junk"}] for row in rows]
    verdict = judge(trial(on, *returned), on)
    assert not verdict.passed
    assert {one.field for one in fatal(verdict)} == {wrong}


def test_the_worst_record_of_the_worst_page_decides() -> None:
    rows = [{"title": f"t{n}", "price": n} for n in range(100)]
    on = case([known(1, *rows), known(2, *rows)])
    returned = [dict(row) for row in rows]
    returned[57]["price"] = 1
    verdict = judge(trial(on, rows, returned), on)
    assert [(one.url, one.record, one.field) for one in fatal(verdict)] == [(page(2).url, 57, "price")]


def test_the_bar_is_the_policys() -> None:
    rows = [[{"title": "a", "brand": "b", "price": 1, "url": "/x"}] for _ in (1, 2, 3)]
    samples = [known(n, row[0]) for n, row in enumerate(rows, 1)]
    rows[2] = [{**rows[2][0], "brand": "junk"}]
    strict, mild = case(samples), case(samples, bar=0.7)
    assert not judge(trial(strict, *rows), strict).passed
    verdict = judge(trial(mild, *rows), mild)
    assert verdict.passed
    assert [one.field for one in verdict.findings] == ["brand"]


def test_fault_04_a_program_whose_fields_can_be_dropped_has_none_that_is_wrong() -> None:
    names = [f"f{n}" for n in range(99)]
    schema = Schema("Wide@1", tuple(Field(name) for name in names))
    rows = [{name: f"{name} of {n}" for name in names} for n in (1, 2, 3)]
    on = case([known(n, row) for n, row in enumerate(rows, 1)], schema=schema)
    by_hand = trial(on, [rows[0]], [rows[1]], [{**rows[2], "f7": "junk"}])
    planned = replace(by_hand, candidate=replace(by_hand.candidate, plan="{}"))
    assert judge(by_hand, on).passed
    assert [one.field for one in fatal(judge(planned, on))] == ["f7"]


def test_a_value_where_none_may_be_is_wrong() -> None:
    on = case([known(1, {"title": "t", "price": 1}, absent=[(0, "brand")])])
    assert judge(trial(on, [{"title": "t", "price": 1, "brand": None}]), on).passed
    verdict = judge(trial(on, [{"title": "t", "price": 1, "brand": "ACME"}]), on)
    assert [(one.field, one.message) for one in fatal(verdict)] == [("brand", 'the page has no brand, got "ACME"')]
    assert verdict.fields["brand"] == Tally(wrong=1)


def test_unsupported_truth_decides_nothing() -> None:
    record = {"title": Claim("t", ("examples",)), "price": Claim(9, ("history",), supported=False)}
    on = case([Sample(page(1), Truth(page(1).url, (record,)))])
    verdict = judge(trial(on, [{"title": "t", "price": 12}]), on)
    assert verdict.passed
    assert verdict.fields == {"title": Tally(right=1)}


def test_where_nothing_is_supported_nothing_can_win() -> None:
    record = {"title": Claim("t", ("history",), supported=False)}
    on = case([Sample(page(1), Truth(page(1).url, (record,)))])
    assert judge(trial(on, [{"title": "t"}]), on).stopped_at == "agreement"


def test_a_required_field_may_not_be_residual() -> None:
    on = case([known(n, {"title": f"t{n}", "price": n, "brand": "b"}) for n in (1, 2)])
    verdict = judge(trial(on, *[[{"price": n, "brand": "b"}] for n in (1, 2)]), on)
    assert [(one.field, one.message) for one in fatal(verdict)] == [
        ("title", "title is required, and right on no page")
    ]


@pytest.mark.parametrize(("names", "passes"), [(("title", "brand"), True), (("title",), False), ((), False)])
def test_a_winner_reaches_at_least_half_of_the_fields(names: tuple[str, ...], passes: bool) -> None:
    row = {"title": "t", "brand": "b", "price": 1, "url": "/x"}
    schema = Schema("Loose@1", tuple(Field(f.name, f.kind) for f in PRODUCT.fields))
    on = case([known(1, row), known(2, row)], schema=schema)
    got = {name: row[name] for name in names}
    verdict = judge(trial(on, [got], [got], fields=["title"]), on)
    assert verdict.passed is passes
    if not passes:
        assert "half of them are needed; missing: " in fatal(verdict)[0].message


def test_what_a_program_returns_is_claimed_even_where_it_does_not_say_so() -> None:
    on = case([known(1, {"title": "t", "brand": "b"})])
    verdict = judge(trial(on, [{"title": "t", "brand": "junk"}], fields=["title"]), on)
    assert [one.field for one in fatal(verdict)] == ["brand"]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_exactly_the_truths_number_of_records(count: int) -> None:
    rows = [{"title": "a"}, {"title": "b"}]
    on = case([known(1, *rows)])
    verdict = judge(trial(on, [{"title": "a"}, {"title": "b"}, {"title": "b"}][:count], fields=["title"]), on)
    assert verdict.stopped_at == "counts"
    [finding] = fatal(verdict)
    assert (finding.url, finding.expected, finding.got) == (page(1).url, 2, count)
    assert verdict.fields["title"].right == min(count, 2), (
        "the tally is counted all the same: programs are composed by it"
    )


def test_records_of_an_incomplete_truth_are_looked_up() -> None:
    few = [{"title": "b", "price": 2}, {"title": "d", "price": 4}]
    rows = [{"title": title, "price": number} for number, title in enumerate("abcde", 1)]
    on = case([known(1, *few, complete=False)])
    assert judge(trial(on, rows), on).passed
    rows[3] = {"title": "d", "price": 99}
    assert judge(trial(on, rows), on).fields == {"title": Tally(right=2), "price": Tally(right=1, wrong=1)}
    assert judge(trial(on, rows[:2]), on).fields == {"title": Tally(right=1, gap=1), "price": Tally(right=1, gap=1)}


def test_fault_05_records_are_compared_each_with_its_own() -> None:
    rows = [{"title": "a", "brand": "x"}, {"title": "b", "brand": "y"}, {"title": "c", "brand": "z"}]
    on = case([known(1, *rows)])
    assert judge(trial(on, rows), on).passed
    merged = [{**row, "brand": "x"} for row in rows]
    assert judge(trial(on, merged), on).fields["brand"] == Tally(right=1, wrong=2)
    assert judge(trial(on, rows[::-1]), on).passed  # truth need not stand in the page's order
    swapped = [{**rows[0], "brand": "y"}, {**rows[1], "brand": "x"}, rows[2]]
    assert judge(trial(on, swapped), on).fields["brand"] == Tally(right=1, wrong=2)


@pytest.mark.parametrize(
    ("field", "expected", "got", "words"),
    [
        ({"kind": Kind.MONEY}, 12.5, 1250, "12.5 is right, got 1250: 100 times as much"),
        ({"kind": Kind.MONEY}, 1299.0, 1.299, "a 1000th of it"),
        ({}, "Blue Chair", "Blue", "only a part of it"),
        ({}, "Blue Chair", "Blue Chair | Shop", "it stands in more text"),
        ({"many": True}, ["a", "b"], ["b", "a"], "the same elements in another order"),
        ({"many": True}, ["a", "b", "c"], ["a", "x"], "1 of 3 elements are there, among 2"),
    ],
)
def test_fault_12_a_finding_says_what_where_and_how(field: dict[str, Any], expected: Any, got: Any, words: str) -> None:
    verdict = verdict_of(with_field(**field), expected, got)
    [finding] = fatal(verdict)
    assert (finding.gate, finding.url, finding.record, finding.field) == ("agreement", page(3).url, 0, "value")
    assert (finding.expected, finding.got) == (expected, got)
    assert words in finding.message


def test_fault_12_many_findings_of_one_field_become_few_that_count_the_rest() -> None:
    rows = [{"title": f"t{n}", "price": n} for n in range(1, 51)]
    on = case([known(1, *rows)])
    verdict = judge(trial(on, [{**row, "price": 1000} for row in rows]), on)
    prices = [one.message for one in fatal(verdict) if one.field == "price"]
    assert len(prices) == 3
    assert prices[-1].endswith("(and 47 more like it)")


def test_records_of_which_nothing_much_stands_on_the_page_may_be_missing() -> None:
    rows = [{"title": "a", "brand": "x", "link": "l"}, {"title": "b", "brand": "y", "link": "m"}]
    sample = known(1, *rows)
    assert sample.truth is not None
    last = {name: replace(claim, supported=name == "brand") for name, claim in sample.truth.records[1].items()}
    doubtful = replace(sample, truth=replace(sample.truth, records=(sample.truth.records[0], last)))
    on = case([doubtful])
    assert judge(trial(on, rows[:1]), on).passed
    assert judge(trial(on, rows), on).stopped_at != "counts"
    assert judge(trial(on, [*rows, rows[0]]), on).stopped_at == "counts"


@pytest.mark.parametrize(
    ("known_rows", "got", "words"),
    [
        ("abd", "abcd", '3 records known of the page, got 4; not known: {"title": "c"}'),
        ("abcd", "abd", '4 records known of the page, got 3; not got: {"title": "c"}'),
        ("ab", "abb", "2 records known of the page, got 3, 1 of them repeated"),
    ],
)
def test_a_row_too_many_or_too_few_is_named(known_rows: str, got: str, words: str) -> None:
    on = case([known(1, *({"title": one} for one in known_rows))])
    (found, *_) = fatal(judge(trial(on, [{"title": one, "price": None} for one in got]), on))
    assert found.message == words


@pytest.mark.parametrize(
    ("extra", "plan", "passes"),
    [
        ([{"title": "Gilt Frame", "price": 9}], "{}", True),
        ([{"title": "Gilt Frame", "price": None}], "{}", False),
        ([{"title": "t1", "price": 1}], "{}", False),
        ([{"title": "Gilt Frame", "price": 9}, {"title": "Hemp Bag", "price": 8}], "{}", True),
        ([{"title": one, "price": 9} for one in ("Gilt Frame", "Hemp Bag", "Iron Pan")], "{}", False),
        ([{"title": "Gilt Frame", "price": 9}], None, False),
    ],
)
def test_a_row_in_ten_that_is_as_full_as_the_others_may_be_one_that_labels_lack(
    extra: list[dict[str, Any]], plan: str | None, passes: bool
) -> None:
    rows = [{"title": f"t{n}", "price": n} for n in range(1, 26)]
    on = case([known(1, *rows)])
    made = trial(on, [*rows, *extra])
    verdict = judge(replace(made, candidate=replace(made.candidate, plan=plan)), on)
    assert verdict.passed is passes
    assert any(one.gate == "counts" and "not known" in one.message for one in verdict.findings) or extra[0] in rows
