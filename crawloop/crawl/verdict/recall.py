"""A page beside what was known of the same URL: values that are still there, gone, or read from another place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from crawloop.model.kind import Schema
from crawloop.model.page import Record
from crawloop.triage.text import visible_blocks, visible_texts
from crawloop.values import equal, fold
from crawloop.values.alike import respelled

Place = tuple[int, str]
Pairs = Sequence[tuple[int, Record, Record]]


@dataclass(frozen=True, slots=True)
class Recall:
    """(record index, field) of the values that history confirms, misses and contradicts; `was` is what it knew.

    `respelled` are confirmed values that differ in spaces and signs.
    """

    confirmed: frozenset[Place] = frozenset()
    gone: frozenset[Place] = frozenset()
    changed: frozenset[Place] = frozenset()
    respelled: frozenset[Place] = frozenset()
    was: Mapping[Place, Any] = field(default_factory=dict)


def recall(records: Sequence[Record], known: Sequence[Record], schema: Schema, base: str) -> Recall:
    """Compares field by field. In a list, only records that are clearly the same item are compared."""
    confirmed, gone, changed, anew = set(), set(), set(), set()
    was: dict[Place, Any] = {}
    for index, new, old in paired(records, known):
        for one in schema.fields:
            before, now = old.get(one.name), new.get(one.name)
            if before is None:
                continue
            place = (index, one.name)
            was[place] = before
            if now is None:
                gone.add(place)
            elif before == now or equal(before, now, one, base=base):
                confirmed.add(place)
            elif respelled(before, now):
                anew.add(place)
            else:
                changed.add(place)
    return Recall(frozenset(confirmed | anew), frozenset(gone), frozenset(changed), frozenset(anew), was)


def paired(records: Sequence[Record], known: Sequence[Record]) -> Pairs:
    """(index, record, what was known of it). One beside one is a pair; else those that share most of their values."""
    if len(records) == 1 and len(known) == 1:
        return [(0, records[0], known[0])]
    by_value: dict[tuple[str, str], list[int]] = {}
    for place, old in enumerate(known):
        for name, value in old.items():
            if value is not None:
                by_value.setdefault((name, str(value)), []).append(place)
    pairs: list[tuple[int, Record, Record]] = []
    taken: set[int] = set()
    for index, new in enumerate(records):
        best = _best(new, by_value, taken)
        if best is not None:
            taken.add(best)
            pairs.append((index, new, known[best]))
    return pairs


def _best(new: Record, by_value: Mapping[tuple[str, str], list[int]], taken: set[int]) -> int | None:
    """The known record that shares most values, at least half, where those values do not mark many records."""
    hits: dict[int, int] = {}
    values = [(name, str(value)) for name, value in new.items() if value is not None]
    for pair in values:
        places = by_value.get(pair, ())
        for place in places if len(places) <= 5 else ():
            if place not in taken:
                hits[place] = hits.get(place, 0) + 1
    if not hits:
        return None
    place = max(hits, key=lambda one: (hits[one], -one))
    return place if 2 * hits[place] >= len(values) else None


class Whereabouts:
    """Whether a value still stands on a page as a whole text, found without a DOM and only when it is asked."""

    def __init__(self, html: str) -> None:
        self._html = html
        self._texts: frozenset[str] | None = None

    def holds(self, value: object) -> bool:
        """False for values that are too short to be told from chance."""
        items = value if isinstance(value, list) else [value]
        return bool(items) and all(self._has(item) for item in items)

    @staticmethod
    def tells(value: object) -> bool:
        """Whether a value is a text that does not stand on a page by chance."""
        text = fold(value) if isinstance(value, str) else ""
        return len(text) >= 4 and not text.isdigit()

    def _has(self, item: object) -> bool:
        if not self.tells(item):
            return False
        text = fold(str(item))
        if self._texts is None:
            self._texts = frozenset(map(fold, (*visible_texts(self._html), *visible_blocks(self._html))))
        return text in self._texts or f'"{item}"' in self._html
