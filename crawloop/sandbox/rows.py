"""What may come out: a list of records, each a dict of plain JSON values.

`plain` makes that in the job from whatever `extract` returned, reading builtin containers past any method that the
program put on them; `checked` looks again in the caller, who trusts nobody.
"""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import math
from collections.abc import Iterator
from itertools import islice
from typing import Any

MAX_ROWS = 10_000
MAX_DEPTH = 12
MAX_BITS = 63


class NotPlain(Exception):
    """The result is no list of records. The message says where, as in records[0]['price'], and what is wrong."""

    def __init__(self, told: str, place: str = "") -> None:
        self.told = told
        self.place = place
        super().__init__(f"{place} {told}".strip())

    def within(self, step: object) -> NotPlain:
        """The same, seen from one level further out. Places are put together only when something is wrong."""
        return NotPlain(self.told, f"[{step!r}]{self.place}")


def plain(result: Any) -> list[dict[str, Any]]:
    """Records as plain dicts. One dict is one record; a generator is read up to the limit. Raises NotPlain."""
    if isinstance(result, dict) or _fields(result) is not None:
        rows: list[Any] = [result]
    elif isinstance(result, (list, tuple, Iterator)):
        rows = _items(result, "records, the most that one page may have")
    else:
        raise NotPlain(f"extract returned {_label(result)}, not a list of records")
    made = []
    for index, row in enumerate(rows):
        try:
            made.append(_record(row))
        except NotPlain as problem:
            raise NotPlain(problem.told, f"records[{index}]{problem.place}") from None
    return made


def _record(row: Any) -> dict[str, Any]:
    if type(row) is dict and _is_simple(row):
        return row
    fields = row if isinstance(row, dict) else _fields(row)
    if fields is None:
        raise NotPlain(f"is {_label(row)}, not a dict")
    return _mapping(fields, 1)


def _is_simple(row: dict[Any, Any]) -> bool:
    """Whether a record is all plain text, numbers with decimals and gaps, as most are: then it is what it is."""
    for name, value in row.items():
        kind = type(value)
        if type(name) is not str or not name.isascii():
            return False
        if not (value.isascii() if kind is str else math.isfinite(value) if kind is float else value is None):
            return False
    return True


def _items(values: Any, what: str = "values, the most that one list may have") -> list[Any]:
    if isinstance(values, list):
        values = list.__iter__(values)
    elif isinstance(values, tuple):
        values = tuple.__iter__(values)
    found = list(islice(values, MAX_ROWS + 1))
    if len(found) > MAX_ROWS:
        raise NotPlain(f"more than {MAX_ROWS:,} {what}")
    return found


def _fields(value: Any) -> dict[str, Any] | None:
    """A dataclass or named tuple as a dict; None for anything else."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name, None) for field in dataclasses.fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return dict(zip(value._fields, tuple.__iter__(value), strict=False))
    return None


def _mapping(fields: dict[Any, Any], depth: int) -> dict[str, Any]:
    if depth > MAX_DEPTH:
        raise NotPlain(f"is nested deeper than {MAX_DEPTH} levels")
    made = {}
    for key, value in dict.items(fields):
        name = key if type(key) is str and key.isascii() else _name(key, depth)
        if type(value) is str and value.isascii():
            made[name] = value
            continue
        try:
            made[name] = _value(value, depth + 1)
        except NotPlain as problem:
            raise problem.within(name) from None
    return made


def _name(key: Any, depth: int) -> str:
    if isinstance(key, str):
        return _text(key)
    if key is None or isinstance(key, (int, float)):
        return repr(_value(key, depth))
    raise NotPlain(f"has a key that is {_label(key)}, not text")


def _listing(values: Any, depth: int) -> list[Any]:
    if depth > MAX_DEPTH:
        raise NotPlain(f"is nested deeper than {MAX_DEPTH} levels")
    made = []
    for index, value in enumerate(_items(values)):
        try:
            made.append(_value(value, depth + 1))
        except NotPlain as problem:
            raise problem.within(index) from None
    return made


def _value(value: Any, depth: int) -> Any:
    if value is None or value is True or value is False:
        return value
    if type(value) is str:
        return _text(value)
    if type(value) is float or type(value) is int:
        return _number(value)
    if isinstance(value, enum.Enum):
        value = value.value
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, (int, float, decimal.Decimal)):
        return _number(value)
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    fields = value if isinstance(value, dict) else _fields(value)
    if fields is not None:
        return _mapping(fields, depth)
    if isinstance(value, (set, frozenset)):
        value = sorted(value, key=repr)
    if isinstance(value, (list, tuple, Iterator)):
        return _listing(value, depth)
    raise NotPlain(f"is {_label(value)}: neither text, number, bool, None, date nor a list or dict of those")


def _text(value: str) -> str:
    text = value if type(value) is str else str.__str__(value)
    return text if not _lone_surrogate(text) else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _lone_surrogate(text: str) -> bool:
    if text.isascii():
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _number(value: int | float | decimal.Decimal) -> int | float:
    if isinstance(value, int):
        whole = int.__int__(value)
        if whole.bit_length() > MAX_BITS:
            raise NotPlain(f"is an integer of more than {MAX_BITS} bits")
        return whole
    number = float(value) if isinstance(value, decimal.Decimal) else float.__float__(value)
    if not math.isfinite(number):
        raise NotPlain(f"is {number}, which is no number")
    return number


def _label(value: Any) -> str:
    return "None" if value is None else f"a {type(value).__name__}"


def checked(rows: Any) -> tuple[dict[str, Any], ...]:
    """The same rows, when they are what `plain` makes. Raises NotPlain."""
    if type(rows) is not list or len(rows) > MAX_ROWS:
        raise NotPlain("the result is no list of records")
    for row in rows:
        if type(row) is not dict:
            raise NotPlain("a record is not a dict")
        if not _is_simple(row):
            _check(row, 1)
    return tuple(rows)


def _check(value: Any, depth: int) -> None:
    if depth > MAX_DEPTH + 1:
        raise NotPlain(f"a record is nested deeper than {MAX_DEPTH} levels")
    kind = type(value)
    if kind is dict:
        for key, item in value.items():
            if type(key) is not str:
                raise NotPlain("a key that is not text")
            if not key.isascii():
                _check(key, depth)
            if depth > MAX_DEPTH or type(item) is not str or not item.isascii():
                _check(item, depth + 1)
    elif kind is list:
        for item in value:
            _check(item, depth + 1)
    elif kind is str:
        if _lone_surrogate(value):
            raise NotPlain("text with a lone surrogate")
    elif kind is int:
        if value.bit_length() > MAX_BITS:
            raise NotPlain("an integer too large")
    elif kind is float:
        if not math.isfinite(value):
            raise NotPlain("a number that is not finite")
    elif kind is not bool and value is not None:
        raise NotPlain("a value that is not plain JSON")
