"""Which record of one list is which of another: by the values that they share, never by position alone.

Records of a listing move, and truth need not stand in the page's order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from crawloop.model.kind import Field
from crawloop.values.compare import normalise


def paired(
    known: Sequence[Mapping[str, Any]], got: Sequence[Mapping[str, Any]], fields: Sequence[Field], *, all_known: bool
) -> list[int | None]:
    """For each known record the index in `got` of its own, None where there is none.

    The pairs that share most values come first; a value that few records have says more. One beside one is a pair.
    Where all records are known and there are as many, those that share nothing are paired by order.
    """
    if len(known) == len(got) == 1:
        return [0]
    holders: dict[tuple[str, str], list[int]] = defaultdict(list)
    for index, record in enumerate(got):
        for key in _keys(record, fields):
            holders[key].append(index)
    scores: dict[tuple[int, int], float] = defaultdict(float)
    for number, record in enumerate(known):
        for key in _keys(record, fields):
            for index in holders.get(key, ()):
                scores[number, index] += 1 + 1 / len(holders[key])
    places = married(scores, len(known))
    if len(known) != len(got) or not all_known:
        return places
    free = iter(sorted(set(range(len(got))) - set(places)))
    return [next(free) if place is None else place for place in places]


def married(scores: Mapping[tuple[int, int], float], count: int, least: float = 0.0) -> list[int | None]:
    """For each of `count` numbers the one it is paired with: by score, then by nearness of their places; each once.

    `scores` are those of (number, other); pairs below `least` are none.
    """
    found: list[int | None] = [None] * count
    taken: set[int] = set()
    order = sorted(scores.items(), key=lambda pair: (-pair[1], abs(pair[0][0] - pair[0][1]), pair[0]))
    for (number, other), score in order:
        if score >= least and found[number] is None and other not in taken:
            found[number] = other
            taken.add(other)
    return found


def _keys(record: Mapping[str, Any], fields: Sequence[Field]) -> list[tuple[str, str]]:
    forms = ((one.name, normalise(record.get(one.name), one)) for one in fields)
    return [(name, repr(form)) for name, form in forms if form is not None]
