"""Rows beside records: which element of a group is which record, by the values that stand in it.

Records of truth need not stand in the page's order; equal records are interchangeable.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
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
    dom, starts = sheet.index.dom, set(numbers)
    found = []
    for one in numbers:
        parent = dom.parents[one]
        siblings = dom.children[parent] if parent >= 0 else [one]
        later = [other for other in siblings if other > one and other in starts]
        end = later[0] - 1 if later else sheet.last[parent if parent >= 0 else one]
        found.append(Span(one, end, parent))
    return found


def aligned(sheet: Sheet, rows: Sequence[Span], sections: bool) -> Aligned:
    """Which row is which record."""
    inside = [held(sheet, row) if sections else sheet.hits.get(row.first, set()) for row in rows]
    return matched(sheet, tuple(rows), inside)


def matched(sheet: Sheet, spans: tuple[Span, ...], rows: Sequence[set[Value]]) -> Aligned:
    """The record of each row, told by the values in it.

    The best pairs come first, and of nested rows the one that holds nothing else. A row is the record's that it
    starts with rather than one that it mentions.
    """
    pairs = []
    for place, there in enumerate(rows):
        some = candidates(sheet, there)
        for record, count in some.items():
            share = -count / max(len(sheet.records[record]), 1)
            late = _late(sheet, spans[place], record) if spans and len(some) > 1 else 0
            pairs.append((-count, len(there), share, late, place, record))
    found: list[int | None] = [None] * len(rows)
    taken: dict[int, tuple[int, int, int]] = {}
    for count, size, _, _, place, record in sorted(pairs):
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
    dom = sheet.index.dom
    members = [one for one in dom.children[row.top] if row.first <= one <= row.last]
    return set().union(*(sheet.hits.get(one, set()) for one in members))


def candidates(sheet: Sheet, values: Iterable[Value]) -> dict[int, int]:
    """Records that may be meant by these values, with how many of theirs are there; none where many others are."""
    there = set(values)
    holders = sorted((sheet.values[one] for one in there), key=len)
    some: set[int] = set()
    for one in holders:
        if len(one) <= _MANY or not some:
            some.update(one)
    counts = {record: sum(value in there for value in sheet.keys[record]) for record in some}
    return {record: count for record, count in counts.items() if count > _FOREIGN * (len(there) - count - 1)}
