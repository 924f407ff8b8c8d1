"""The digits by which a number, a date or a duration is recognised, however it is written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from crawloop.model.kind import Kind

_RUN = re.compile(r"\d+")
_LONG = re.compile(r"\d+\.\d{2,20}(?!\d)")
_NUMBER = re.compile(r"\d+(?:[.,'’\s]\d+)*")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Any of `sets` must be there, each of its runs of digits; with `whole` as numbers that stand alone.

    `rounded` is a number that may also stand there with more decimals.
    """

    sets: tuple[frozenset[str], ...]
    whole: bool
    rounded: float | None = None

    def may_be_in(self, loose: str) -> bool:
        """A cheap first look, on squashed text."""
        if self.rounded is not None and str(int(self.rounded)) in loose:
            return True
        return any(all(run in loose for run in one) for one in self.sets)

    def is_in(self, text: str) -> bool:
        """Whether the digits stand in `text` as runs of their own, leading zeros aside."""
        if self.whole:
            runs = {re.sub(r"\D", "", one).lstrip("0") or "0" for one in _NUMBER.findall(text)}
            runs |= {one.rstrip("0") or "0" for one in runs} | {one.lstrip("0") or "0" for one in _RUN.findall(text)}
        else:
            runs = {one.lstrip("0") or "0" for one in _RUN.findall(text)}
        return any(one <= runs for one in self.sets) or (self._packed(text) if not self.whole else self._near(text))

    def _near(self, text: str) -> bool:
        if self.rounded is None:
            return False
        longer = map(float, _LONG.findall(text))
        return any(round(one, digits) == self.rounded for one in longer for digits in (1, 2))

    def _packed(self, text: str) -> bool:
        digits = re.sub(r"\D", "", text)
        return 8 <= len(digits) <= 14 and any(all(run in digits for run in one) for one in self.sets)


def wanted(value: Any, kind: Kind) -> Wanted | None:
    """What to look for; None where the value is not of that kind."""
    if kind in (Kind.NUMBER, Kind.MONEY, Kind.DURATION):
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        rounded = value if isinstance(value, float) and value != int(value) else None
        return Wanted(tuple(_duration(value) if kind is Kind.DURATION else _number(value)), True, rounded)
    day = _day(str(value))
    if day is None:
        return None
    year = str(day.year)
    ours = [frozenset((one, str(day.day))) for one in (year, year[2:].lstrip("0") or "0")]
    return Wanted(tuple(ours), False)


def _number(value: float) -> list[frozenset[str]]:
    text = repr(value) if isinstance(value, int) else f"{value:.10f}".rstrip("0").rstrip(".")
    digits = re.sub(r"\D", "", text).lstrip("0") or "0"
    return [frozenset((one,)) for one in dict.fromkeys((digits, digits.rstrip("0") or "0"))]


def _duration(value: float) -> list[frozenset[str]]:
    """Minutes, hours or seconds: as one number, or as hours and minutes of it."""
    found = [frozenset((str(int(value)),)), frozenset((str(int(value * 60)),))]
    hours, minutes = divmod(int(value), 60)
    if hours:
        found.append(frozenset((str(hours), str(minutes))) if minutes else frozenset((str(hours),)))
        days, rest = divmod(hours, 24)
        if days:
            found.append(frozenset(str(one) for one in (days, rest, minutes) if one))
    if value != int(value):
        found += _number(value)
    return found


def _day(text: str) -> datetime | None:
    found = re.match(r"(\d{4})-(\d{2})-(\d{2})", text)
    if found is None:
        return None
    try:
        return datetime(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        return None
