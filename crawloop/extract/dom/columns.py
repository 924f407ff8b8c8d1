"""Columns of a table by their headings: a column may stand elsewhere on the next page, its heading tells it.

Headings are those of the first row with a <th>, where that is one of the first three; cells count by their colspan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from selectolax.lexbor import LexborNode

from crawloop.extract.dom.nodes import visible_text
from crawloop.extract.dom.wording import fold

_CELLS = frozenset(("td", "th"))
_GROUPS = frozenset(("thead", "tbody", "tfoot"))
_FIRST = 3
_WIDEST = 1000


class Columns:
    """The columns of one page's tables: each table's headings are read once, however many rows ask for a cell, and each
    cell, however many links of its row do."""

    __slots__ = ("_known", "_said")

    def __init__(self) -> None:
        self._known: dict[int, tuple[list[int], list[tuple[int, str]]]] = {}
        self._said: dict[tuple[int, Callable[[LexborNode], str | None]], str | None] = {}

    def read(self, row: LexborNode, heading: str, say: Callable[[LexborNode], str | None]) -> str | None:
        """What the row's cell under a heading says; None where there is no such cell, or it says nothing."""
        cell = self._under(row, heading)
        if cell is None:
            return None
        place = cell.mem_id, say
        if place not in self._said:
            self._said[place] = say(cell) or None
        return self._said[place]

    def _under(self, row: LexborNode, heading: str) -> LexborNode | None:
        """The row's cell under a heading; None where its table has no such heading, or two."""
        line, wanted = _around(row, "tr"), fold(heading)
        if line is None or not wanted:
            return None
        places = [start for start, said in self._headings(line) if said == wanted]
        if len(places) != 1:
            return None
        return next((one for start, end, one in _cells(line) if start <= places[0] < end), None)

    def _headings(self, line: LexborNode) -> list[tuple[int, str]]:
        """Where the columns start, and their headings, folded; of a row that stands below them."""
        table = _around(line, "table")
        if table is None:
            return []
        place = table.mem_id
        if place not in self._known:
            above, cells = _head(table)
            self._known[place] = above, [(start, fold(visible_text(one))) for start, _, one in cells]
        above, told = self._known[place]
        return [] if line.mem_id in above else told


def over(cell: LexborNode) -> str | None:
    """The heading over a cell, where no other column has the same."""
    line = cell.parent
    start = next((start for start, _, one in _cells(line) if one.mem_id == cell.mem_id), -1) if line else -1
    heads = [(at, visible_text(head)) for at, _, head in _heads(line)]
    found = next((text for at, text in heads if at == start), "")
    return found if found and [fold(text) for _, text in heads].count(fold(found)) == 1 else None


def _around(node: LexborNode | None, tag: str) -> LexborNode | None:
    while node is not None and node.tag != tag:
        node = node.parent
    return node


def _heads(line: LexborNode | None) -> list[tuple[int, int, LexborNode]]:
    table = _around(line, "table")
    if line is None or table is None:
        return []
    above, cells = _head(table)
    return [] if line.mem_id in above else cells


def _head(table: LexborNode) -> tuple[list[int], list[tuple[int, int, LexborNode]]]:
    """The rows of a table down to that of the headings, by their mem_id, and the cells of that row."""
    above: list[int] = []
    for one in islice(_rows(table), _FIRST):
        above.append(one.mem_id)
        cells = list(_cells(one))
        if len(cells) > 1 and any(cell.tag == "th" for _, _, cell in cells):
            return above, cells
    return above, []


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
            end = start + max(_width(span), 1)
            yield start, end, one
            start = end


def _width(span: str) -> int:
    """How many columns a colspan says: int() refuses thousands of digits."""
    if not (span.isascii() and span.isdigit()):
        return 1
    return min(int(span), _WIDEST) if len(span) <= len(str(_WIDEST)) else _WIDEST
