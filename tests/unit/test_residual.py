"""Residual fields, and how values for them join the records."""

from __future__ import annotations

from crawloop.gauntlet import judge
from crawloop.residual import filled, residual_fields
from tests.fakes.trials import case, known, trial


def test_residual_is_what_truth_has_and_the_winner_never_reaches() -> None:
    samples = [known(1, {"title": "a", "brand": "b"}), known(2, {"title": "c", "tags": ["x"], "price": 2})]
    on = case(samples)
    verdict = judge(trial(on, [{"title": "a", "price": None}], [{"title": "c", "price": 2}]), on)
    assert residual_fields(samples, verdict) == ("brand", "tags")


def test_fault_05_residual_values_join_record_by_record() -> None:
    records = [{"title": "a", "badge": None}, {"title": "b", "badge": "own"}, {"title": "c"}]
    values = [{"badge": "x", "title": "no"}, {"badge": "y"}, {}]
    assert filled(records, values, ["badge"]) == (
        {"title": "a", "badge": "x"},
        {"title": "b", "badge": "own"},
        {"title": "c", "badge": None},
    )


def test_fault_05_values_that_cannot_be_aligned_fill_nothing() -> None:
    records = [{"title": "a", "badge": None}, {"title": "b", "badge": None}]
    assert filled(records, [{"badge": "x"}], ["badge"]) == tuple(records)
