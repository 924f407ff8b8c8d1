"""Rows beside records: which element of a group is which record, by the values that stand in it.

Records of truth need not stand in the page's order; equal records are interchangeable.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import inf

from crawloop.extract.reading import Read
from crawloop.strategy.listing.sheet import Sheet, Value

_FOREIGN = 0.34  # what a value of another record counts against an element that holds it
_NEARLY = 1  # values of other records that a row may hold more than a record's own row does and still be taken for it
_MANY = 40  # records that share a value: too many to think of when a rarer one is there


@dataclass(frozen=True, slots=True)
class Span:
    """A row as a range of element numbers. `top` is the row itself, or its parent where siblings belong to it."""

    first: int
    last: int
    top: int


@dataclass(frozen=True, slots=True)
class Candidates:
    """The records that a row may be, with how many of their values are among the `size` ones in it."""

    size: int
    counts: dict[int, int]


@dataclass(frozen=True, slots=True)
class Aligned:
    """Rows of one sheet in page order with the number of each one's record, None for those that are none.

    `cover` counts the values of records that stand in their rows. `rivals` has for a row that is no record's the
    record that stands in it as fully as in its own row.
    """

    sheet: Sheet
    spans: tuple[Span, ...]
    records: tuple[int | None, ...]
    rivals: tuple[int | None, ...]
    cover: int

    @property
    def extras(self) -> int:
        """Rows that are no record's, beyond those that may be doubtful ones."""
        return max(sum(one is None for one in self.records) - self.sheet.doubtful, 0)

    @property
    def missing(self) -> int:
        return len(self.sheet.records) - sum(one is not None for one in self.records)


@dataclass(frozen=True, slots=True)
class Root:
    """How rows are found, with what is found on every sheet: a method of the page and its selector or path."""

    method: str
    target: str
    cost: float
    tables: tuple[Aligned, ...]

    @property
    def select(self) -> Read:
        return Read(self.method, (self.target,), "page")

    def overlaps(self, other: Root) -> bool:
        """Whether most rows of records stand in the other's, or around them."""
        shared = sum(_shared(one, another) for one, another in zip(self.tables, other.tables, strict=True))
        return 2 * shared > sum(record is not None for one in self.tables for record in one.records)

    @property
    def cover(self) -> int:
        return sum(one.cover for one in self.tables)

    @property
    def extras(self) -> int:
        return sum(one.extras for one in self.tables if one.sheet.complete)

    @property
    def missing(self) -> int:
        return sum(one.missing for one in self.tables)


def _shared(one: Aligned, other: Aligned) -> int:
    """How many of the rows of records stand in rows of the other's records, or around them."""
    theirs = sorted(
        (row.first, row.last) for row, record in zip(other.spans, other.records, strict=True) if record is not None
    )
    ends = list(accumulate((last for _, last in theirs), max))
    mine = [row for row, record in zip(one.spans, one.records, strict=True) if record is not None]
    before = ((bisect_right(theirs, (row.last, inf)), row) for row in mine)
    return sum(at > 0 and ends[at - 1] >= row.first for at, row in before)


def spans(sheet: Sheet, numbers: Sequence[int], sections: bool) -> list[Span]:
    """The rows that start at these elements: each alone, or with its siblings up to the next start."""
    if not sections:
        return [Span(one, sheet.last[one], one) for one in numbers]
    parents = sheet.index.dom.parents
    starts: dict[int, list[int]] = defaultdict(list)
    for one in sorted(numbers):
        starts[parents[one]].append(one)
    ends: dict[int, int] = {}
    for parent, there in starts.items():
        last = sheet.last[parent if parent >= 0 else there[-1]]
        ends |= dict(zip(there, [*(one - 1 for one in there[1:]), last], strict=True))
    return [Span(one, ends[one], parents[one]) for one in numbers]


def aligned(sheet: Sheet, rows: Sequence[Span], sections: bool) -> Aligned:
    """Which row is which record."""
    if not sections:
        return matched(sheet, tuple(rows), [likely(sheet, row.first) for row in rows])
    return matched(sheet, tuple(rows), [_held_in(sheet, row) for row in rows])


def matched(sheet: Sheet, spans: tuple[Span, ...], rows: Sequence[Candidates]) -> Aligned:
    """The record of each row, told by the values in it.

    The best pairs come first, and of nested rows the one that holds nothing else. A row is the record's that it
    starts with rather than one that it mentions.
    """
    pairs = []
    for place, there in enumerate(rows):
        alike = Counter(there.counts.values()) if spans else Counter[int]()
        for record, count in there.counts.items():
            share = -count / max(len(sheet.records[record]), 1)
            late = _late(sheet, spans[place], record) if alike[count] > 1 and count > 1 else 0
            pairs.append((-count, there.size, share, late, place, record))
    pairs.sort()
    found: list[int | None] = [None] * len(rows)
    taken: dict[int, tuple[int, int, int]] = {}
    for count, size, _, _, place, record in pairs:
        if found[place] is None and record not in taken:
            found[place] = record
            taken[record] = count, size, place
    rivals: list[int | None] = [None] * len(rows)
    for count, size, _, _, place, record in pairs:
        if found[place] is None and record in taken:
            best, least, own = taken[record]
            if count == best and size <= least + _NEARLY and not (spans and _nested(spans[place], spans[own])):
                rivals[place] = record
    cover = -sum(count for count, *_ in taken.values())
    return Aligned(sheet, spans, tuple(found), tuple(rivals), cover)


def _late(sheet: Sheet, row: Span, record: int) -> int:
    """How far into a row the values of a record stand, all together."""
    found = (sheet.first_in(row.first, row.last, value) for value in sheet.keys[record])
    return sum(one - row.first for one in found if one is not None)


def _nested(one: Span, other: Span) -> bool:
    return one.first <= other.last and other.first <= one.last


def held(sheet: Sheet, row: Span) -> set[Value]:
    """The values in a row of several siblings."""
    siblings = sheet.index.dom.children[row.top]
    members = siblings[bisect_left(siblings, row.first) : bisect_right(siblings, row.last)]
    bare = {value for _, value, _ in sheet.between(row.top, row.first, row.last)}
    return bare.union(*(sheet.hits.get(one, set()) for one in members))


def _held_in(sheet: Sheet, row: Span) -> Candidates:
    return candidates(sheet, held(sheet, row), lambda value: sheet.ahead(value, row.first))


def likely(sheet: Sheet, number: int) -> Candidates:
    """The records that an element may be."""
    found: Candidates | None = sheet.likely_of.get(number)
    if found is None:
        found = sheet.likely_of[number] = candidates(
            sheet, sheet.hits.get(number, ()), lambda value: sheet.ahead(value, number)
        )
    return found


def candidates(sheet: Sheet, values: Collection[Value], ahead: Callable[[Value], float]) -> Candidates:
    """Records that may be meant by these values of a row: of which most are there, and few others.

    `ahead` tells which share of the places of a value is before the row.
    """
    counts: dict[int, int] = {}
    for place, value in enumerate(sorted(values, key=lambda one: len(sheet.values[one]))):
        if len(sheet.values[value]) <= _MANY:
            for record in sheet.values[value]:
                counts[record] = counts.get(record, 0) + 1
        elif not place:
            counts = dict.fromkeys(_near(sheet, values, ahead(value)), 1)
        else:
            counts |= {record: counts[record] + 1 for record in counts.keys() & sheet.holders[value]}
    size, most = len(values), max(counts.values(), default=0)
    return Candidates(
        size,
        {
            record: count
            for record, count in counts.items()
            if 2 * count >= most and count > _FOREIGN * (size - count - 1)
        },
    )


def _near(sheet: Sheet, values: Collection[Value], ahead: float) -> Sequence[int]:
    """Of the many records that share the values of a row those about as far down their list as the row is in its own:
    they are alike, and to think of all of them would take the square of their number."""
    alike = sheet.sharing(frozenset(values))
    start = max(0, min(round(ahead * len(alike)) - _MANY // 2, len(alike) - _MANY))
    return alike[start : start + _MANY]
