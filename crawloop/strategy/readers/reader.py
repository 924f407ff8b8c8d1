"""One way to read a field, and what it takes to make one: a reading of this page, shaped to the wanted value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from math import inf
from typing import Any, TypeGuard

from crawloop.carriers.index import Place
from crawloop.extract.reading import Expression, Read
from crawloop.model.kind import Field, Kind
from crawloop.strategy.readers.lens import Lens
from crawloop.strategy.shaping.chains import shapes
from crawloop.strategy.shaping.shape import Shape, loosely

MOST_PLACES = 10
ENOUGH = 6
TRIED = 60
_TELLTALE = 4
_GLUED = 0.4  # what it costs that line breaks part no words


@dataclass(frozen=True, slots=True)
class Reader:
    """One way to read a field; low `cost` is likely.

    `carrier` is "json", "meta", "attribute", "label", "guess" (a text that serves as a label), "text" or "beside"
    (what stands beside another field's value).
    """

    expression: Expression
    cost: float
    carrier: str

    def dearer(self, by: float) -> Reader:
        """The same way to read, at a higher cost."""
        return Reader(self.expression, self.cost + by, self.carrier)


Make = Callable[[Lens, Place, Any, Field], Iterator[Reader]]


def once(make: Make, lens: Lens, place: Place, value: Any, field: Field) -> tuple[Reader, ...]:
    """The readers that `make` finds at a place of the page; strategies that look at the same carrier share them."""
    key = make, place, repr(value), field
    if key not in lens.gathered:
        lens.gathered[key] = tuple(make(lens, place, value, field))
    return lens.gathered[key]


def cheapest(found: Iterator[tuple[str, float]], value: Any, most: int = TRIED) -> list[tuple[str, float]]:
    """The likeliest selectors; those that name the value itself fit this page only."""
    costs: dict[str, float] = {}
    for css, cost in found:
        if cost < costs.get(css, inf):
            costs[css] = cost
    ranked = sorted(costs.items(), key=lambda one: one[1])
    own = loosely(str(value[0] if isinstance(value, list) else value))[:24]
    fit = ranked if len(own) < _TELLTALE else (one for one in ranked if own not in loosely(one[0]))
    return list(islice(fit, most))


def shaped(lens: Lens, read: Expression, value: Any, field: Field, cost: float, carrier: str) -> Iterator[Reader]:
    raw = lens.read(read)
    if raw is None or isinstance(raw, dict) or raw == []:
        return
    found = _shapes(lens, raw, value, field)
    if not found and field.kind is Kind.TEXT and _is_broken(read, raw, value):
        read, cost = replace(read, glued=True), cost + _GLUED
        found = _shapes(lens, lens.read(read), value, field)
    for shape in found:
        yield Reader(shape.on(read), cost + shape.cost, carrier)


def _is_broken(read: Expression, raw: Any, value: Any) -> TypeGuard[Read]:
    """Whether the texts of several elements are the wanted ones but for spaces: programs often drop breaks of lines."""
    if not (isinstance(read, Read) and read.method == "texts" and isinstance(value, list) and isinstance(raw, list)):
        return False
    return 1 < len(raw) == len(value) and all(
        loosely(str(one)) == loosely(str(two)) for one, two in zip(raw, value, strict=True)
    )


def _shapes(lens: Lens, raw: Any, value: Any, field: Field) -> list[Shape]:
    if field.kind is not Kind.URL and not _may_hold(raw, value):
        return []
    key = _short(raw), _short(value), field.name
    if key not in lens.shapes:
        lens.shapes[key] = shapes(raw, value, field, lens.url)
    return lens.shapes[key]


def _short(one: Any) -> str | int:
    """A value as a key."""
    return one if isinstance(one, str) else hash(repr(one))


def _may_hold(raw: Any, value: Any) -> bool:
    """A cheap look before shapes are tried: whether the letters and digits of the value are there at all."""
    if isinstance(raw, str) and isinstance(value, str):
        return _holds(raw, value)
    if isinstance(raw, bool) or not isinstance(raw, str | list):
        return True
    if isinstance(value, str) and isinstance(raw, list):
        whole = loosely(value)
        return all(loosely(one) in whole for one in raw if isinstance(one, str))
    if isinstance(value, list) and isinstance(raw, list):
        if len(raw) != len(value) and len(set(map(str, raw))) != len(value):
            return False
        return not isinstance(value[0], str) or _holds(str(raw[0]), value[0])
    wanted = "".join(map(str, value)) if isinstance(value, list) else value
    there = "".join(map(str, raw)) if isinstance(raw, list) else raw
    if not isinstance(wanted, str):
        return len(there) <= 300 or re.search(r"\d", there[:300]) is not None
    return _holds(there, wanted)


def _holds(raw: str, value: str) -> bool:
    return loosely(value) in loosely(raw) or (len(value) <= 40 and re.search(r"\d", value) is not None)
