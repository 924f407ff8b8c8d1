"""The vocabulary of generated programs, as far as it gives numbers, amounts, dates and durations (see `transforms`)."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from crawloop import values
from crawloop.extract.vocabulary.plain import each

_EPOCHS = (100_000_000, 100_000_000_000_000)
_EPOCH = re.compile(r"[1-9]\d{9}(?:\d{3})?", re.ASCII)
# Of a product, so that no traces of binary fractions are left.
_SCALED_DECIMALS = 9


@each
def number(value: Any, decimal: str | None = None) -> int | float | None:
    """The only number in a text; `decimal` is "." or "," where the site always uses that one."""
    return values.parse_number(value, decimal=decimal)


@each
def money(value: Any, decimal: str | None = None, beside: str | None = None) -> int | float | None:
    """The only amount in a text, in whole units; None where words or currencies stand with it that `beside` lacks."""
    return values.parse_money(value, decimal=decimal) if _stands_beside(value, beside) else None


@each
def cents(value: Any, decimal: str | None = None, beside: str | None = None) -> int | None:
    """The only amount in a text, in cents; `beside` as for money."""
    amount = money(value, decimal, beside)
    if amount is None or not abs(amount) < 1e15:
        return None
    return int(Decimal(str(amount)).scaleb(2).to_integral_value(ROUND_HALF_UP))


@each
def rounded(value: Any, digits: int = 0) -> int | float | None:
    """A number rounded to that many digits; 0 gives a whole number."""
    if isinstance(value, bool | str):
        return None
    result: int | float = round(value, digits) if digits else round(value)
    return result


@each
def scaled(value: Any, factor: float) -> int | float | None:
    """The only number in a text, times a factor: 0.01 for an amount in cents, 60 for hours in minutes."""
    found = value if isinstance(value, int | float) else values.parse_number(value)
    if found is None or isinstance(found, bool):
        return None
    try:
        product = round(float(found) * factor, _SCALED_DECIMALS)
        return int(product) if product == int(product) else product
    except (OverflowError, ValueError):  # too large for a float, infinite, or no number at all
        return None


@each
def date(value: Any, order: str | None = None) -> str | None:
    """The day in a text as an ISO date; `order` "dmy", "mdy" or "ymd" for figures, "either": None where they differ."""
    found = _moment(value, order)
    return found[:10] if found else None


@each
def datetime(value: Any, order: str | None = None) -> str | None:
    """The day, with the time where there is one, in ISO form; also of seconds or milliseconds since 1970."""
    return _moment(value, order)


def _moment(value: Any, order: str | None) -> str | None:
    if isinstance(value, str) and not _EPOCH.fullmatch(value):
        if order == "either":
            readings = values.date_readings(value)
            return readings[0][1] if len(readings) == 1 else None
        return values.parse_date(value, order=order)
    return values.parse_epoch(value) if isinstance(value, str) or _EPOCHS[0] <= value < _EPOCHS[1] else None


@each
def duration(value: Any, unit: str = "minutes") -> int | float | None:
    """How long, in the unit: ISO 8601 ("PT1H30M") or in words ("1 hr 30 min")."""
    return values.parse_duration(value, unit)


def _stands_beside(value: Any, words: str | None) -> bool:
    return words is None or not isinstance(value, str) or set(values.beside(value)) <= set(values.beside(words))
