"""Where the rows of a listing are: groups of like elements that hold one record each, and the selectors that find them.

First the sort of element that covers most values of most records, alone or with the siblings that follow it; then the
selectors that give these elements on every page and as few others as may be.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from crawloop.strategy.listing.rows.alignment import Aligned, Root, aligned, likely, spans
from crawloop.strategy.listing.rows.selectors import apart, named
from crawloop.strategy.listing.selectors import ROOTS, Named, tokens
from crawloop.strategy.listing.sheet import Sheet

_MOST_GROUPS = 7
_READ = 8
_NARROWED = 2
_SECTION_WORTH = 1.08  # how much more of the records a section must hold than its first element


def roots(sheets: Sequence[Sheet]) -> list[Root]:
    """Where the rows may be, the likeliest first; each set of rows once."""
    lead = max(sheets, key=lambda one: len(one.records))
    found: dict[tuple[object, ...], Root] = {}
    for group, sections in _groups(lead):
        for root in _selected(group, sections, sheets):
            rows = tuple(tuple(one.spans) for one in root.tables)
            if rows not in found or root.cost < found[rows].cost:
                found[rows] = root
    wanted = sum(len(values) for one in sheets for values in one.keys) or 1
    few = sum(len(one.records) for one in sheets)
    return sorted(found.values(), key=lambda one: -_worth(one, wanted, few))


def _worth(root: Root, values: int, records: int) -> float:
    extras = min(root.extras / max(records, 1), 3.0)
    misses = root.missing / max(records, 1)
    return root.cover / values - 0.25 * min(extras, 0.5) - 0.1 * extras - 0.5 * misses - 0.03 * root.cost


def _groups(sheet: Sheet) -> list[tuple[list[int], bool]]:
    """The elements that are rows, for the best few sorts of element, and whether their siblings belong to them."""
    found: list[tuple[int, list[int], bool]] = []
    for numbers in _sorts(sheet):
        best = _best(sheet, numbers)
        cover = sum(count for count, _ in best.values())
        if len(best) == 1 < len(sheet.records):
            continue  # what is around a whole list is no row of it
        if len(best) * 2 < len(sheet.records) or _are_nested(sheet, sorted(one for _, one in best.values())):
            continue
        found.append((cover, sorted(one for _, one in best.values()), False))
    found.sort(key=lambda one: (-one[0], len(one[1])))
    whole = [(cover, numbers, False) for cover, numbers, _ in found[:_MOST_GROUPS]]
    joined = []
    for cover, numbers, _ in found[: 3 * _MOST_GROUPS]:
        table = aligned(sheet, spans(sheet, numbers, True), True)
        if table.cover > _SECTION_WORTH * cover and table.cover > _SECTION_WORTH * whole[0][0]:
            joined.append((table.cover, numbers, True))
    joined.sort(key=lambda one: -one[0])
    unique: dict[tuple[tuple[int, ...], bool], None] = {}
    for _, numbers, sections in [*joined[:3], *whole]:
        unique.setdefault((tuple(numbers), sections))
    return [(list(numbers), sections) for numbers, sections in unique]


def _are_nested(sheet: Sheet, numbers: Sequence[int]) -> bool:
    """Whether most of the elements stand in one another: of wrappers around a whole list none is a record."""
    nested = sum(inner <= sheet.last[outer] for outer, inner in pairwise(numbers))
    return 2 * nested > len(numbers) - 1


def _sorts(sheet: Sheet) -> Iterator[list[int]]:
    """The elements that hold values, by tag, by class, and by the tags around them."""
    dom = sheet.index.dom
    sorts: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for number in sorted(sheet.hits):
        tag = dom.tags[number]
        if tag in ROOTS:
            continue
        parent = dom.parents[number]
        above = dom.tags[parent] if parent >= 0 else ""
        sorts[tag,].append(number)
        sorts[tag, "in", above].append(number)
        for one in tokens(dom, number):
            sorts[tag, "of", one].append(number)
        for one in tokens(dom, parent) if parent >= 0 else ():
            sorts[tag, "under", one].append(number)
    unique = {tuple(numbers): None for numbers in sorts.values() if len(numbers) * 2 >= len(sheet.records)}
    return (list(one) for one in unique)


def _best(sheet: Sheet, numbers: Sequence[int]) -> dict[int, tuple[int, int]]:
    """For each record how many of its values the best element holds, and which; an element is one record's."""
    best: dict[int, tuple[int, int]] = {}
    choices = []
    for number in numbers:
        for record, count in likely(sheet, number).counts.items():
            choices.append((-count, len(sheet.hits[number]), number, record))
    taken: set[int] = set()
    for count, _, number, record in sorted(choices):
        if record not in best and number not in taken:
            best[record] = -count, number
            taken.add(number)
    return best


def _selected(rows: Sequence[int], sections: bool, sheets: Sequence[Sheet]) -> Iterator[Root]:
    """The selectors that may find these rows, each read on every sheet."""
    lead = max(sheets, key=lambda one: len(one.records))
    found = _read(named(lead, rows), rows, sheets, {})
    nearest = sorted(found.items(), key=lambda one: (_apart(lead, one[1][0], rows), one[1][1]))
    for _, (css, cost) in nearest[:_NARROWED]:
        found = _read(apart(lead, css, cost, rows), rows, sheets, found)
    some = sorted(found.items(), key=lambda one: (_apart(lead, one[1][0], rows), one[1][1]))[:_READ]
    for numbers, (css, cost) in some:
        tables = tuple(_table(sheet, there, sections) for sheet, there in zip(sheets, numbers, strict=True))
        yield Root("sections" if sections else "css", css, cost + 0.5 * sections, tables)


def _table(sheet: Sheet, numbers: tuple[int, ...], sections: bool) -> Aligned:
    found: Aligned | None = sheet.tables.get((numbers, sections))
    if found is None:
        found = sheet.tables[numbers, sections] = aligned(sheet, spans(sheet, numbers, sections), sections)
    return found


_Numbers = tuple[tuple[int, ...], ...]  # the elements that a selector gives on every sheet


def _read(
    selectors: Iterable[Named], rows: Sequence[int], sheets: Sequence[Sheet], found: dict[_Numbers, Named]
) -> dict[_Numbers, Named]:
    """The cheapest selector for each set of elements that holds half of the rows."""
    lead = max(sheets, key=lambda one: len(one.records))
    known: dict[str, float] = {}
    for css, cost in selectors:
        known[css] = min(cost, known.get(css, cost))
    best = dict(found)
    for css, cost in known.items():
        if len(lead.find(css)) * 2 >= len(rows):
            numbers = tuple(tuple(sheet.find(css)) for sheet in sheets)
            if numbers not in best or cost < best[numbers][1]:
                best[numbers] = css, cost
    return best


def _apart(sheet: Sheet, css: str, rows: Sequence[int]) -> int:
    return len(set(sheet.find(css)) ^ set(rows))
