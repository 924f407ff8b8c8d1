"""Every way to read one known value off one page: readings of each carrier, shaped to the wanted form.

Nothing here decides: each Reader has a cost, and `choose` weighs them over all pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crawloop.model.kind import Field, Kind
from crawloop.strategy.readers.lens import Lens
from crawloop.strategy.readers.lists import listed, of_list
from crawloop.strategy.readers.reader import Reader
from crawloop.strategy.readers.scalars import of_scalar, phrases

_JOINED = (Kind.TEXT, Kind.ENUM)  # kinds whose values may be several texts in one
_PARTS = (", ", ",", "\n", " & ", " and ", "; ", " | ", "/")


def readers(lens: Lens, value: Any, field: Field, carriers: frozenset[str]) -> tuple[Reader, ...]:
    """Readers that give `value` on this page; `carriers` ("json", "dom") says where to look."""
    key = repr(value), field, carriers
    if key not in lens.gathered:
        lens.gathered[key] = tuple(_readers(lens, value, field, carriers))
    return lens.gathered[key]


def _readers(lens: Lens, value: Any, field: Field, carriers: frozenset[str]) -> Iterator[Reader]:
    if isinstance(value, list):
        yield from of_list(lens, value, field, carriers)
        return
    yield from of_scalar(lens, value, value, field, carriers)
    if isinstance(value, str):
        if "json" in carriers:
            yield from phrases(lens, value, field)
        for sep in _PARTS if field.kind in _JOINED else ():
            parts = [one for one in value.split(sep) if one.strip()]
            if len(parts) > 1:
                for reader in listed(lens, parts, value, field, carriers):
                    yield reader.dearer(0.1)
                break
