"""Residual fields: asked for alone, joined record by record, null where the answer is of no use."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from crawloop.crawl.fill import ModelFiller
from crawloop.errors import BudgetSpent, CompletionError, NoAnswer, OracleRefused
from crawloop.model import truth
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page, Record

SCHEMA = Schema("P@1", (Field("title", required=True), Field("weight", Kind.NUMBER), Field("maker")))
PAGE = Page("https://x.example/1", "<p>x")


class Says:
    name = "llm"
    needs_model = True

    def __init__(self, *records: Record, fails: Exception | None = None) -> None:
        self.records = records
        self.fails = fails
        self.asked: list[tuple[str, tuple[str, ...], str | None]] = []

    async def testify(
        self, page: Page, family: str, schema: Schema, model: str | None, beside: Sequence[Page] = ()
    ) -> truth.Testimony | None:
        self.asked.append((family, schema.names, model))
        if self.fails:
            raise self.fails
        return truth.Testimony(self.name, self.records) if self.records else None


def fill(witness: Says, *records: Record) -> tuple[Record, ...]:
    filler = ModelFiller(witness, ("small",), "shop")
    return asyncio.run(filler(PAGE, records, ("weight", "maker"), SCHEMA))


def test_only_the_residual_fields_are_asked_for_and_filled() -> None:
    witness = Says({"weight": "1.5", "maker": "Nordhaus"})
    got = fill(witness, {"title": "Kettle", "weight": None, "maker": "Quill"})
    assert got == ({"title": "Kettle", "weight": 1.5, "maker": "Quill"},)
    assert witness.asked == [("shop", ("weight", "maker"), "small")]


class Tiers:
    """A witness of which each model has a fault of its own, or none."""

    name = "llm"
    needs_model = True

    def __init__(self, **faults: Exception | None) -> None:
        self.faults = faults
        self.asked: list[str | None] = []

    async def testify(
        self, page: Page, family: str, schema: Schema, model: str | None, beside: Sequence[Page] = ()
    ) -> truth.Testimony | None:
        self.asked.append(model)
        if (fault := self.faults[model or ""]) is not None:
            raise fault
        return truth.Testimony(self.name, ({"weight": 1.5},)) if model == "large" else None


@pytest.mark.parametrize(
    ("fault", "then"),
    [
        (NoAnswer("refused"), ["small", "large"]),
        (OracleRefused("unreadable"), ["small", "large"]),
        (BudgetSpent("spent"), ["small", "large"]),
        (CompletionError("503"), ["large"]),
    ],
)
def test_where_a_model_fails_the_next_one_is_asked_and_a_dead_one_is_not_waited_for_again(
    fault: Exception, then: list[str]
) -> None:
    tiers = Tiers(small=fault, large=None)
    filler = ModelFiller(tiers, ("small", "large"), "shop")
    rows: tuple[Record, ...] = ({"title": "Kettle", "weight": None},)
    for asked in (["small", "large"], then):
        tiers.asked.clear()
        assert asyncio.run(filler(PAGE, rows, ("weight",), SCHEMA))[0]["weight"] == 1.5
        assert tiers.asked == asked


def test_that_a_model_finds_nothing_is_an_answer_and_costs_no_second_one() -> None:
    tiers = Tiers(small=None, large=None)
    filler = ModelFiller(tiers, ("small", "large"), "shop")
    assert asyncio.run(filler(PAGE, ({"weight": None},), ("weight",), SCHEMA)) == ({"weight": None},)
    assert tiers.asked == ["small"]


def test_where_every_model_fails_the_records_stay_as_they_are() -> None:
    filler = ModelFiller(Tiers(small=CompletionError("503"), large=NoAnswer("refused")), ("small", "large"), "shop")
    assert asyncio.run(filler(PAGE, ({"weight": None},), ("weight",), SCHEMA)) == ({"weight": None},)


def test_fault_05_each_value_goes_to_the_record_of_its_own() -> None:
    """The model leaves a row out, and gives the others in another order."""
    three: list[dict[str, Any]] = [{"title": name, "weight": None, "maker": None} for name in ("Pot", "Pan", "Cup")]
    assert fill(Says({"weight": 1}), *three) == tuple(three)
    some = Says({"title": "Cup", "weight": 3}, {"title": "Pot", "maker": "M"})
    assert [(row["weight"], row["maker"]) for row in fill(some, *three)] == [(None, "M"), (None, None), (3, None)]
    assert some.asked[0][1] == ("title", "weight", "maker")


def test_records_that_nothing_tells_apart_are_filled_by_their_order_or_not_at_all() -> None:
    alike: list[dict[str, Any]] = [{"title": "Pot", "weight": None, "maker": None} for _ in range(3)]
    assert fill(Says({"weight": 1}, {"weight": 2}), *alike) == tuple(alike)
    each = Says({"weight": 1}, {"maker": "M"}, {"weight": 3})
    assert [row["weight"] for row in fill(each, *alike)] == [1, None, 3]
    assert each.asked[0][1] == ("weight", "maker")


def test_where_a_program_gave_no_record_the_models_are_taken() -> None:
    assert fill(Says({"weight": "1.5"}, {"maker": "M"})) == (
        {"title": None, "weight": 1.5, "maker": None},
        {"title": None, "weight": None, "maker": "M"},
    )


def test_a_value_of_another_kind_stays_null() -> None:
    assert fill(Says({"weight": "heavy", "maker": "M"}), {"title": "Kettle"})[0] == {
        "title": "Kettle",
        "weight": None,
        "maker": "M",
    }


@pytest.mark.parametrize("fails", [BudgetSpent(), OracleRefused(), None])
def test_without_an_answer_the_page_is_served_as_it_is(fails: Exception | None) -> None:
    assert fill(Says(fails=fails), {"title": "Kettle", "weight": None}) == ({"title": "Kettle", "weight": None},)
