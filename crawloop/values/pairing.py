"""Which record of one list is which of another: by the values that they share, never by position alone.

Records of a listing move, and truth need not stand in the page's order.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from crawloop.model.kind import Field
from crawloop.values.compare import normalise

_PAIRS = 40_000  # that are looked at in all, so that time grows with the length of a list and not with its square
_FEWEST = 20  # others that a record is compared with, however long the lists are

Key = tuple[str, str]  # a field's name and a value in the form in which two are the same


def paired(
    known: Sequence[Mapping[str, Any]],
    got: Sequence[Mapping[str, Any]],
    fields: Sequence[Field],
    *,
    all_known: bool,
    base: str = "",
) -> list[int | None]:
    """For each known record the index in `got` of its own, None where there is none.

    The pairs that share most values come first; a value that few records have says more. One beside one is a pair.
    Where all records are known and there are as many, those that share nothing are paired by order. Links are joined to
    `base`: of two records that differ by their link alone, one may have it as the page writes it.
    """
    if len(known) == len(got) == 1:
        return [0]
    ours, theirs = ([_keys(record, fields, base) for record in records] for records in (known, got))
    places = married(resemblance(ours, theirs, lambda many: 1 + 1 / many), len(known))
    if len(known) != len(got) or not all_known:
        return places
    free = iter(sorted(set(range(len(got))) - set(places)))
    return [next(free) if place is None else place for place in places]


def resemblance(
    ours: Sequence[Collection[Key]], theirs: Sequence[Collection[Key]], worth: Callable[[int], float]
) -> dict[tuple[int, int], float]:
    """By (number of ours, number of theirs): what the values that both have are worth, each by how many of theirs
    have it. Of long lists each of ours meets those that have all its values or the rarest of them, the nearest first.
    """
    sets = [frozenset(one) for one in theirs]
    alike: dict[frozenset[Key], list[int]] = defaultdict(list)
    holders: dict[Key, list[int]] = defaultdict(list)
    for index, one in enumerate(sets):
        alike[one].append(index)
        for key in one:
            holders[key].append(index)
    most = max(_FEWEST, _PAIRS // max(len(ours), 1))
    scores: dict[tuple[int, int], float] = {}
    for number, record in enumerate(ours):
        held = {key: holders[key] for key in record if key in holders}
        worths = [(key, worth(len(others))) for key, others in held.items()]
        twins = alike.get(frozenset(record), [])
        for index in _met([twins, *sorted(held.values(), key=len)], number, most):
            there = sets[index]
            scores[number, index] = sum([value for key, value in worths if key in there])
    return scores


def _met(lists: Iterable[Sequence[int]], place: int, most: int) -> Iterable[int]:
    """The numbers of the first lists, about `most` of them; of a longer list those nearest to a place."""
    found: dict[int, None] = {}
    for one in lists:
        if len(one) > most:
            start = bisect_left(one, place) - most // 2
            one = one[max(0, min(start, len(one) - most)) :][:most]
        found |= dict.fromkeys(one)
        if len(found) >= most:
            break
    return found


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


def _keys(record: Mapping[str, Any], fields: Sequence[Field], base: str) -> list[Key]:
    forms = ((one.name, normalise(record.get(one.name), one, base=base)) for one in fields)
    return [(name, repr(form)) for name, form in forms if form is not None]
