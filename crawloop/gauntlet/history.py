"""The winner's records against the last known ones: advisory, for a person who reads the audit.

A value may have moved for good reasons; what is told here are patterns: a volatile field that moved too far, a steady
one that moved on most pages, two fields that changed places, and one constant factor on all pages, such as a tax.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from crawloop.contract import Case
from crawloop.gauntlet.comparison import claimed
from crawloop.gauntlet.wording import few, shown
from crawloop.model.candidate import Trial
from crawloop.model.kind import Field, Kind
from crawloop.model.page import Record
from crawloop.model.verdict import Finding
from crawloop.values import equal, is_blank, normalise

NUMERIC = frozenset((Kind.NUMBER, Kind.MONEY, Kind.DURATION))
TOO_FAR = 2.0
SAME_FACTOR = 0.005


@dataclass(frozen=True, slots=True)
class Move:
    """A record then and now."""

    url: str
    record: int
    before: Record
    now: Record


class History:
    """Never fatal. Lists are compared only where the number of records is the same."""

    name = "history"

    def judge(self, trial: Trial, case: Case) -> Iterator[Finding]:
        moves = list(_moves(trial, case))
        fields = claimed(trial, case)
        for field in fields:
            yield from self._moved(field, moves)
        for one, other in combinations(fields, 2):
            yield from self._swapped(one, other, moves)

    def _moved(self, field: Field, moves: Sequence[Move]) -> Iterator[Finding]:
        both = [m for m in moves if not is_blank(m.before.get(field.name)) and not is_blank(m.now.get(field.name))]
        changed = [m for m in both if not equal(m.before[field.name], m.now[field.name], field, base=m.url)]
        ratios = [ratio for m in both if (ratio := _ratio(m, field)) is not None]
        factor = _constant(ratios) if len({m.url for m in both}) > 1 and len(ratios) == len(both) else None
        if factor is not None:
            message = f"{field.name} is {factor:.4g} times what was known, in all {len(ratios)} records"
            yield Finding(self.name, message, fatal=False, field=field.name)
        elif field.volatile:
            far = [m for m in changed if (r := _ratio(m, field)) is not None and not 1 / TOO_FAR <= r <= TOO_FAR]
            yield from few(self._told("moved far", m, field) for m in far)
        elif 2 * len(changed) > len(both):
            message = f"{field.name} differs from what was known in {len(changed)} of {len(both)} records"
            yield self._told(message, changed[0], field)

    def _swapped(self, one: Field, other: Field, moves: Sequence[Move]) -> Iterator[Finding]:
        told = [m for m in moves if _crossed(m, one, other)]
        apart = [m for m in moves if _apart(m, one, other)]
        if told and 2 * len(told) > len(apart):
            message = f"{one.name} and {other.name} seem to have changed places, in {len(told)} of {len(apart)} records"
            yield self._told(message, told[0], one)

    def _told(self, message: str, move: Move, field: Field) -> Finding:
        before, now = move.before[field.name], move.now[field.name]
        words = f"{message}: {shown(before)} was known, now {shown(now)}"
        return Finding(self.name, words, False, move.url, move.record, field.name, before, now)


def _moves(trial: Trial, case: Case) -> Iterator[Move]:
    for run in trial.seen + trial.unseen:
        known, got = case.history.get(run.url, ()), run.records or ()
        if len(known) == len(got):
            for number, (before, now) in enumerate(zip(known, got, strict=True)):
                yield Move(run.url, number, before, now)


def _ratio(move: Move, field: Field) -> float | None:
    if field.kind not in NUMERIC or field.many:
        return None
    before, now = (normalise(row.get(field.name), field) for row in (move.before, move.now))
    return now / before if before and now is not None else None


def _constant(ratios: Sequence[float]) -> float | None:
    """The one factor of all, where it is not 1."""
    if len(ratios) < 2:
        return None
    low, high = min(ratios), max(ratios)
    is_one = abs(low - 1) <= SAME_FACTOR or abs(high - 1) <= SAME_FACTOR
    return None if is_one or low <= 0 or high - low > SAME_FACTOR * low else sum(ratios) / len(ratios)


def _crossed(move: Move, one: Field, other: Field) -> bool:
    """Each has the other's value, and not its own."""
    if not _apart(move, one, other):
        return False
    now, before = move.now, move.before
    return _same(before[one.name], now.get(other.name), one) and _same(before[other.name], now.get(one.name), other)


def _apart(move: Move, one: Field, other: Field) -> bool:
    """Both were known, and differed."""
    left, right = move.before.get(one.name), move.before.get(other.name)
    return not is_blank(left) and not is_blank(right) and not _same(left, right, one)


def _same(a: Any, b: Any, field: Field) -> bool:
    return not is_blank(b) and equal(a, b, field)
