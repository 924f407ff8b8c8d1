"""Numbers, amounts, durations and dates: the transforms that lead to a kind, from a whole text or a part of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from crawloop.model.kind import Field, Kind
from crawloop.strategy.marks import cuts
from crawloop.strategy.shape import Shape, Step, step

DATES = (Kind.DATE, Kind.DATETIME)
TYPED = (Kind.NUMBER, Kind.MONEY, Kind.DURATION, *DATES)
ISO = re.compile(r"\d{4}-\d{2}-\d{2}")


def conversions(field: Field) -> Iterator[tuple[Step, float]]:
    """The transforms that lead to the field's kind, with their costs."""
    if field.kind is Kind.NUMBER:
        yield step("number"), 0.05
        yield step("number", decimal=","), 0.15
        yield step("number", decimal="."), 0.12
    elif field.kind is Kind.MONEY:
        yield step("cents" if field.unit == "cents" else "money"), 0.05
        if field.unit != "cents":
            yield step("money", decimal=","), 0.15
            yield step("money", decimal="."), 0.12
    elif field.kind is Kind.DURATION:
        unit = field.unit or "minutes"
        yield (step("duration") if unit == "minutes" else step("duration", unit=unit)), 0.05
        yield step("number"), 0.3
    elif field.kind in DATES:
        name = "date" if field.kind is Kind.DATE else "datetime"
        yield step(name), 0.05
        for order in ("dmy", "mdy", "ymd"):
            yield step(name, order=order), 0.2


def of_kind(raw: Any, field: Field) -> Iterator[Shape]:
    if not isinstance(raw, bool):
        if isinstance(raw, int | float) or (field.kind in DATES and ISO.match(str(raw).strip())):
            yield Shape()
        for one, cost in conversions(field):
            yield Shape((one,), cost)
        if isinstance(raw, str) and field.kind is Kind.NUMBER:
            yield Shape((step("number"), step("rounded", 2)), 0.3)
            yield Shape((step("number"), step("rounded", 1)), 0.35)
        elif isinstance(raw, float) and field.kind is Kind.NUMBER:
            yield Shape((step("rounded", 2),), 0.3)
            yield Shape((step("rounded", 1),), 0.35)


def parts_of_kind(raw: str, field: Field) -> Iterator[Shape]:
    """A number, date or duration that is a part of the text: after a word, before one, in brackets, by its place."""
    for cut, cost in cuts(raw):
        for one, more in list(conversions(field))[:1]:
            yield Shape((*cut, one), cost + more)
