"""Exactly the truth's number of records on every page whose truth is complete.

Records of truth of which most stands nowhere on the page may be missing, but there is never one more.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from crawloop.contract import Case
from crawloop.model.candidate import Run, Trial
from crawloop.model.page import Record
from crawloop.model.truth import Sample
from crawloop.model.verdict import Finding


class Counts:
    """Judges the pages that the program has seen."""

    name = "counts"

    def judge(self, trial: Trial, case: Case) -> Iterator[Finding]:
        yield from miscounts(self.name, case.seen, trial.seen)


def miscounts(gate: str, samples: Sequence[Sample], runs: Sequence[Run]) -> Iterator[Finding]:
    """A fatal finding for each page with more records than its complete truth, or fewer than the page carries."""
    for sample, run in zip(samples, runs, strict=True):
        if sample.truth is None or not sample.truth.complete or run.records is None:
            continue
        right, got = len(sample.truth.records), len(run.records)
        if not sum(sample.truth.carries()) <= got <= right:
            repeated = repeats(run.records)
            message = f"the page has {_records(right)}, got {got}" + (
                f", {repeated} of them repeated" if repeated else ""
            )
            yield Finding(gate, message, url=sample.page.url, expected=right, got=got)


def _records(count: int) -> str:
    return "1 record" if count == 1 else f"{count} records"


def repeats(rows: Sequence[Record]) -> int:
    """How many rows are like one before them."""
    return len(rows) - len({json.dumps(row, sort_keys=True, default=str) for row in rows})
