"""Every record validates against the schema, field by field.

A null in a required field is left to agreement, where truth says whether there was something to find.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from crawloop.contract import Case
from crawloop.gauntlet.wording import few
from crawloop.model.candidate import Trial
from crawloop.model.kind import Schema
from crawloop.model.page import Record
from crawloop.model.verdict import Finding
from crawloop.schemas import check
from crawloop.values import is_blank


class Shape:
    """A value that its field cannot hold is fatal; a key that the schema does not have is told: nobody serves it."""

    name = "shape"

    def judge(self, trial: Trial, case: Case) -> Iterator[Finding]:
        pages: list[tuple[str, Sequence[Record]]] = [
            (sample.page.base, sample.truth.values() if sample.truth else ()) for sample in case.seen + case.unseen
        ]
        pages += [(golden.url, golden.records) for golden in case.goldens]
        runs = trial.seen + trial.unseen + trial.golden
        yield from few(
            finding
            for run, (base, right) in zip(runs, pages, strict=True)
            for number, record in enumerate(run.records or ())
            for finding in self._problems(Row(run.url, base, number, record, right), case.schema)
        )

    def _problems(self, row: Row, schema: Schema) -> Iterator[Finding]:
        for name, problem in check(schema, row.record, base=row.base).items():
            got = row.record.get(name)
            if is_blank(got):
                continue
            known = name in schema.names
            message = problem if known else f"{name} {problem}"
            yield Finding(self.name, message, known, row.url, row.number, name, row.expected(name), got)


@dataclass(frozen=True, slots=True)
class Row:
    """A record in its place. `right` are the page's right records, as far as they are known."""

    url: str
    base: str
    number: int
    record: Record
    right: Sequence[Record]

    def expected(self, name: str) -> Any:
        """The right value, where it is known for a record at this index."""
        return self.right[self.number].get(name) if self.number < len(self.right) else None
