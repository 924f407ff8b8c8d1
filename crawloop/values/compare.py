"""The one meaning of "the same value": canonical forms by kind, and equality of whole values."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from typing import Any

from crawloop.model.kind import Field, Kind
from crawloop.values.date import parse_date
from crawloop.values.duration import SECONDS, parse_duration
from crawloop.values.number import Number, has_currency, parse_number
from crawloop.values.text import fold
from crawloop.values.url import canonical_url

_TOLERANCE = 1e-6
_TRUE_WORDS = "true yes y 1 on ja oui si sì sí sim tak ano evet да kyllä"
_FALSE_WORDS = "false no n 0 off nein non nee nej nei não nie ne hayır нет ei"
_TRUE, _FALSE = (frozenset(words.split()) for words in (_TRUE_WORDS, _FALSE_WORDS))
_VISIBLE = re.compile(r"[0-9A-Za-z]")  # what starts with one needs no closer look
_JOINT = re.compile(r"[\W_]+")


def normalise(value: Any, field: Field, *, base: str = "") -> Any:
    """The comparable form of a value, or None where it is not of the field's kind.

    Folded text, number, ISO date (of a datetime field: ISO datetime), number in the field's unit, canonical URL, bool
    or enum choice. A field of many gives a list; a single value counts as a list of one. One element that is not of
    the kind makes the whole list None.
    """
    value = _plain(value, field)
    if not field.many:
        return None if isinstance(value, list | dict) else _one(value, field, base)
    items = value if isinstance(value, list) else [value]
    forms = [None if isinstance(item, list | dict) else _one(item, field, base) for item in items]
    return None if any(form is None for form in forms) else forms


def equal(a: Any, b: Any, field: Field, *, base: str = "") -> bool:
    """Whether two values are the same by the field's kind. Never because a part of them is.

    Two missing values are the same. Values that are both not of the kind are the same where their folded texts are.
    """
    if isinstance(a, str) and isinstance(b, str) and (a == b or (field.kind is Kind.TEXT and not field.many)):
        return a == b or fold(a) == fold(b)
    a, b = _plain(a, field), _plain(b, field)
    if is_blank(a) or is_blank(b):
        return is_blank(a) and is_blank(b)
    if not field.many:
        return _same(a, b, field, base)
    left, right = (v if isinstance(v, list) else [v] for v in (a, b))
    return len(left) == len(right) and all(_same(x, y, field, base) for x, y in zip(left, right, strict=True))


def is_blank(value: Any) -> bool:
    """Whether there is no value: None, an empty list, or a text without anything visible."""
    if isinstance(value, str):
        return not _VISIBLE.match(value) and not fold(value)
    return value is None or (isinstance(value, list | tuple) and not value)


def _plain(value: Any, field: Field) -> Any:
    """Python values that stand for JSON ones (dates, decimals, enum members, tuples) as those."""
    if value is None or (isinstance(value, str | int | float) and not isinstance(value, Enum)):
        return value
    if isinstance(value, list | tuple):
        return [_plain(item, field) for item in value]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds() / SECONDS.get(field.unit or "minutes", 60)
    return float(value) if isinstance(value, Decimal) else value


def _same(a: Any, b: Any, field: Field, base: str) -> bool:
    if isinstance(a, list | dict) or isinstance(b, list | dict):
        return False
    left, right = _one(a, field, base), _one(b, field, base)
    if left is None or right is None:
        return left is right and isinstance(a, str) and isinstance(b, str) and fold(a) == fold(b)
    if isinstance(left, int | float):
        return bool(left == right or abs(left - right) < _TOLERANCE)
    return _same_moment(left, right) if field.kind is Kind.DATETIME else bool(left == right)


def _same_moment(a: str, b: str) -> bool:
    """Same written day where one side has no time, same wall clock where one has no zone, else the same instant."""
    if a == b:
        return True
    if len(a) == 10 or len(b) == 10:
        return a[:10] == b[:10]
    one, other = datetime.fromisoformat(a), datetime.fromisoformat(b)
    if one.tzinfo is None or other.tzinfo is None:
        return one.replace(tzinfo=None) == other.replace(tzinfo=None)
    return one == other


def _one(value: Any, field: Field, base: str) -> Any:
    if value is None or (isinstance(value, float) and not abs(value) < 1e300):
        return None
    return _READERS[field.kind](value, field, base)


def _text(value: Any, field: Field, base: str) -> str | None:
    if isinstance(value, float) and value == int(value):
        value = int(value)
    return fold(value if isinstance(value, str) else str(value)) or None


def _number(value: Any, field: Field, base: str) -> Number | None:
    return parse_number(value, strict=True)


def _money(value: Any, field: Field, base: str) -> Number | None:
    size = parse_number(value, strict=True)
    if size is None or field.unit != "cents" or not isinstance(value, str):
        return size
    # a text with decimals or a currency is an amount; bare digits are minor units already
    return round(size * 100) if isinstance(size, float) or has_currency(value) else size


def _date(value: Any, field: Field, base: str) -> str | None:
    found = parse_date(value, strict=True)
    return found[:10] if found else None


def _datetime(value: Any, field: Field, base: str) -> str | None:
    return parse_date(value, strict=True)


def _duration(value: Any, field: Field, base: str) -> float | None:
    return parse_duration(value, field.unit or "minutes", strict=True)


def _url(value: Any, field: Field, base: str) -> str | None:
    return canonical_url(value, base) if isinstance(value, str) else None


def _bool(value: Any, field: Field, base: str) -> bool | None:
    if isinstance(value, bool):
        return value
    word = fold(str(value))
    return True if word in _TRUE else False if word in _FALSE else None


def _enum(value: Any, field: Field, base: str) -> str | None:
    label = fold(str(value))
    if not field.choices:
        return label or None
    return _labels(field.choices).get(label) or _joint_labels(field.choices).get(_joint(label))


def _joint(label: str) -> str:
    """A label without the signs that join its words; of a schema.org URL the last step."""
    if label.startswith(("http://schema.org/", "https://schema.org/")):
        label = label.rpartition("/")[2]
    return _JOINT.sub("", label)


@lru_cache(maxsize=256)
def _labels(choices: Sequence[str]) -> dict[str, str]:
    return {fold(choice): choice for choice in choices}


@lru_cache(maxsize=256)
def _joint_labels(choices: Sequence[str]) -> dict[str, str]:
    """Choices by their letters alone ("in_stock" is "In Stock"), where that keeps them apart."""
    keys = [_joint(fold(choice)) for choice in choices]
    return {key: choice for key, choice in zip(keys, choices, strict=True) if key and keys.count(key) == 1}


_READERS: dict[Kind, Callable[[Any, Field, str], Any]] = {
    Kind.TEXT: _text,
    Kind.NUMBER: _number,
    Kind.MONEY: _money,
    Kind.DATE: _date,
    Kind.DATETIME: _datetime,
    Kind.DURATION: _duration,
    Kind.URL: _url,
    Kind.BOOL: _bool,
    Kind.ENUM: _enum,
}
