"""The digits by which a number, a date or a duration is recognised, however it is written."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from crawloop.model.kind import Kind
from crawloop.values.months import MONTHS, bare

_RUN = re.compile(r"\d+")
_NAMES = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October"),
    *("November", "December"),
)
_LETTERS = re.compile(r"[^\W\d_]+")
_LONG = re.compile(r"\d+\.\d{2,20}(?!\d)")
_NOT_DIGIT = re.compile(r"\D")
_NUMBER = re.compile(r"\d+(?:[.,'’\s]\d+)*")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Any of `sets` must be there, each of its runs of digits; with `whole` as numbers that stand alone.

    `rounded` is a number that may also stand there with more decimals. Of a `day` the month must be there too, as a
    number or by its name.
    """

    sets: tuple[frozenset[str], ...]
    whole: bool
    rounded: float | None = None
    day: date | None = None

    @property
    def telling(self) -> frozenset[str]:
        """Runs of digits of which one stands wherever the value may, on squashed text."""
        runs = frozenset(max(one, key=len) for one in self.sets)
        return runs if self.rounded is None else runs | {str(int(self.rounded))}

    def may_be_in(self, loose: str) -> bool:
        """A cheap first look, on squashed text."""
        if self.rounded is not None and str(int(self.rounded)) in loose:
            return True
        for one in self.sets:
            for run in one:
                if run not in loose:
                    break
            else:
                return True
        return False

    def is_in(self, text: str) -> bool:
        """Whether the digits stand in `text` as runs of their own, leading zeros aside."""
        runs = _numbers(text) if self.whole else _runs(text)
        if self.day is not None:
            there = any(one <= runs for one in self.sets) and self._has_month(runs, text)
            return there or _is_packed(self.day, text)
        return any(one <= runs for one in self.sets) or self._near(text)

    def _near(self, text: str) -> bool:
        if self.rounded is None:
            return False
        longer = map(float, _LONG.findall(text))
        return any(round(one, digits) == self.rounded for one in longer for digits in (1, 2))

    def _has_month(self, runs: Set[str], text: str) -> bool:
        month = self.day.month if self.day else 0
        return str(month) in runs or any(MONTHS.get(bare(one)) == month for one in _LETTERS.findall(text))


@lru_cache(maxsize=4096)
def _runs(text: str) -> frozenset[str]:
    """The runs of digits in a text; of a page's few texts with digits many values are asked."""
    return frozenset(one.lstrip("0") or "0" for one in _RUN.findall(text))


@lru_cache(maxsize=4096)
def _numbers(text: str) -> frozenset[str]:
    """The digits of each number in a text, with and without the zeros at its end; and its runs of digits."""
    digits = {_NOT_DIGIT.sub("", one).lstrip("0") or "0" for one in _NUMBER.findall(text)}
    return _runs(text) | digits | {one.rstrip("0") or "0" for one in digits}


def _is_packed(day: date, text: str) -> bool:
    """Whether a text of few digits holds the day as eight of them, such as 20240310."""
    digits = re.sub(r"\D", "", text)
    forms = (f"{day:%Y%m%d}", f"{day:%d%m%Y}", f"{day:%m%d%Y}") if 8 <= len(digits) <= 14 else ()
    return any(one in digits for one in forms)


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
    return Wanted(tuple(ours), False, day=day)


def spelled(value: str) -> tuple[str, ...]:
    """A day as it is written in prose, in letters and digits that can be looked for; none where it is no day."""
    day = _day(value)
    if day is None:
        return ()
    month, year = _NAMES[day.month - 1], day.year
    figures = (f"{day:%m/%d/%Y}", f"{day:%d/%m/%Y}", f"{day.month}/{day.day}/{year}", f"{day.day}/{day.month}/{year}")
    words = (text for one in (month, month[:3]) for text in (f"{one} {day.day}, {year}", f"{day.day} {one} {year}"))
    return tuple(dict.fromkeys((*figures, *words)))


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


def _day(text: str) -> date | None:
    found = re.match(r"(\d{4})-(\d{2})-(\d{2})", text)
    if found is None:
        return None
    try:
        return date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        return None
