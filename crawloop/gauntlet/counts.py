"""Exactly the truth's number of records on every page whose truth is complete.

Records of truth of which most stands nowhere on the page may be missing. One more is wrong, but for one in ten that a
plan reads as full as all the others: labels may lack it (ADR 14). It is told.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from crawloop.contract import Case
from crawloop.gauntlet.wording import shown
from crawloop.model.candidate import Run, Trial
from crawloop.model.kind import Field
from crawloop.model.page import Record
from crawloop.model.truth import Sample, Truth
from crawloop.model.verdict import Finding
from crawloop.values import paired
from crawloop.values.votes import outvoted

_LACKING = 10  # known records for each one that labels may lack


class Counts:
    """Judges the pages that the program has seen."""

    name = "counts"

    def judge(self, trial: Trial, case: Case) -> Iterator[Finding]:
        yield from miscounts(self.name, case.seen, trial.seen, trial, case.schema.fields)


def miscounts(
    gate: str, samples: Sequence[Sample], runs: Sequence[Run], trial: Trial, fields: Sequence[Field]
) -> Iterator[Finding]:
    """A finding for each page with more records than its complete truth, or fewer than the page carries."""
    for sample, run in zip(samples, runs, strict=True):
        if sample.truth is None or not sample.truth.complete or run.records is None:
            continue
        right, got, base = len(sample.truth.records), len(run.records), sample.page.base
        if not sum(sample.truth.carries()) <= got <= right:
            message = f"{_records(right)} known of the page, got {got}{_which(sample.truth, run.records, fields, base)}"
            known = trial.candidate.plan is not None and _are_overlooked(sample.truth, run.records, fields, base)
            yield Finding(gate, message, not known, url=sample.page.url, expected=right, got=got)


def _are_overlooked(truth: Truth, rows: Sequence[Record], fields: Sequence[Field], base: str) -> bool:
    """Whether the rows that are no known record's are so few and full that rather the labels lack them."""
    known = truth.values()
    if not outvoted(len(known), len(rows) - len(known), _LACKING) or repeats(rows):
        return False
    places = paired(known, rows, fields, all_known=True, base=base)
    own = [rows[place] for place in places if place is not None]
    always = [one.name for one in fields if all(row.get(one.name) is not None for row in own)]
    spare = (row for place, row in enumerate(rows) if place not in places)
    return (
        len(own) == len(known)
        and len(always) > 1
        and all(row.get(name) is not None for row in spare for name in always)
    )


def _which(truth: Truth, rows: Sequence[Record], fields: Sequence[Field], base: str) -> str:
    """What of the rows is too much, and which records are missing, each by the first."""
    if repeated := repeats(rows):
        return f", {repeated} of them repeated"
    known = truth.values()
    places = paired(known, rows, fields, all_known=True, base=base)
    spare = [row for place, row in enumerate(rows) if place not in places]
    lost = [record for record, place in zip(known, places, strict=True) if place is None]
    told = [f"{word} {_record(some[0])}" for word, some in (("not known:", spare), ("not got:", lost)) if some]
    return "".join(f"; {one}" for one in told)


def _record(row: Record) -> str:
    return shown({name: value for name, value in row.items() if value is not None})


def _records(count: int) -> str:
    return "1 record" if count == 1 else f"{count} records"


def repeats(rows: Sequence[Record]) -> int:
    """How many rows are like one before them."""
    return len(rows) - len({json.dumps(row, sort_keys=True, default=str) for row in rows})
