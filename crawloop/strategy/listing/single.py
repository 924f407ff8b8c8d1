"""Pages of a listing with one record: nothing repeats there, but the record is a row of a table with headings.

Filed        No.   Text
3 May 2023   1     Complaint.    one record; the next page may have fifty
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from crawloop.strategy.listing.rows import Aligned, Root, aligned, spans
from crawloop.strategy.listing.sheet import Sheet

_COLUMNS = 2
_COST = 0.5
_BOLD = frozenset(("b", "strong"))


def is_row(sheet: Sheet) -> bool:
    """Whether all that is known of the page's only record stands in one row of a table, under several headings."""
    if len(sheet.records) != 1 or "<tr" not in sheet.page.html.lower():
        return False
    dom, known = sheet.index.dom, sheet.places.keys()
    rows = (one for one, there in sheet.hits.items() if dom.tags[one] == "tr" and there == known)
    return any(_headings(sheet, row) >= _COLUMNS for row in rows if _is_inner(sheet, row))


def rows_of_tables(sheets: Sequence[Sheet]) -> Root:
    """All rows of tables, for tests to tell those of records: what is around one record may be there for it alone."""
    return Root("css", "tr", _COST, tuple(map(_table, sheets)))


def _table(sheet: Sheet) -> Aligned:
    """The rows of a page with its record in an innermost one, not in a row that lays out the page."""
    rows = sheet.find("tr")
    inner = [one for one in rows if _is_inner(sheet, one)]
    found = aligned(sheet, spans(sheet, inner, False), False)
    records, rivals = (dict(zip(inner, those, strict=True)) for those in (found.records, found.rivals))
    return replace(
        found,
        spans=tuple(spans(sheet, rows, False)),
        records=tuple(map(records.get, rows)),
        rivals=tuple(map(rivals.get, rows)),
    )


def _is_inner(sheet: Sheet, row: int) -> bool:
    return "tr" not in sheet.index.dom.tags[row + 1 : sheet.last[row] + 1]


def _headings(sheet: Sheet, row: int) -> int:
    """How many cells of a row hold a value of the record under a heading."""
    cells = sheet.index.dom.children[row]
    held = (place for place, one in enumerate(cells) if sheet.hits.get(one))
    return sum(bool(sheet.elements[cells[place]].heading) or _is_under_bold(sheet, row, place) for place in held)


def _is_under_bold(sheet: Sheet, row: int, place: int) -> bool:
    """Whether the cell over that of a row is nothing but bold."""
    dom = sheet.index.dom
    siblings = dom.children[dom.parents[row]]
    at = siblings.index(row)
    above = dom.children[siblings[at - 1]] if at else []
    if place >= len(above) or len(above) != len(dom.children[row]):
        return False
    cell = above[place]
    inside = range(cell + 1, sheet.last[cell] + 1)
    return any(
        dom.tags[one] in _BOLD and dom.starts[cell] < dom.ends[cell] and dom.loose(one) == dom.loose(cell)
        for one in inside
    )
