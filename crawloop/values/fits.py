"""Whether a value looks like those that a field has had, and whether a crawl looks like the ones before.

Only what is clearly foreign is a problem, never a value that is merely new. The fewer values a profile has seen, the
wider it tolerates, and wider again where the field is volatile.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from crawloop.model.kind import Field, Kind
from crawloop.values.compare import is_blank
from crawloop.values.profile import (
    decimals_of,
    digits_in,
    is_capitals,
    is_enumeration,
    link_parts,
    looks_like_code,
    single,
    size_of,
)
from crawloop.values.profile import profile as profile_of

_MANY_SEEN = 10
_SOME_SEEN = 3
_LONG = 80
_PROSE = 500
_SOME_WORDS = 3
_ENDLESS = 5  # decimals of a mean that nobody rounded
# Days that stand for "no date" where a zero was taken for one.
_NO_DAYS = ("0001-01-01", "1899-12-30", "1900-01-01", "1969-12-31", "1970-01-01")
_CODE = "looks like markup, a placeholder or code"
_NAMES = {
    Kind.NUMBER: "number",
    Kind.MONEY: "amount",
    Kind.DATE: "date",
    Kind.DATETIME: "date",
    Kind.DURATION: "duration",
    Kind.URL: "URL",
    Kind.BOOL: "true or false",
    Kind.ENUM: "known label",
}


# How far below and above the span of a profile a value strays. Amounts and the names of sections do
# not count: where pages come by price or by section, half of them are beyond all that was seen.
_ROOM: dict[str, tuple[Callable[[float], float], Callable[[float], float]]] = {
    "items": (lambda least: least / 2, lambda most: most * 2),
    "length": (lambda least: least / 2, lambda most: most * 2),
    "digits": (lambda least: least - 0.2, lambda most: most + 0.2),
    "depth": (lambda least: least - 1, lambda most: most + 1),
}


def fits(value: Any, profile: dict[str, Any], field: Field) -> str | None:
    """What is clearly foreign about a value, or None. A missing value is never foreign: see `departs` for those."""
    if is_blank(value) or not profile.get("count") or not profile.get("fill"):
        return None
    if not isinstance(value, list):
        return _foreign(value, profile, field)
    most = profile.get("items", [0, 1])[1]
    if len(value) > (most + 5) * _tolerance(profile, field) * 2:
        return f"has {len(value)} items: {most} were the most"
    problems = [problem for item in value if (problem := _foreign(item, profile, field))]
    if _CODE in problems:  # one such item is enough: no list is half a template
        return _CODE
    if (heading := _heading(value, profile)) is not None:
        return f"holds a heading, {heading!r}: none did before"
    if not profile.get("lists", True) and any(isinstance(item, str) and is_enumeration(item) for item in value):
        return "holds a whole list in one element: none did before"
    return problems[0] if len(problems) * 2 > len(value) else None


def _heading(items: list[Any], profile: dict[str, Any]) -> str | None:
    """The first element in capitals among texts of several words, where no list had one."""
    shouted = [item for item in items if isinstance(item, str) and is_capitals(item)]
    said = [item for item in items if isinstance(item, str) and not is_capitals(item)]
    if profile.get("capitals", True) or len(shouted) >= len(said) or profile.get("items", [0, 0])[1] < _SOME_SEEN:
        return None
    is_prose = 2 * sum(len(item.split()) >= _SOME_WORDS for item in said) > len(said)
    return shouted[0] if shouted and is_prose else None


def strays(value: Any, profile: dict[str, Any], field: Field) -> bool:
    """Whether a value lies well outside of all that a profile has seen. A right one may: only their share tells."""
    now = profile_of([value], field)
    beyond = (
        now[key][0] < shrink(profile[key][0]) or now[key][1] > stretch(profile[key][1])
        for key, (shrink, stretch) in _ROOM.items()
        if now.get(key) and profile.get(key)
    )
    unseen = (
        not set(now[key]) <= set(profile[key]) for key in ("hosts", "endings") if now.get(key) and profile.get(key)
    )
    return now["odd"] > profile["odd"] or any(beyond) or any(unseen)


def departs(now: dict[str, Any], before: dict[str, Any], field: Field) -> str | None:
    """What is clearly wrong with all values of a crawl (or of a long page) beside those before, or None.

    Both are profiles: a field that is no longer filled, or that says the same in every record.
    """
    if before.get("count", 0) < _SOME_SEEN or now.get("count", 0) < _SOME_SEEN:
        return None
    if now["fill"] == 0 and before["fill"] >= 0.5 and before["fill"] * now["count"] >= 3:
        return f"is never filled in {now['count']} records: it was in {before['fill']:.0%}"
    if (
        now["count"] >= _MANY_SEEN
        and before["count"] >= _MANY_SEEN
        and before["fill"] >= 0.5
        and now["fill"] < before["fill"] / 4
    ):
        return f"is filled in {now['fill']:.0%}: it was in {before['fill']:.0%}"
    values = now["fill"] * now["count"]
    if values >= 5 and now["distinct"] * values < 1.5 and before["distinct"] >= 0.5 and before["count"] >= 5:
        return f"is the same in all {values:.0f} records: {before['distinct']:.0%} were distinct"
    if now["odd"] >= 0.5 and before["odd"] <= 0.1:
        return f"is no {_NAMES.get(field.kind, 'text')} in {now['odd']:.0%} of the records"
    if values >= _SOME_SEEN and _lost_its_letters(now, before):
        return f"is only figures in all {values:.0f} records: each had letters before"
    return None


def _lost_its_letters(now: dict[str, Any], before: dict[str, Any]) -> bool:
    """Whether a text has become figures in every record, such as titles that are read from the column of prices."""
    if "digits" not in now or "digits" not in before or _seen(before) < _SOME_SEEN:
        return False
    return bool(now["digits"][0] == 1 and before["digits"][1] <= 0.5)


def _tolerance(profile: dict[str, Any], field: Field) -> int:
    return (1 if _seen(profile) >= _MANY_SEEN else 2) * (2 if field.volatile else 1)


def _seen(profile: dict[str, Any]) -> float:
    return float(profile["count"] * profile["fill"])


def _foreign(item: Any, profile: dict[str, Any], field: Field) -> str | None:
    form = single(item, field)
    if form is None:
        return None if profile["odd"] or is_blank(item) else f"is no {_NAMES.get(field.kind, 'text')}"
    rule = _RULES.get(field.kind)
    return rule(form, item, profile, field) if rule else None


def _text(form: str, item: Any, profile: dict[str, Any], field: Field) -> str | None:
    if "length" not in profile:
        return None
    (shortest, longest), wide = profile["length"], _tolerance(profile, field)
    stretch = 4 if longest < _LONG else 12 if longest < _PROSE else 50
    stub = shortest >= _LONG and len(form) * 10 * wide < shortest and _seen(profile) >= _SOME_SEEN
    if stub or len(form) > max(longest * stretch * wide, longest + _LONG * wide):
        return f"is {len(form)} characters long: {shortest} to {longest} are usual"
    if not profile["code"] and looks_like_code(str(item)):
        return _CODE
    if len(form) < shortest and not any(map(str.isalnum, form)):
        return "is nothing but signs"
    if _seen(profile) >= _SOME_SEEN and profile["digits"][0] == 1 and digits_in(form) < 0.2:
        return "has letters where there were only figures"
    return None


def _number(form: float, item: Any, profile: dict[str, Any], field: Field) -> str | None:
    measured = field.kind is not Kind.NUMBER or field.unit is not None
    if form < 0 and measured and not profile.get("negative", True):
        return "is negative: none was before"
    decimals, most = decimals_of(form), profile.get("decimals", _ENDLESS)
    if field.kind is Kind.NUMBER and decimals >= _ENDLESS > most + 2:
        return f"has {decimals} decimals: {most} were the most"
    if not form or not profile.get("size"):
        return None
    (least, most), size = profile["size"], size_of(form)
    decades = 1 + _tolerance(profile, field)
    if least - decades <= size <= most + decades:
        return None
    return f"is far from the usual: {10**least:.6g} to {10**most:.6g}"


def _date(form: str, item: Any, profile: dict[str, Any], field: Field) -> str | None:
    if "days" not in profile or _seen(profile) < _SOME_SEEN:
        return None
    first, last = (date.fromisoformat(day) for day in profile["days"])
    years = 5 if form[:10] in _NO_DAYS else 60 * _tolerance(profile, field)
    slack = max(timedelta(days=365 * years), 3 * (last - first))
    day = date.fromisoformat(form[:10])
    if first - day > slack or day - last > slack:
        return f"is far from the usual: {first} to {last}"
    return None


def _url(form: str, item: Any, profile: dict[str, Any], field: Field) -> str | None:
    if looks_like_code(str(item)):
        return _CODE
    if "depth" not in profile or _seen(profile) < _SOME_SEEN:
        return None
    host, head, depth, ending = link_parts(form)
    if depth == 0 and profile["depth"][0] > 0 and "?" not in form:
        return "is the front page of a site: none was before"
    new = [
        profile[key] is not None and part not in profile[key]
        for key, part in (("hosts", host), ("heads", head), ("endings", ending))
    ]
    if not host or "" in (profile["hosts"] or ()):
        return None  # relative links among them tell nothing
    off = depth < profile["depth"][0] - 1 or depth > profile["depth"][1] + 1
    known = ", ".join(profile["hosts"] or ())
    return f"is a link of another sort than those to {known}" if all(new) and off and not field.volatile else None


_RULES: dict[Kind, Callable[[Any, Any, dict[str, Any], Field], str | None]] = {
    Kind.TEXT: _text,
    Kind.NUMBER: _number,
    Kind.MONEY: _number,
    Kind.DURATION: _number,
    Kind.DATE: _date,
    Kind.DATETIME: _date,
    Kind.URL: _url,
}
