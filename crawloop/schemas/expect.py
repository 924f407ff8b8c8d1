"""What a field expects, in words for a person who wrote something else."""

from __future__ import annotations

from crawloop.model.kind import Field, Kind

_WORDS = {
    Kind.TEXT: ("a text", "texts"),
    Kind.NUMBER: ("a number", "numbers"),
    Kind.MONEY: ("an amount such as 12.5", "amounts such as 12.5"),
    Kind.DATE: ("a date such as 2026-01-31", "dates such as 2026-01-31"),
    Kind.DATETIME: ("a date or datetime such as 2026-01-31T12:00:00", "dates or datetimes such as 2026-01-31T12:00:00"),
    Kind.DURATION: ("a duration such as 90", "durations such as 90"),
    Kind.URL: ("a URL", "URLs"),
    Kind.BOOL: ("true or false", "booleans"),
    Kind.ENUM: ("one label", "labels"),
}
_MOST_CHOICES = 12
_SHOWN = 80


def expected(field: Field) -> str:
    """E.g. "a whole number", "one of: new, used", "a list of URLs"."""
    single, plural = _WORDS[field.kind]
    if field.integer and field.kind is Kind.NUMBER:
        single, plural = "a whole number", "whole numbers"
    if field.unit == "cents":
        single, plural = "cents as a whole number", "cents as whole numbers"
    elif field.unit:
        single, plural = f"{field.unit} as a number", f"{field.unit} as numbers"
    if field.kind is Kind.ENUM and field.choices:
        more = ", …" if len(field.choices) > _MOST_CHOICES else ""
        choices = ", ".join(field.choices[:_MOST_CHOICES]) + more
        single, plural = f"one of: {choices}", f"labels out of: {choices}"
    return f"a list of {plural}" if field.many else single


def shown(value: object) -> str:
    """A value for a message, cut where it is long."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
