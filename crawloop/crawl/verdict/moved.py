"""Fields that moved on every page whose past is known: one page may be renamed, a whole shop is not overnight.

A redesign that keeps its selectors and changes what they hold shows in nothing else. Such values are doubted and
served, for a shop may also lower all its prices by a tenth.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from crawloop.crawl.verdict.reading import Reading
from crawloop.model.kind import Field, Kind, Schema
from crawloop.values import normalise

_ENOUGH = 4  # values with a past before anything is said
_MEMORY = 400
_SAME_FACTOR = 0.005
_MEASURED = frozenset((Kind.NUMBER, Kind.MONEY, Kind.DURATION))


@dataclass(frozen=True, slots=True)
class Beside:
    """A value beside what was known of it: whether it is another, and how many times the old one it is."""

    field: str
    is_other: bool
    factor: float | None = None


@dataclass(slots=True)
class Moves:
    """The comparisons of one crawl, the last ones of each field."""

    _of: dict[str, deque[Beside]] = field(default_factory=dict)

    def note(self, some: Iterable[Beside]) -> None:
        for one in some:
            self._of.setdefault(one.field, deque(maxlen=_MEMORY)).append(one)

    def problems(self, schema: Schema) -> dict[str, str]:
        """{field: what to tell}. Texts count where they are not volatile, measures where one factor fits them all."""
        found: dict[str, str] = {}
        for one in schema.fields:
            seen = self._of.get(one.name, ())
            if len(seen) < _ENOUGH or not all(beside.is_other for beside in seen):
                continue
            factor = _factor([beside.factor for beside in seen])
            if factor is not None:
                found[one.name] = f"may be another value: it is {factor:.4g} times what was known, on all pages"
            elif one.kind is Kind.TEXT and not one.many and not one.volatile:
                found[one.name] = f"may be another value: on none of {len(seen)} known pages is it what it was"
        return found


def beside(reading: Reading) -> tuple[Beside, ...]:
    """The values of a page of which something was known."""
    told = reading.recall
    same = [Beside(name, False) for _, name in sorted(told.confirmed)]
    other = [
        Beside(name, True, _ratio(told.was[index, name], reading.rows[index][name], reading.expected.schema[name]))
        for index, name in sorted(told.changed)
    ]
    return (*same, *other)


def _ratio(before: object, now: object, one: Field) -> float | None:
    if one.kind not in _MEASURED or one.many:
        return None
    old, new = normalise(before, one), normalise(now, one)
    return new / old if old and new else None


def _factor(ratios: Sequence[float | None]) -> float | None:
    """The one factor of all; None where some have none, or they differ."""
    known = [one for one in ratios if one is not None]
    if len(known) < len(ratios) or min(known) <= 0 or max(known) - min(known) > _SAME_FACTOR * min(known):
        return None
    return sum(known) / len(known)
