"""The vocabulary of generated programs: small functions over what a page says.

Each takes the value first. None stays None; what cannot be done gives None, never an exception. A function about one
value maps over a list and leaves out elements that came to nothing; a function about a list says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import wraps
from inspect import cleandoc, signature
from typing import Any, TypeVar

from crawloop import values

__all__ = [
    "after",
    "agreed",
    "at",
    "before",
    "cents",
    "clean",
    "date",
    "datetime",
    "duration",
    "first",
    "join",
    "labels",
    "lower",
    "match",
    "money",
    "number",
    "prefix",
    "present",
    "rounded",
    "split",
    "strip_prefix",
    "strip_suffix",
    "suffix",
    "unique",
    "upper",
]

LONGEST_PATTERN = 200
LONGEST_TEXT = 20_000

# A repeated group that repeats inside itself, as in (a+)+, takes exponential time on a text that nearly matches.
_RUNS_AWAY = re.compile(r"\((?:[^()\\]|\\.)*(?:[+*]|\{\d+,\d*\})(?:[^()\\]|\\.)*\)(?:[+*]|\{\d+,\d*\})")

Each = TypeVar("Each", bound=Callable[..., Any])


def _each(function: Each) -> Each:
    """Makes a function of one value map over lists and pass None by."""

    @wraps(function)
    def mapped(value: Any, *args: Any, **named: Any) -> Any:
        if value is None:
            return None
        if isinstance(value, list | tuple):
            found = (mapped(one, *args, **named) for one in value)
            return [one for one in found if one is not None]
        return function(value, *args, **named)

    return mapped  # type: ignore[return-value]


@_each
def number(value: Any, decimal: str | None = None) -> int | float | None:
    """The only number in a text; `decimal` is "." or "," where the site always uses that one."""
    return values.parse_number(value, decimal=decimal)


@_each
def money(value: Any, decimal: str | None = None) -> int | float | None:
    """The only amount in a text, in whole units of its currency."""
    return values.parse_money(value, decimal=decimal)


@_each
def cents(value: Any, decimal: str | None = None) -> int | None:
    """The only amount in a text, in cents."""
    amount = values.parse_money(value, decimal=decimal)
    return None if amount is None else round(amount * 100)


@_each
def rounded(value: Any, digits: int = 0) -> int | float | None:
    """A number rounded to that many digits; 0 gives a whole number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return round(value, digits) if digits else round(value)


@_each
def date(value: Any, order: str | None = None) -> str | None:
    """The day in a text as an ISO date; `order` is "dmy", "mdy" or "ymd" where the site writes figures only."""
    found = values.parse_date(value, order=order)
    return found[:10] if found else None


@_each
def datetime(value: Any, order: str | None = None) -> str | None:
    """The day, with the time where there is one, in ISO form."""
    return values.parse_date(value, order=order)


@_each
def duration(value: Any, unit: str = "minutes") -> int | float | None:
    """How long, in the unit: ISO 8601 ("PT1H30M") or in words ("1 hr 30 min")."""
    return values.parse_duration(value, unit)


@_each
def clean(value: Any) -> str | None:
    """The text without tags and entities, its white space collapsed."""
    return values.clean(str(value)) or None


@_each
def lower(value: Any) -> str:
    """The text in lower case."""
    return str(value).lower()


@_each
def upper(value: Any) -> str:
    """The text in upper case."""
    return str(value).upper()


@_each
def after(value: Any, mark: str) -> str | None:
    """What follows the first `mark`; None without one."""
    _, found, rest = str(value).partition(mark) if mark else ("", "", "")
    return (rest.strip() or None) if found else None


@_each
def before(value: Any, mark: str) -> str | None:
    """What stands before the first `mark`; None without one."""
    text, found, _ = str(value).partition(mark) if mark else ("", "", "")
    return (text.strip() or None) if found else None


@_each
def prefix(value: Any, text: str) -> str:
    """`text` and then the value."""
    return f"{text}{value}"


@_each
def suffix(value: Any, text: str) -> str:
    """The value and then `text`."""
    return f"{value}{text}"


@_each
def strip_prefix(value: Any, text: str) -> str | None:
    """The value without `text` at its start, where it is there; case does not count."""
    whole, head = str(value).strip(), text.strip()
    rest = whole[len(head) :] if whole.casefold().startswith(head.casefold()) else whole
    return rest.strip() or None


@_each
def strip_suffix(value: Any, text: str) -> str | None:
    """The value without `text` at its end, where it is there; case does not count."""
    whole, tail = str(value).strip(), text.strip()
    rest = whole[: -len(tail)] if tail and whole.casefold().endswith(tail.casefold()) else whole
    return rest.strip() or None


@_each
def match(value: Any, pattern: str, group: int = 1) -> str | None:
    """That group of the first match of a regular expression; None without one, or for a pattern that can run away."""
    if len(pattern) > LONGEST_PATTERN or _RUNS_AWAY.search(pattern):
        return None
    try:
        found = re.search(pattern, str(value)[:LONGEST_TEXT])
        return found[group] if found else None
    except (re.error, IndexError):
        return None


@_each
def labels(value: Any, table: Mapping[str, Any]) -> Any:
    """What the table says of the whole label, whatever its case and spacing; None for a label that is not in it."""
    wanted = values.fold(str(value))
    return next((said for label, said in table.items() if values.fold(label) == wanted), None)


def present(value: Any) -> bool:
    """Whether there is a value at all."""
    return not _is_empty(value)


def split(value: Any, separator: str) -> list[str] | None:
    """The parts of a text between separators, without empty ones; of a list, the parts of all its elements."""
    if value is None:
        return None
    texts = value if isinstance(value, list | tuple) else [value]
    if not separator:
        return [str(one) for one in texts]
    parts = (part.strip() for one in texts if one is not None for part in str(one).split(separator))
    return [part for part in parts if part]


def join(value: Any, separator: str) -> str | None:
    """The elements of a list as one text; a value that is no list stays as it is."""
    if not isinstance(value, list | tuple):
        return value  # type: ignore[no-any-return]
    return separator.join(str(one) for one in value if one is not None) or None


def at(value: Any, index: int) -> Any:
    """That element of a list, counted from 0, or from the end with -1; None where there is none."""
    if not isinstance(value, list | tuple):
        return value if index in (0, -1) else None
    return value[index] if -len(value) <= index < len(value) else None


def unique(value: Any) -> Any:
    """A list without repeated elements, in their first order."""
    if not isinstance(value, list | tuple):
        return value
    kept: dict[str, Any] = {}
    for one in value:
        kept.setdefault(repr(one), one)
    return list(kept.values())


def first(*readings: Any) -> Any:
    """The first reading that is not empty."""
    return next((one for one in readings if not _is_empty(one)), None)


def agreed(*readings: Any) -> Any:
    """The reading that more than half of those that are not empty agree on; None where they do not."""
    said = [one for one in readings if not _is_empty(one)]
    if not said:
        return None
    form, votes = Counter(map(_form, said)).most_common(1)[0]
    return next(one for one in said if _form(one) == form) if votes * 2 > len(said) else None


def reference() -> str:
    """The vocabulary as text, a line for each function, as models and people are shown it."""
    lines = []
    for name in __all__:
        function = globals()[name]
        shown = str(signature(function, eval_str=False)).partition(" ->")[0].replace("'", "")
        lines.append(f"{name}{shown}: {cleandoc(function.__doc__ or '')}")
    return "\n".join(lines)


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str | list | tuple | dict) and not value)


def _form(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "\n".join(map(_form, value))
    return values.fold(value) if isinstance(value, str) else repr(value)
