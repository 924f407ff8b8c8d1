"""What a page calls the place of a value: keys, attributes and classes around it, the words before it, its column.

By which names a program finds its places, `reading_names` says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from crawloop.carriers.dom import Dom
from crawloop.carriers.index import Index, Place, index
from crawloop.carriers.naming import FITTING, HEADS, PLAIN, SURELY, affinity, camel, name_just
from crawloop.carriers.reading_names import BY_KEY, BY_LABEL, is_a_part, names_of
from crawloop.carriers.stream import bare
from crawloop.extract.reading import Expression, Read, innermost
from crawloop.extract.view import PageView
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.truth import Evidence
from crawloop.values import squash

_DIGITS = re.compile(r"\d")
_NAMING = ("id", "itemprop", "name", "property", "aria-label", "headers", "for", "rel")
_LABELS = frozenset(
    [
        "dt",
        "th",
        "td",
        "label",
        "b",
        "strong",
        "em",
        "span",
        "dfn",
        "legend",
        "small",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
    ]
)
_CELLS = ("td", "th")
_TEXTS = frozenset((Kind.TEXT, Kind.ENUM, Kind.URL))
_LONGEST_LABEL = 40
_LONGEST_LEAD = 3  # words that lead in a value: "Written by"
_NEIGHBOURS = 4  # texts on either side
_AROUND = 3  # elements around a value whose names may be meant for it
_ELEMENTS = 3  # of a list that are looked at


def is_called(view: PageView, value: Any, field: Field, schema: Schema, quotes: Iterable[Evidence] = ()) -> bool:
    """Whether some place of the value is named after its field, and none more after another field of the schema.

    `quotes` are places that somebody cites for it.
    """
    page = index(view)
    if isinstance(value, list):
        some = value[:_ELEMENTS]
        return bool(some) and any(is_called(view, one, field.single, schema) for one in some)
    if _heads(field) and page.dom.is_headed(squash(str(value))):
        return True
    places = (one for one in _places(page, value, field, quotes) if one.carrier == "text" or _leads(page, one, value))
    called = {name for place in places for name in names_at(page, place)}
    return name_just(called, field, schema)


def is_among_its_own(views: Sequence[PageView], value: Any, field: Field) -> bool:
    """Whether a value that all these pages have stands on each where just this field is named, amid texts that change
    from page to page: what stands there amid the same texts is the template's."""
    found = [set(_amid(index(view), value, field)) for view in views]
    return all(found) and not set.intersection(*found)


def is_pieced(view: PageView, text: str) -> bool:
    """Whether a text stands on the page only as several texts in a row, such as a label and what it labels."""
    page = index(view)
    places = page.places_of_text(text)
    whole = (one for one in places if one.carrier != "text")
    stream, loose = page.dom.text, squash(bare(text))
    return bool(places) and not any(whole) and all(stream.span(start)[1] < end for start, end in stream.hits(loose))


def _amid(page: Index, value: Any, field: Field) -> Iterator[tuple[str, ...]]:
    for place in _places(page, value, field, ()):
        if place.carrier == "text" and any(affinity(field, name) >= SURELY for name in names_at(page, place)):
            yield page.dom.around(place.at if place.at >= 0 else page.dom.starts[place.owner], _NEIGHBOURS)


def is_led(view: PageView, value: Any, field: Field, words: Sequence[str]) -> bool:
    """Whether the value stands somewhere on the page right after a text that holds one of these words, or its label."""
    page = index(view)
    places = (one for one in _places(page, value, field, ()) if one.carrier == "text")
    said = [squash(one) for place in places for one in _leading(page, place)[1]]
    return any(squash(word) in one for word in words for one in said)


def names_read(view: PageView, expression: Expression) -> Iterator[str]:
    """The names of a reading, and those of the element that it finds on this page."""
    yield from names_of(expression)
    for place in () if is_a_part(expression) else places_read(view, expression):
        yield from names_at(index(view), place)


def places_read(view: PageView, expression: Expression) -> Iterator[Place]:
    """The element that a reading finds on this page by a selector, with those that look and say the same."""
    read = innermost(expression)
    if not isinstance(read, Read) or not read.args or read.method.startswith("json"):
        return
    if read.method in (*BY_LABEL, *BY_KEY):
        return
    if (element := view.css_first(str(read.args[0]))) is None:
        return
    dom = index(view).dom
    for place in index(view).places_of_text(element.text() or ""):
        is_it = place.carrier == "text" and place.whole and dom.tags[place.owner] == element.tag
        if is_it and dom.attributes[place.owner] == element.attributes:
            yield place


def names_at(page: Index, place: Place) -> Iterator[str]:
    """The names of a place, in no order."""
    if place.carrier == "json":
        keys = [one for one in page.leaf(place).steps if isinstance(one, str)][-2:]
        yield from (*keys[-1:], camel(keys))
        return
    if place.carrier == "attribute" and place.name not in PLAIN:
        yield place.name
    if place.carrier != "text":
        yield from _around(page, place.owner)
        return
    own, leads = _leading(page, place)
    if place.whole or (len(own.split()) <= _LONGEST_LEAD and page.dom.tags[place.owner] not in HEADS):
        yield from _columns(page, place.owner)
        yield from _around(page, place.owner)
    yield from (one for one in leads if one.strip() and len(one) <= _LONGEST_LABEL)


def _leading(page: Index, place: Place) -> tuple[str, list[str]]:
    """What stands before a place in its own text, and that with the label before the text."""
    start = place.at if place.at >= 0 else page.dom.starts[place.owner]
    own, ahead = page.dom.before(start)
    figures = _DIGITS.split(str(page.raw(place)), maxsplit=1)
    leads = [own or (figures[0] if len(figures) > 1 else "")]
    if place.whole or (len(own.split()) <= _LONGEST_LEAD and page.dom.tags[place.owner] not in HEADS):
        leads += [ahead] if _is_label(page, start, ahead) else []
    return own, leads


def _leads(page: Index, place: Place, value: Any) -> bool:
    """Whether what an attribute or a key holds begins with the value, up to a few words: else it is a part of that."""
    raw = str(page.raw(place))
    before, found, _ = raw.lower().partition(str(value).lower())
    return place.whole or (len(before.split()) <= _LONGEST_LEAD if found else len(raw) <= _LONGEST_LABEL)


def _is_label(page: Index, start: int, ahead: str) -> bool:
    """Whether the text before an offset is there to say what follows: the last cell of a row does not say the first
    one of the next."""
    if not start:
        return False
    teller, told = page.dom.text.owner(start - 1), page.dom.text.owner(start)
    is_one = ahead.endswith(":") or page.dom.tags[teller] in _LABELS
    return is_one and not _is_in_a_row_above(page.dom, teller, told)


def _is_in_a_row_above(dom: Dom, teller: int, told: int) -> bool:
    """Whether both stand in rows of tables, the first in an earlier one of several cells."""
    above, below = (next((at for at in dom.ancestors(one) if dom.tags[at] == "tr"), -1) for one in (teller, told))
    return 0 <= above < below and len(dom.children[above]) > 1


def _heads(field: Field) -> bool:
    """Whether the field is what the page is headed by."""
    return affinity(field, "title") >= FITTING


def _places(page: Index, value: Any, field: Field, quotes: Iterable[Evidence]) -> Iterator[Place]:
    if not isinstance(value, bool):
        places = page.places(value, field)
        yield from places if field.kind in _TEXTS else _narrow(page, places)
    for one in quotes:
        yield from page.places_of_text(one.snippet)


def _narrow(page: Index, places: Sequence[Place]) -> Iterator[Place]:
    """Of places that were found by their digits those that are short and have none inside them."""
    outer = {above for one in places if one.carrier == "text" for above in page.dom.ancestors(one.owner)}
    for one in places:
        if one.carrier != "text" or (one.owner not in outer and len(str(page.raw(one))) <= _LONGEST_LABEL):
            yield one


def _around(page: Index, owner: int) -> Iterator[str]:
    """Tags, ids and classes of the element and of those around it that hold little else."""
    dom = page.dom
    size = max(dom.ends[owner] - dom.starts[owner], 1)
    for number in [owner, *dom.ancestors(owner)][:_AROUND]:
        if number != owner and dom.ends[number] - dom.starts[number] > 3 * size:
            return
        own = dom.attributes[number]
        yield dom.tags[number]
        yield from own.get("class", "").split()
        yield from (own[name] for name in _NAMING if own.get(name))


def _columns(page: Index, owner: int) -> Iterator[str]:
    """The heading of the column in which the element stands."""
    cells = (one for one in (owner, *page.dom.ancestors(owner)[:_AROUND]) if page.dom.tags[one] in _CELLS)
    if (cell := next(cells, None)) is not None:
        yield from _heading(page, cell)


def _heading(page: Index, cell: int) -> Iterator[str]:
    """The text of the cell at the same place in the first row of the table, where that is a row of headings."""
    dom = page.dom
    row = dom.parents[cell]
    table = next((one for one in dom.ancestors(cell) if dom.tags[one] == "table"), None)
    if table is None or row < 0:
        return
    place = dom.children[row].index(cell)
    first = next((one for one in range(table + 1, row) if dom.tags[one] == "tr"), None)
    cells = dom.children[first] if first is not None else []
    if place < len(cells) and _are_headings(dom, cells) and len(said := dom.shown(cells[place])) <= _LONGEST_LABEL:
        yield said


def _are_headings(dom: Dom, cells: Sequence[int]) -> bool:
    """Whether cells stand over columns. A row that begins with a label does not: "Pay: | $ 9"."""
    tags = {dom.tags[one] for one in cells[1:] or cells}
    if tags == {"th"} or dom.tags[dom.parents[dom.parents[cells[0]]]] == "thead":
        return True
    has_label = dom.tags[cells[0]] == "th" or any(dom.shown(one).endswith((":", "：")) for one in cells)
    return len(cells) > 2 and not has_label
