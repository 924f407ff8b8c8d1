"""Pages of a listing with one record: nothing repeats there, but the record is a row of a table with headings.

Filed        No.   Text
3 May 2023   1     Complaint.    one record; the next page may have fifty
"""

from __future__ import annotations

from collections.abc import Sequence

from crawloop.strategy.listing.rows import Root, aligned, spans
from crawloop.strategy.listing.sheet import Sheet

_COLUMNS = 2
_COST = 0.5


def is_row(sheet: Sheet) -> bool:
    """Whether all that is known of the page's only record stands in one row of a table, under several headings."""
    if len(sheet.records) != 1 or "<th" not in sheet.page.html.lower():
        return False
    dom, known = sheet.index.dom, sheet.places.keys()
    rows = (one for one, there in sheet.hits.items() if dom.tags[one] == "tr" and there == known)
    return any(_headings(sheet, row) >= _COLUMNS for row in rows)


def rows_of_tables(sheets: Sequence[Sheet]) -> Root:
    """All rows of tables, for tests to tell those of records: what is around one record may be there for it alone."""
    tables = tuple(aligned(one, spans(one, one.find("tr"), False), False) for one in sheets)
    return Root("css", "tr", _COST, tables)


def _headings(sheet: Sheet, row: int) -> int:
    """How many cells of a row hold a value of the record under a heading."""
    cells = (one for one in sheet.index.dom.children[row] if sheet.hits.get(one))
    return sum(bool(sheet.elements[one].heading) for one in cells)
