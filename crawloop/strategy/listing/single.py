"""Pages of a listing with one record: nothing repeats there, but the record is a row of a table with headings.

Filed        No.   Text
3 May 2023   1     Complaint.    one record; the next page may have fifty

Or a link with what is said of it, on a page whose title says nothing of it: others will stand beside it.

<h1>Opinions</h1> <div class=list><p><a href="/24-17.pdf">24-17</a> Roe v. Doe</p></div>
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from crawloop.carriers.index import Place
from crawloop.model.kind import Kind, Schema
from crawloop.strategy.listing.counting.parts import of_rows
from crawloop.strategy.listing.plan import Listed
from crawloop.strategy.listing.rows.alignment import Aligned, Root, aligned, spans
from crawloop.strategy.listing.selectors import anchors
from crawloop.strategy.listing.sheet import Sheet, Value
from crawloop.strategy.shaping.typed import DATES

_COLUMNS = 2
_COST = 0.5
_BOLD = frozenset(("b", "strong"))
_BLOCKS = frozenset(("p", "div"))  # that may be a part of an item too
_ITEMS = _BLOCKS | {"tr", "li", "article"}
_TITLES = frozenset(("title", "h1", "meta", "link"))
_NAMING = (Kind.TEXT, Kind.URL)
_ROOM = 80  # letters that may stand beside each value of an item


def root_of_one(sheets: Sequence[Sheet]) -> Root | None:
    """Where the rows are, on pages that have one record each; None where those may be what the pages are about."""
    known = [one for one in sheets if one.records]
    if not known or any(len(one.records) > 1 for one in known):
        return None
    if all(map(_is_row, known)):
        return Root("css", "tr", _COST, tuple(map(_table, sheets)))
    css = _beside(known[0]) if len(known) == 1 else None  # of several pages with one record each that is what they are
    return Root("css", css, _COST, tuple(_aligned(one, one.find(css)) for one in sheets)) if css else None


def certain(found: Listed, schema: Schema) -> Listed:
    """The same without texts from outside the rows: one record does not tell what such a heading says of others."""
    fields = dict(found.plan.fields)
    inside = of_rows(fields)
    kept = {name: one for name, one in fields.items() if one in inside or schema[name].kind in DATES}
    notes = dict.fromkeys(fields.keys() - kept.keys(), ("left out: it stands outside the row of the only record",))
    return replace(found, plan=replace(found.plan, fields=kept), notes=found.notes | notes)


def _is_row(sheet: Sheet) -> bool:
    """Whether all that is known of the page's only record stands in one row of a table, under several headings."""
    if "<tr" not in sheet.page.html.lower():
        return False
    dom, known = sheet.index.dom, sheet.places.keys()
    rows = (one for one, there in sheet.hits.items() if dom.tags[one] == "tr" and there == known)
    return any(_headings(sheet, row) >= _COLUMNS for row in rows if _is_inner(sheet, row))


def _beside(sheet: Sheet) -> str | None:
    """A selector of the element that holds the page's only record, by its place and that of its siblings alone."""
    row = _item(sheet)
    if row is None:
        return None
    dom = sheet.index.dom
    css, parent = dom.tags[row], dom.parents[row]
    for above in dom.ancestors(row):
        names = anchors(dom, above)[:1]
        css = f"{names[0][0] if names else f'{dom.tags[above]}:nth-of-type({dom.place(above)})'} > {css}"
        if all(dom.parents[one] == parent for one in sheet.find(css)):
            return css
    return None


def _item(sheet: Sheet) -> int | None:
    """The innermost element that holds a link of the record, another value and little more, or begins with the link;
    None where the page's title or data say what the record does."""
    dom = sheet.index.dom
    named = {one: sheet.places.get(one, []) for one in sheet.keys[0] if sheet.schema[one[0]].kind in _NAMING}
    if any(_is_title(sheet, place) for places in named.values() for place in places):
        return None
    links = [place.owner for one, places in named.items() if _is_link(sheet, one) for place in places]
    around = {
        one
        for link in links
        for one in dom.ancestors(link)
        if dom.tags[one] in _ITEMS and (_is_full(sheet, one) or dom.starts[one] == dom.starts[link])
    }
    holding = [one for one in around if len(sheet.hits[one] & named.keys()) >= _COLUMNS]
    return max(holding, key=lambda one: (dom.tags[one] not in _BLOCKS, one), default=None)


def _is_link(sheet: Sheet, value: Value) -> bool:
    return sheet.schema[value[0]].kind is Kind.URL


def _is_title(sheet: Sheet, place: Place) -> bool:
    """Whether a place tells what the whole page is about."""
    dom = sheet.index.dom
    if place.carrier not in ("text", "attribute"):
        return True
    return any(dom.tags[one] in _TITLES for one in (place.owner, *dom.ancestors(place.owner)))


def _is_full(sheet: Sheet, item: int) -> bool:
    """Whether little more stands in an element than the values that do."""
    dom = sheet.index.dom
    return dom.ends[item] - dom.starts[item] <= sum(_ROOM + len(value) for _, value in sheet.hits[item])


def _aligned(sheet: Sheet, rows: Sequence[int]) -> Aligned:
    return aligned(sheet, spans(sheet, rows, False), False)


def _table(sheet: Sheet) -> Aligned:
    """All rows of tables, for tests to tell those of records: what is around one record may be there for it alone. The
    record's is an innermost one, not a row that lays out the page."""
    rows = sheet.find("tr")
    inner = [one for one in rows if _is_inner(sheet, one)]
    found = _aligned(sheet, inner)
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
