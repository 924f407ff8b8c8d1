"""Pages that were in no prompt and no induction: hard-coded answers and overfit selectors die here.

Where such a page has truth, equality decides as on seen pages, and what was reached there must be reached here.
Where nobody knows it, the program's values must look like those of the seen pages and stand on the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crawloop.contract import Case
from crawloop.gauntlet.agreement import bar, disagreements
from crawloop.gauntlet.comparison import Cell, cells, claimed, tallies
from crawloop.gauntlet.counts import miscounts
from crawloop.gauntlet.likeness import oddities, strange_values
from crawloop.gauntlet.ties import untied
from crawloop.model.candidate import Trial
from crawloop.model.verdict import Finding


class Unseen:
    """Says nothing where no page was kept from the program."""

    name = "unseen"

    def judge(self, trial: Trial, case: Case) -> Iterator[Finding]:
        fields = claimed(trial, case)
        seen = [c for s, run in zip(case.seen, trial.seen, strict=True) for c in cells(s, run, fields)]
        here = [c for s, run in zip(case.unseen, trial.unseen, strict=True) for c in cells(s, run, fields)]
        yield from miscounts(self.name, case.unseen, trial.unseen, trial, case.schema.fields)
        yield from disagreements(self.name, here, bar(trial, case))
        yield from self._lost(seen, here)
        yield from oddities(trial, case)
        yield from strange_values(trial, case, fields)
        yield from untied(trial, case, fields)

    def _lost(self, seen: Sequence[Cell], here: Sequence[Cell]) -> Iterator[Finding]:
        """Of the fields that are right on seen pages, half of those that these pages have must be right here too."""
        right = {name for name, tally in tallies(seen).items() if tally.right}
        there = {name: tally for name, tally in tallies(here).items() if name in right}
        reached = [name for name, tally in there.items() if tally.right]
        if 2 * len(reached) < len(there):
            lost = ", ".join(sorted(set(there) - set(reached)))
            message = f"{len(reached)} of {len(there)} fields that are right on seen pages are right here; lost: {lost}"
            yield Finding(self.name, message)
