"""Columns of a table by their headings: a column may stand elsewhere on the next page, its heading tells it.

Headings are those of the first row with a <th>, where that is one of the first three; cells count by their colspan.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from selectolax.lexbor import LexborNode

from crawloop.extract.labels import fold
from crawloop.extract.nodes import visible_text

_CELLS = frozenset(("td", "th"))
_GROUPS = frozenset(("thead", "tbody", "tfoot"))
_FIRST = 3
_WIDEST = 1000


def under(row: LexborNode, heading: str) -> str | None:
    """The text of the row's cell under a heading; None where its table has no such heading, or two."""
    line = _around(row, "tr")
    wanted = fold(heading)
    places = [start for start, _, head in _headings(line) if fold(visible_text(head)) == wanted]
    if line is None or len(places) != 1 or not wanted:
        return None
    return next((visible_text(one) or None for start, end, one in _cells(line) if start <= places[0] < end), None)


def over(cell: LexborNode) -> str | None:
    """The heading over a cell, where no other column has the same."""
    line = cell.parent
    start = next((start for start, _, one in _cells(line) if one.mem_id == cell.mem_id), -1) if line else -1
    heads = [(at, visible_text(head)) for at, _, head in _headings(line)]
    found = next((text for at, text in heads if at == start), "")
    return found if found and [fold(text) for _, text in heads].count(fold(found)) == 1 else None


def _around(node: LexborNode | None, tag: str) -> LexborNode | None:
    while node is not None and node.tag != tag:
        node = node.parent
    return node


def _headings(line: LexborNode | None) -> list[tuple[int, int, LexborNode]]:
    table = _around(line, "table")
    if line is None or table is None:
        return []
    for one in islice(_rows(table), _FIRST):
        cells = list(_cells(one))
        if one.mem_id == line.mem_id:
            break
        if len(cells) > 1 and any(cell.tag == "th" for _, _, cell in cells):
            return cells
    return []


def _rows(table: LexborNode) -> Iterator[LexborNode]:
    for child in table.iter():
        if child.tag == "tr":
            yield child
        elif child.tag in _GROUPS:
            yield from (one for one in child.iter() if one.tag == "tr")


def _cells(line: LexborNode) -> Iterator[tuple[int, int, LexborNode]]:
    """The cells of a row with the columns where they start and end."""
    start = 0
    for one in line.iter():
        if one.tag in _CELLS:
            span = (one.attributes.get("colspan") or "1").strip()
            end = start + (min(int(span), _WIDEST) if span.isascii() and span.isdigit() else 1)
            yield start, max(end, start + 1), one
            start = max(end, start + 1)
