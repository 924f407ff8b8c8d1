"""Lines of an element, counted: the second line of a block that <br> breaks, where no label and no element tells it.

A place that is the same from both ends must be so on every page: where a line came or went nobody knows which.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crawloop.carriers.index import Place
from crawloop.extract.reading import Apply, Read
from crawloop.model.kind import Field, Kind
from crawloop.strategy.lens import Lens
from crawloop.strategy.reader import Reader, cheapest
from crawloop.strategy.selectors import selectors
from crawloop.strategy.shape import same

COUNTED = "counted"  # the carrier
_MOST_LINES = 12
_ENOUGH = 3
_BY_PLACE = 0.8
_FROM_ONE_END = 0.2


def counted(lens: Lens, place: Place, value: Any, field: Field) -> Iterator[Reader]:
    """Readers of the one line that is the value, by its place from both ends of the element, or from one."""
    if field.kind is not Kind.TEXT or place.whole:
        return
    found = 0
    for css, cost in cheapest(selectors(lens.index.dom, place.owner, field), value):
        read = Read("lines", (css,))
        lines = lens.read(read) or ()
        if not 1 < len(lines) <= _MOST_LINES or lens.count(css) != 1:
            continue
        places = [at for at, line in enumerate(lines) if same(line, value, field)]
        if len(places) != 1:
            return
        ends = tuple(Apply("at", (read,), (at,)) for at in (places[0], places[0] - len(lines)))
        yield Reader(Apply("agreed", ends), _BY_PLACE + cost, COUNTED)
        yield from (Reader(one, _BY_PLACE + cost + _FROM_ONE_END, COUNTED) for one in ends)
        found += 1
        if found == _ENOUGH:
            return
