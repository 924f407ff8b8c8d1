"""Dates and datetimes as pages write them, into ISO 8601 by their written day.

All-number dates: a four-digit part in front is the year; else `order` ("dmy", "mdy", "ymd") decides, and a date that
contradicts it is none. Without it a part over 12 decides, then custom: the month first with slashes, else the day.
Two-digit years: 69 and later are 19xx. Nothing is read out of a text that holds two different dates.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from functools import lru_cache
from typing import NamedTuple
from unicodedata import digit, normalize

from crawloop.values.months import FILLERS, MONTHS, WEEKDAYS, bare
from crawloop.values.text import cleaned
from crawloop.values.zone import NAMES, zone

ORDERS = ("dmy", "mdy", "ymd")
_LONGEST = 500
_LONGEST_STRICT = 100
_SHORT = 60  # longer texts are not remembered
_REMEMBERED = 1024
_ISO = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?"
)
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})(?:[Tt](\d{2})(\d{2})(\d{2})?([Zz]|[+-]\d{4})?)?")
_DIGITS = re.compile(r"\d\D*\d\D*\d")
_WORD = r"([^\W\d_]{3,14})"
_ORDINAL = r"(?:st|nd|rd|th|er|re|de|eme|e|[.ºª°]|:[ae])?"
_OF = r"(?:[\s\-/.,]*(?:(?:de|del|of|den|d)\b['\s]*)?)"
_YEAR = r"('?\d{4}|'?\d{2})"
_END = r"(?![\w:])"
_NUMERIC = re.compile(r"(?<!\d:)(?<![\w.,/-])(\d{1,4})([./-])\s?(\d{1,2})\2\s?(\d{1,4})(?![\d/]|[.,:-]\d)")
_EAST = re.compile(r"(?<!\d)(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]?")
_DAY_FIRST = re.compile(rf"(?<![\w.])(\d{{1,2}}){_ORDINAL}{_OF}{_WORD}{_OF}{_YEAR}{_END}(?!,\d)")
_MONTH_FIRST = re.compile(rf"(?<!\w){_WORD}[\s\-/.,]*(\d{{1,2}}){_ORDINAL}[\s\-/.,]+('?\d{{4}}|'\d{{2}}){_END}")
_YEAR_FIRST = re.compile(rf"(?<!\w)(\d{{4}})[\s\-/.,]+{_WORD}[\s\-/.,]+(\d{{1,2}}){_ORDINAL}{_END}")
_HALF = r"\s?(?P<half>[ap])\.?\s?m\b\.?"
_ZONE = (
    r"(?:\s?(?P<zone>(?:utc|gmt)\s?[+-]\d{1,2}(?::?\d{2})?|\+\d{2}:?\d{2}|-\d{4}|(?<=:\d\d:\d\d)-\d{2}:\d{2}|z\b"
    rf"|(?:{NAMES})\b))?"
)
_CLOCK = re.compile(
    r"(?:(?<=\d)t|(?<![\w:.,/-]))(?P<hour>\d{1,2})\s?(?:[:h]\s?(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d{1,9})?)?"
    rf"|\.(?P<dotted>\d{{2}})(?=\s?uhr\b))(?:{_HALF})?{_ZONE}{_END}"
)
_HOUR = re.compile(rf"(?<![\w:.,/-])(?P<hour>\d{{1,2}})(?:{_HALF}|\s?(?:uhr|h)\b){_ZONE}{_END}")
_DOTTED_HOUR = re.compile(r"\b(klo|kl\.?|alle|ore)\s(\d{1,2})\.(\d{2})(?![\d.])")
_ASIDE = re.compile(r"\([^()\d]*\)")
_STRAY = re.compile(r"[^\W\d_]+|[^\s,.;:|/()\[\]\-·•@']")
_FOLDED = {ord(c): "-" for c in "‐‑‒–—―−"} | {ord("’"): "'"}


class _Found(NamedTuple):
    """A date or a time of day, and where it stands in the text."""

    start: int
    end: int
    read: date | datetime | time


def parse_date(value: object, *, order: str | None = None, strict: bool = False) -> str | None:
    """ISO date, or ISO datetime where a time is written: "2026-01-02", "2026-01-02T10:00:00+01:00".

    `strict` wants the whole text to be the date (weekday and filler words may stand with it); else it is the only
    date in the text. Relative dates, lone years and months are none. Numbers are not read: see parse_epoch.
    """
    if not isinstance(value, str):
        return None
    return (_parsed_before if len(value) <= _SHORT else _parsed)(value, order, strict)


def parse_epoch(value: object) -> str | None:
    """The UTC datetime of seconds or milliseconds since 1970, told apart by their size."""
    try:
        seconds = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    if not 0 < seconds < 1e14:
        return None
    return datetime.fromtimestamp(int(seconds / 1000 if seconds >= 1e11 else seconds), UTC).isoformat()


def date_readings(text: str) -> tuple[tuple[str | None, str], ...]:
    """All that a text may mean, as (order, ISO): two for `02/01/2026`. Order is None where it is no matter."""
    plain = parse_date(text)
    found = {read: order for order in reversed(ORDERS) if (read := parse_date(text, order=order))}
    if len(found) <= 1:
        return ((None, plain),) if plain else ()
    return tuple((order, read) for read, order in found.items())


def _parsed(value: str, order: str | None, strict: bool) -> str | None:
    limit = _LONGEST_STRICT if strict else _LONGEST
    text = cleaned(value, limit) if _DIGITS.search(value) else None
    if text is None:
        return None
    return _iso(text) or _written(_plain(text), order, strict)


# A listing asks of each row's date whether the row counts, and then for its value.
_parsed_before = lru_cache(maxsize=_REMEMBERED)(_parsed)


def _plain(text: str) -> str:
    """Lower case without accents, ASCII digits and dashes, remarks in brackets blanked."""
    if not text.isascii():
        text = normalize("NFKC", text.translate(_FOLDED))
        text = "".join(str(digit(c, -1)) if c.isdigit() and not c.isascii() and digit(c, -1) >= 0 else c for c in text)
    text = bare(text)
    if "." in text:
        text = _DOTTED_HOUR.sub(r"\1 \2:\3", text)
    return _ASIDE.sub(lambda m: " " * len(m[0]), text) if "(" in text else text


def _iso(text: str) -> str | None:
    found = _ISO.fullmatch(text) or _COMPACT.fullmatch(text)
    if not found:
        return None
    read = _moment(found)
    return read.isoformat() if read else None


def _moment(found: re.Match[str]) -> date | datetime | None:
    """What an ISO match means; the fraction of a second is dropped."""
    groups = found.groups()
    offset = groups[-1]
    try:
        day = date(int(groups[0]), int(groups[1]), int(groups[2]))
        if groups[3] is None:
            return day
        where = zone(offset.lower()) if offset else None
        return datetime.combine(day, time(int(groups[3]), int(groups[4]), int(groups[5] or 0), tzinfo=where))
    except ValueError:
        return None


def _written(text: str, order: str | None, strict: bool) -> str | None:
    times = _times(text)
    days = _days(_blank(text, times), order, strict)
    reads = {found.read for found in days}
    if len(reads) != 1 or None in reads or (strict and (len(days) > 1 or len(times) > 1)):
        return None
    if strict and _has_strays(_blank(text, [*times, *days])):
        return None
    first = days[0]
    if isinstance(first.read, datetime):
        return first.read.isoformat()
    near = next((t for t in times if not _has_strays(_gap(text, first, t))), None)
    if near is None or not isinstance(near.read, time) or not isinstance(first.read, date):
        return first.read.isoformat() if isinstance(first.read, date) else None
    return datetime.combine(first.read, near.read).isoformat()


def _blank(text: str, spans: list[_Found]) -> str:
    for span in spans:
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return text


def _gap(text: str, one: _Found, other: _Found) -> str:
    return text[one.end : other.start] if one.end <= other.start else text[other.end : one.start]


def _has_strays(text: str) -> bool:
    return any(token not in FILLERS and token not in WEEKDAYS for token in _STRAY.findall(text))


def _times(text: str) -> list[_Found]:
    found: list[_Found] = []
    for match in [match for may_stand, form in _TIMES if may_stand(text) for match in form.finditer(text)]:
        groups = match.groupdict()
        hour = int(groups["hour"])
        if groups["half"]:
            hour = hour % 12 + (12 if groups["half"] == "p" else 0) if 0 < hour <= 12 else 99
        try:
            where = zone(groups["zone"].replace(" ", "")) if groups["zone"] else None
            read = time(hour, int(groups.get("minute") or groups.get("dotted") or 0), int(groups.get("second") or 0))
        except ValueError:
            continue
        if not any(match.start() < t.end and t.start < match.end() for t in found):
            found.append(_Found(match.start(), match.end(), read.replace(tzinfo=where)))
    return found


def _days(text: str, order: str | None, strict: bool) -> list[_Found]:
    """The dates of a text, and what looks like one but names no day (`read` is None)."""
    found: list[_Found] = []
    for may_stand, pattern, read in _FORMS:
        for match in pattern.finditer(text) if may_stand(text) else ():
            if any(match.start() < f.end and f.start < match.end() for f in found):
                continue
            day = read(match, order, strict)
            if day is not None:
                found.append(_Found(match.start(), match.end(), day))
    return found


def _numeric(match: re.Match[str], order: str | None, strict: bool) -> date | None:
    first, mark, second, third = match.groups()
    if len(first) == 4:
        return _day(first, second, third)
    if len(first) > 2 or len(third) not in (2, 4):
        return None
    if order == "ymd" and len(third) == 2:
        return _day(first, second, third)
    custom = ("mdy", "dmy") if mark == "/" else ("dmy", "mdy")
    for one in (order,) if order in ("dmy", "mdy") else custom:
        day, month = (first, second) if one == "dmy" else (second, first)
        if found := _day(third, month, day):
            return found
    return None


def _worded(year: int, month: int, day: int) -> Callable[[re.Match[str], str | None, bool], date | None]:
    """Reads a match whose groups of these numbers are the year, the month's name and the day."""

    def read(match: re.Match[str], order: str | None, strict: bool) -> date | None:
        number = MONTHS.get(match[month])
        written = match[year]
        # "2 Jan 26 comments" holds no year
        if number is None or (not strict and len(written) == 2 and match.string[match.start(year) - 1] not in "-/."):
            return None
        return _day(written, str(number), match[day])

    return read


def _day(year: str, month: str, day: str) -> date | None:
    digits = year.lstrip("'")
    number = int(digits)
    if len(digits) == 2:
        number += 1900 if number >= 69 else 2000
    try:
        return date(number, int(month), int(day))
    except ValueError:
        return None


def _has_clock(text: str) -> bool:
    return ":" in text or "h" in text


def _has_hour(text: str) -> bool:
    return "m" in text or "h" in text


def _has_dashes(text: str) -> bool:
    return text.count("-") > 1


def _is_foreign(text: str) -> bool:
    return not text.isascii()


def _has_marks(text: str) -> bool:
    return text.count("/") > 1 or text.count(".") > 1 or text.count("-") > 1


def _has_words(text: str) -> bool:
    """Whether letters may stand in a text in lower case."""
    return not text.isascii() or text.islower()


# A pattern is only tried on a text that has the signs without which it never matches: most texts hold one form.
_TIMES = ((_has_clock, _CLOCK), (_has_hour, _HOUR))
_FORMS: tuple[
    tuple[
        Callable[[str], bool],
        re.Pattern[str],
        Callable[[re.Match[str], str | None, bool], date | datetime | None],
    ],
    ...,
] = (
    (
        _has_dashes,
        re.compile(rf"(?<![\w-]){_ISO.pattern}(?![\w-])", re.IGNORECASE),
        lambda match, order, strict: _moment(match),
    ),
    (_is_foreign, _EAST, lambda match, order, strict: _day(match[1], match[2], match[3])),
    (_has_marks, _NUMERIC, _numeric),
    (_has_words, _DAY_FIRST, _worded(3, 2, 1)),
    (_has_words, _MONTH_FIRST, _worded(3, 1, 2)),
    (_has_words, _YEAR_FIRST, _worded(1, 2, 3)),
)
