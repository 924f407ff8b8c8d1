"""Numbers, amounts, durations and dates: the transforms that lead to a kind, from a whole text or a part of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from crawloop.model.kind import Field, Kind
from crawloop.strategy.shaping.marks import cuts
from crawloop.strategy.shaping.shape import Shape, Step, step
from crawloop.values import beside, has_currency

DATES = (Kind.DATE, Kind.DATETIME)
TYPED = (Kind.NUMBER, Kind.MONEY, Kind.DURATION, *DATES)
_FEW_WORDS = 4  # beside an amount; with more it is prose
ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
_BY_HAND = re.compile(r"\d{4}-\d{2}-\d{2} +[^\W\d]|[^\W\d] +\d{4}-\d{2}-\d{2}\b")  # with words
FIGURES = re.compile(r"(?<!\d)(?P<one>\d{1,2})(?P<mark>[./-])(?P<other>\d{1,2})(?P=mark)(?:\d{4}|\d{2})(?!\d)")


def conversions(field: Field, raw: Any = "") -> Iterator[tuple[Step, float]]:
    """The transforms that lead to the field's kind, with their costs, the cheapest first."""
    yield from amounts(field, raw if isinstance(raw, str) else "")
    if field.kind is Kind.NUMBER:
        yield step("number"), 0.05
        yield step("number", decimal=","), 0.15
        yield step("number", decimal="."), 0.12
    elif field.kind is Kind.DURATION:
        unit = field.unit or "minutes"
        yield (step("duration") if unit == "minutes" else step("duration", unit=unit)), 0.05
        yield step("number"), 0.3
    elif field.kind in DATES:
        yield from dated("date" if field.kind is Kind.DATE else "datetime", raw)


def amounts(field: Field, raw: str) -> Iterator[tuple[Step, float]]:
    """An amount that says what stands beside it in texts such as this: other words ("a month"), or another currency,
    make it another. A number beside a currency is one too."""
    if field.kind is not Kind.MONEY and not (field.kind is Kind.NUMBER and has_currency(raw)):
        return
    name, words = "cents" if field.unit == "cents" else "money", list(dict.fromkeys(beside(raw)))
    for named, cost in ({"beside": " ".join(words)}, 0.0), ({}, 0.05):
        if not named or 0 < len(words) <= _FEW_WORDS:
            yield step(name, **named), cost
            yield step(name, decimal=",", **named), cost + 0.1
            yield step(name, decimal=".", **named), cost + 0.07


def dated(name: str, raw: Any) -> Iterator[tuple[Step, float]]:
    """A date in figures is read by the order that its site writes: its value tells which, where it is not 05/05.

    One that was written by hand with its year in front may be written otherwise elsewhere, and tells no order.
    """
    figures = FIGURES.search(raw) if isinstance(raw, str) else None
    tells = figures is not None and int(figures["one"]) != int(figures["other"])
    if figures is None and isinstance(raw, str) and _BY_HAND.search(raw):
        yield step(name, order="either"), 0.05
    elif figures is None:
        yield step(name), 0.05
    elif not tells:
        yield step(name, order="either"), 0.1
    for order in ("mdy", "dmy") if figures and figures["mark"] == "/" else ("dmy", "mdy"):
        yield step(name, order=order), 0.1 if tells else 0.2
    yield step(name, order="ymd"), 0.3 if figures and len(figures[0]) > 8 else 0.2
    if figures is not None:
        yield step(name), 0.3


def of_kind(raw: Any, field: Field) -> Iterator[Shape]:
    if not isinstance(raw, bool):
        if isinstance(raw, int | float) or (field.kind in DATES and ISO.match(str(raw).strip())):
            yield Shape()
        for one, cost in conversions(field, raw):
            yield Shape((one,), cost)
        if isinstance(raw, str) and field.kind is Kind.NUMBER:
            yield Shape((step("number"), step("rounded", 2)), 0.3)
            yield Shape((step("number"), step("rounded", 1)), 0.35)
        elif isinstance(raw, float) and field.kind is Kind.NUMBER:
            yield Shape((step("rounded", 2),), 0.3)
            yield Shape((step("rounded", 1),), 0.35)


def parts_of_kind(raw: str, field: Field) -> Iterator[Shape]:
    """A number, date or duration that is a part of the text: after a word, before one, in brackets, by its place."""
    likely = 2 if field.kind in DATES and FIGURES.search(raw) else 1
    for cut, cost in cuts(raw):
        for one, more in list(conversions(field, raw))[:likely]:
            yield Shape((*cut, one), cost + more)
