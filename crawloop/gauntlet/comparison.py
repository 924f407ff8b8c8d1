"""A program's records beside the truth: cell by cell right, wrong or a gap, by the field's kind.

Which record is which is told by the values that they share, see `values.paired`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from crawloop.contract import Case
from crawloop.model.candidate import Run, Trial
from crawloop.model.kind import Field
from crawloop.model.page import Record
from crawloop.model.truth import Sample, Truth
from crawloop.model.verdict import Contradiction, Tally
from crawloop.values import equal, is_blank, paired


class Result(StrEnum):
    """How a value compares. A gap is null where truth has a value."""

    RIGHT = "right"
    WRONG = "wrong"
    GAP = "gap"


@dataclass(frozen=True, slots=True)
class Cell:
    """One field of one of truth's records, `record` by truth's index. `expected` is None where absence is asserted."""

    url: str
    record: int
    field: Field
    expected: Any
    got: Any
    result: Result


def claimed(trial: Trial, case: Case) -> tuple[Field, ...]:
    """Fields of the schema that the program claims, or returns a value for anywhere."""
    runs = trial.seen + trial.unseen + trial.golden
    returned = {name for run in runs for row in run.records or () for name, value in row.items() if not is_blank(value)}
    return tuple(f for f in case.schema.fields if f.name in trial.candidate.fields | returned)


def pairs(trial: Trial, case: Case) -> tuple[tuple[Sample, Run], ...]:
    """Every sample, seen and unseen, with the run on its page."""
    return tuple(zip(case.seen + case.unseen, trial.seen + trial.unseen, strict=True))


def cells(sample: Sample, run: Run, fields: Sequence[Field]) -> Iterator[Cell]:
    """Only supported truth and what is asserted absent decide; nothing is compared on a page without truth."""
    if sample.truth is None:
        return
    url, base = sample.page.url, sample.page.base
    for number, expected, row in _beside(sample.truth, run, fields, base):
        for field in fields:
            value = row.get(field.name)
            if not is_blank(expected.get(field.name)):
                result = _result(expected[field.name], value, field, base)
                yield Cell(url, number, field, expected[field.name], value, result)
            elif (number, field.name) in sample.truth.absent:
                result = Result.RIGHT if is_blank(value) else Result.WRONG
                yield Cell(url, number, field, None, value, result)


def contradictions(sample: Sample, run: Run, fields: Sequence[Field]) -> Iterator[Contradiction]:
    """Where a program's value is another than what is said, also by claims that the page does not support."""
    if sample.truth is None:
        return
    for number, _, row in _beside(sample.truth, run, fields, sample.page.base):
        claims = sample.truth.records[number]
        for field in fields:
            claim, got = claims.get(field.name), row.get(field.name)
            if claim is not None and _result(claim.value, got, field, sample.page.base) is Result.WRONG:
                yield Contradiction(sample.page.url, number, field.name, claim.value, got, bool(claim.evidence))


def _beside(
    truth: Truth, run: Run, fields: Sequence[Field], base: str
) -> Iterator[tuple[int, Record, Mapping[str, Any]]]:
    """Each record of truth, by its index, with the program's own."""
    known, got = truth.values(), run.records or ()
    places = paired(known, got, fields, all_known=truth.complete, base=base)
    for number, expected in enumerate(known):
        place = places[number]
        yield number, expected, got[place] if place is not None else {}


def tallies(compared: Iterable[Cell]) -> dict[str, Tally]:
    """Counts by field. A field that is rightly absent is not counted as reached."""
    counts: dict[str, dict[Result, int]] = {}
    for cell in compared:
        if cell.expected is not None or cell.result is Result.WRONG:
            of_field = counts.setdefault(cell.field.name, dict.fromkeys(Result, 0))
            of_field[cell.result] += 1
    return {
        name: Tally(right=one[Result.RIGHT], wrong=one[Result.WRONG], gap=one[Result.GAP])
        for name, one in counts.items()
    }


def _result(expected: Any, got: Any, field: Field, base: str) -> Result:
    if is_blank(got):
        return Result.GAP
    return Result.RIGHT if equal(expected, got, field, base=base) else Result.WRONG
