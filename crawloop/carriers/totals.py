"""Fields that are the whole of others of their record, as a total time is of what preparing and cooking take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

from crawloop.carriers.naming import affinity
from crawloop.model.kind import Field, Kind
from crawloop.values import equal, normalise

_KINDS = (Kind.DURATION, Kind.MONEY)
_MOST_PARTS = 3
_NAMED = 0.6


def parts_of(field: Field, others: Iterable[Field]) -> Iterator[tuple[Field, ...]]:
    """The two or three others that a field may be the sum of, where it is called a total; nothing where it is not."""
    if field.many or field.kind not in _KINDS or affinity(field, "total") < _NAMED:
        return
    alike = [
        one for one in others if one.kind is field.kind and one.unit == field.unit and not one.many and one != field
    ]
    for number in range(2, _MOST_PARTS + 1):
        yield from combinations(alike, number)


def comes_to(value: Any, field: Field, sizes: Sequence[Any], parts: Sequence[Field], *, gaps: bool = False) -> bool:
    """Whether a value is the sum of its parts: of all of them, or with `gaps` of those that are there, if not all."""
    known = [size for one, part in zip(sizes, parts, strict=True) if (size := normalise(one, part))]
    return bool(known) and (len(known) < len(parts)) == gaps and equal(sum(known), value, field)
