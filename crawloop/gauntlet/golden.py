"""Golden pages of the current layout reproduce exactly, each at its own URL.

A null that has become a value is told and not fatal: an older version's gap must not forbid the better program. A
field that the older program did not claim has no key in its records and is not compared. A value that a person wrote
for a field that the active version does not read need not be read; read otherwise, it is a fault as any other.
"""

from __future__ import annotations

from collections.abc import Iterator

from crawloop.contract import Case
from crawloop.gauntlet.wording import difference, few, shown
from crawloop.model.candidate import Run, Trial
from crawloop.model.family import Golden
from crawloop.model.verdict import Finding
from crawloop.values import equal, is_blank


class GoldenPages:
    """Whoever makes the case hands in the golden pages of one epoch only; a newer one among them rules the rest out."""

    name = "golden"

    def judge(self, trial: Trial, case: Case) -> Iterator[Finding]:
        current = max((golden.epoch for golden in case.goldens), default=0)
        for golden, run in zip(case.goldens, trial.golden, strict=True):
            if golden.epoch == current:
                yield from few(_changes(golden, run, case))


def _changes(golden: Golden, run: Run, case: Case) -> Iterator[Finding]:
    got = run.records or ()
    if len(got) != len(golden.records):
        message = f"golden page {golden.case} has {len(golden.records)} records, got {len(got)}"
        yield Finding("golden", message, url=golden.url, expected=len(golden.records), got=len(got))
        return
    for number, (before, after) in enumerate(zip(golden.records, got, strict=True)):
        for field in case.schema.fields:
            if field.name not in before:
                continue
            expected, value = before[field.name], after.get(field.name)
            lost = field.name in case.unread and is_blank(value)
            if lost or equal(expected, value, field, base=golden.url):
                continue
            new = is_blank(expected)
            words = f"null so far, got {shown(value)}" if new else difference(expected, value, field, base=golden.url)
            message = f"golden page {golden.case}: {words}"
            yield Finding("golden", message, not new, golden.url, number, field.name, expected, value)
