"""The worst record on the worst page agrees with truth, over the fields that the program claims; never a mean.

A gap is named and not wrong. Any wrong value is fatal to a program with a plan, for its field can be dropped. For one
that was written by hand it is where the field is required or wrong at least as often as right, or where its record
falls below the bar.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from crawloop.contract import Case
from crawloop.gauntlet.comparison import Cell, Result, cells, claimed, pairs, tallies
from crawloop.gauntlet.wording import difference, few, shown
from crawloop.model.candidate import Trial
from crawloop.model.verdict import Finding, Tally


class Agreement:
    """Judges the pages that the program has seen; what it reaches is counted over all pages with truth."""

    name = "agreement"

    def judge(self, trial: Trial, case: Case) -> Iterator[Finding]:
        fields = claimed(trial, case)
        seen = zip(case.seen, trial.seen, strict=True)
        found = [cell for sample, run in seen for cell in cells(sample, run, fields)]
        yield from disagreements(self.name, found, bar(trial, case))
        every = tallies(cell for sample, run in pairs(trial, case) for cell in cells(sample, run, fields))
        yield from self._reach(every, case)

    def _reach(self, tally: dict[str, Tally], case: Case) -> Iterator[Finding]:
        truths = [sample.truth for sample in case.seen + case.unseen if sample.truth is not None]
        supported = [f for f in case.schema.fields if any(f.name in truth.fields for truth in truths)]
        reached = [f for f in supported if f.name in tally and tally[f.name].right]
        for field in supported:
            if field.required and field not in reached:
                yield Finding(self.name, f"{field.name} is required, and right on no page", field=field.name)
        if not supported:
            yield Finding(self.name, "no page has a value to judge by: no witness's value stands on any page")
        elif not reached or 2 * len(reached) < len(supported):
            missing = ", ".join(f.name for f in supported if f not in reached)
            message = f"{len(reached)} of {len(supported)} fields are right on some page, half of them are needed"
            yield Finding(self.name, message + (f"; missing: {missing}" if missing else ""))


def bar(trial: Trial, case: Case) -> float:
    """The share of a record's values that must be right."""
    return 1.0 if trial.candidate.plan is not None else case.policy.agreement_bar


def disagreements(gate: str, found: Sequence[Cell], bar: float) -> Iterator[Finding]:
    """Wrong values, fatal or not, and gaps."""
    tally = tallies(found)
    hopeless = {name for name, one in tally.items() if one.wrong and one.wrong >= one.right}
    below = _below(found, bar)
    yield from few(
        Finding(
            gate,
            difference(cell.expected, cell.got, cell.field, base=cell.url),
            fatal=cell.field.required or cell.field.name in hopeless or (cell.url, cell.record) in below,
            url=cell.url,
            record=cell.record,
            field=cell.field.name,
            expected=cell.expected,
            got=cell.got,
        )
        for cell in found
        if cell.result is Result.WRONG
    )
    yield from few(_gap(gate, cell) for cell in found if cell.result is Result.GAP)


def _below(found: Iterable[Cell], bar: float) -> set[tuple[str, int]]:
    """Records that agree less than the bar. A value that is rightly absent does not raise a record's share."""
    counts: dict[tuple[str, int], list[int]] = {}
    for cell in found:
        if cell.result is not Result.GAP and (cell.expected is not None or cell.result is Result.WRONG):
            counts.setdefault((cell.url, cell.record), []).append(cell.result is Result.RIGHT)
    return {place for place, rights in counts.items() if sum(rights) < bar * len(rights)}


def _gap(gate: str, cell: Cell) -> Finding:
    message = f"gap: {cell.field.name} is null where the page has {shown(cell.expected)}"
    return Finding(gate, message, False, cell.url, cell.record, cell.field.name, cell.expected)
