"""Values that stand side by side with another field's: the text is cut at what that field reads on the same page.

"Class Menu"            →  "Class"      before " " and the name that page.text("b.name") reads
"shop.cart.Menu class"  →  "shop.cart"  before "." and that name
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from crawloop.extract.reading import Apply, Expression, Read
from crawloop.model.kind import Field, Kind
from crawloop.strategy.readers.lens import Lens
from crawloop.strategy.readers.reader import ENOUGH, MOST_PLACES, Reader, cheapest, shaped
from crawloop.strategy.readers.scalars import SPARE, some
from crawloop.strategy.readers.selectors import selectors

BESIDE = "beside"  # the carrier
_WORDS = (Kind.TEXT, Kind.ENUM)
_LONGEST = 80
_BETWEEN = r"([^\w<>]{0,3})"
_OTHER_CASE = 0.3


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Another field's value on this page, and how it is read."""

    value: str
    read: Expression


def neighbours(values: Mapping[str, Any], readers: Mapping[str, Expression], field: Field) -> list[Neighbour]:
    """The fields whose values may stand beside this one's."""
    return [
        Neighbour(value, readers[name])
        for name, value in values.items()
        if name != field.name and name in readers and isinstance(value, str) and 1 < len(value) <= _LONGEST
    ]


def beside(lens: Lens, value: Any, field: Field, others: Sequence[Neighbour]) -> Iterator[Reader]:
    """Readers of a text that stands before or after a neighbour's value."""
    if field.kind not in _WORDS or field.many or not isinstance(value, str) or not 1 < len(value) <= _LONGEST:
        return
    alone = any(one.whole and one.carrier == "text" for one in lens.index.places_of_text(value))
    spare = SPARE if alone else 0.0
    for other in others:
        for together, transform in ((f"{value} {other.value}", "before"), (f"{other.value} {value}", "after")):
            for read, cost in _reads(lens, together, field, value):
                if (cut := _cut(lens, read, value, other, transform)) is not None:
                    other_case = 0.0 if value in str(lens.read(cut)) else _OTHER_CASE
                    yield from shaped(lens, cut, value, field, cost + other_case + spare, BESIDE)


def _reads(lens: Lens, together: str, field: Field, value: str) -> Iterator[tuple[Read, float]]:
    """Readings of the texts and attributes in which both stand."""
    places = lens.index.places_of_text(together)
    for place in [*some(places, "text", MOST_PLACES), *some(places, "attribute", MOST_PLACES)]:
        found = cheapest(selectors(lens.index.dom, place.owner, field), value)
        for css, cost in found[:ENOUGH]:
            if place.carrier == "text":
                yield Read("text", (css,)), 0.5 + cost
            else:
                yield Read("attr", (css, place.name)), 0.6 + cost


def _cut(lens: Lens, read: Read, value: str, other: Neighbour, transform: str) -> Apply | None:
    """The reading cut where the neighbour's value starts or ends, with the signs between the two."""
    raw = lens.read(read)
    if not isinstance(raw, str):
        return None
    first, last = (value, other.value) if transform == "before" else (other.value, value)
    found = re.search(re.escape(first) + _BETWEEN + re.escape(last), raw, re.I)
    if found is None or not found[1]:
        return None
    mark = Apply("prefix" if transform == "before" else "suffix", (other.read,), (found[1],))
    return Apply(transform, (read, mark))
