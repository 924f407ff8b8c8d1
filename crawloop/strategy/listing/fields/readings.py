"""Ways to reach the place of a value from its row: in the row, before it as a heading, or once on the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from crawloop.carriers.index import Place
from crawloop.extract.reading import Apply, Expression, Read
from crawloop.model.kind import Field, Kind
from crawloop.strategy.listing.rows.alignment import Span
from crawloop.strategy.listing.selectors import outside, plural, relative
from crawloop.strategy.listing.sheet import DAYS, Sheet, Value, key
from crawloop.strategy.shaping.typed import DATES
from crawloop.values import equal, squash

_MOST_PLACES = 6
_ADDRESSES = ("href", "src", "value", "data-href", "data-url")
_LONGEST_LABEL = 40
_PART = 1.0  # what it costs an attribute before the row that it says more than the value
_SPARE = 1.0  # what it costs to cut a value out of its whole row, in which an element holds just that value
_LIKE = 0.3  # what it costs a heading to be told from others by its text: where the nearest is none, it may say so
_LINKED = 0.7  # a link by its column's heading: surer than by its place in the row, less so than by what it is called
_COLUMN = 0.5  # a cell of the row around: what stands in the row itself is likelier
_CELLS = ("td", "th")
_FAR = 3000  # elements that are looked at before a row


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to a raw text; low `cost` is likely.

    `carrier` is "text", "lines", "address", "attribute", "list" or "json".
    """

    expression: Expression
    cost: float
    carrier: str


def inside(sheet: Sheet, row: Span, value: Value, field: Field) -> Iterator[Reading]:
    """Readings of the places of a value in its row."""
    for number, place in enumerate(sheet.within(row.first, row.last, value)):
        if number == _MOST_PLACES:
            return
        extra = 0.0 if place.whole else 0.2
        if field.many:
            yield from _of_list(sheet, row, place, extra)
        elif place.carrier == "attribute":
            yield from _of_attribute(sheet, row, place, value, extra)
        else:
            yield from _of_text(sheet, row, place, extra)
    if row.top != row.first and any(one == value for _, one, _ in sheet.between(row.top, row.first, row.last)):
        yield Reading(Read("text", ("",)), 0.5, "text")
        yield from _of_lines("", 0.3)


def _of_attribute(sheet: Sheet, row: Span, place: Place, value: Value, extra: float) -> Iterator[Reading]:
    field = sheet.schema[value[0]]
    address = field.kind is Kind.URL and place.name in _ADDRESSES
    wanted, there = sheet.value_of(value), sheet.index.raw(place)
    elsewhere = address and not field.many and not equal(there, wanted, field, base=sheet.index.base)
    for heading in _headed(sheet, row, place.owner) if address and place.name == "href" else ():
        yield Reading(Read("column_link", (heading,)), _LINKED + extra, "address")
    for css, cost in relative(sheet.index.dom, place.owner, row.top):
        if address:
            args = (css,) if place.name == "href" else (css, place.name)
            yield Reading(Read("link", args), 0.1 + cost + extra, "address")
        if not address or elsewhere:
            yield Reading(Read("attr", (css, place.name)), 0.3 + cost + extra, "attribute")


def _of_text(sheet: Sheet, row: Span, place: Place, extra: float) -> Iterator[Reading]:
    dom, number = sheet.index.dom, place.owner
    yield from _labelled(sheet, number)
    for heading in _headed(sheet, row, number):
        yield Reading(Read("column", (heading,)), 0.3 + extra, "text")
    broken = dom.children[number] and not place.whole
    for css, cost in relative(dom, number, row.top):
        yield Reading(Read("text", (css,)), cost + extra, "text")
        if broken:
            yield Reading(Read("own_text", (css,)), cost + extra + 0.1, "text")
            yield from _of_lines(css, cost + extra)
    if row.top != row.first:
        yield from _of_lines("", 0.4)
    parent = dom.parents[number]
    if number != row.top and parent >= 0:
        whole_row = [("", _SPARE if place.whole else 0.0)]
        # an element that holds nothing but bold text says the same without it
        more = 0.0 if (dom.starts[parent], dom.ends[parent]) == (dom.starts[number], dom.ends[number]) else 0.4
        for css, cost in [*relative(dom, parent, row.top)][:6] if parent != row.top else whole_row:
            yield Reading(Read("text", (css,)), more + cost + extra, "text")


def _of_lines(css: str, cost: float) -> Iterator[Reading]:
    yield Reading(Read("lines", (css,)), cost + 0.1, "lines")
    for at in (0, 1, 2, -1):
        yield Reading(Apply("at", (Read("lines", (css,)),), (at,)), cost + 0.15 + 0.05 * abs(at), "text")


def _headed(sheet: Sheet, row: Span, number: int) -> Iterator[str]:
    """The heading of the column in whose cell an element stands."""
    dom = sheet.index.dom
    while number != row.top and dom.parents[number] != row.top:
        number = dom.parents[number]
    if dom.tags[row.top] == "tr" and dom.tags[number] in ("td", "th"):
        heading = sheet.elements[number].heading
        if heading and len(heading) <= _LONGEST_LABEL:
            yield heading


def _labelled(sheet: Sheet, number: int) -> Iterator[Reading]:
    dom = sheet.index.dom
    parent = dom.parents[number]
    if dom.tags[number] not in ("dd", "td") or parent < 0:
        return
    at = dom.children[parent].index(number)
    if at:
        before = dom.children[parent][at - 1]
        label = dom.shown(before) if dom.ends[before] > dom.starts[before] else ""
        if (
            dom.tags[before] in ("dt", "th", "td")
            and 1 < len(label) <= _LONGEST_LABEL
            and not any(map(str.isdigit, label))
            and squash(label) not in sheet.said_somewhere
        ):
            yield Reading(Read("labelled", (label.rstrip(" :"),)), 0.5, "text")


def _of_list(sheet: Sheet, row: Span, place: Place, extra: float) -> Iterator[Reading]:
    for css, cost in plural(sheet.index.dom, place.owner, row.top):
        if place.carrier == "attribute":
            yield Reading(Read("attrs", (css, place.name)), 0.3 + cost + extra, "list")
        else:
            yield Reading(Read("texts", (css,)), cost + extra, "list")
    if place.carrier == "text":
        for css, cost in relative(sheet.index.dom, place.owner, row.top):
            yield Reading(Read("text", (css,)), 0.3 + cost + extra, "text")


def around(sheet: Sheet, row: Span, value: Value, field: Field) -> Iterator[Reading]:
    """Readings of the other cells of the table's row in which the row stands: what all links of a cell share."""
    dom = sheet.index.dom
    line = next((one for one in dom.ancestors(row.top) if dom.tags[one] == "tr"), None)
    if dom.tags[row.top] == "tr" or line is None:
        return
    cells = {one: sheet.elements[one].heading for one in dom.children[line] if dom.tags[one] in _CELLS}
    for place in sheet.within(line, sheet.last[line], value):
        for cell, heading in cells.items():
            if heading and cell <= place.owner <= sheet.last[cell]:
                link = field.kind is Kind.URL and place.name == "href"
                cost = _COLUMN + (0.0 if place.whole else 0.2)
                yield Reading(
                    Read("column_link" if link else "column", (heading,)), cost, "address" if link else "text"
                )


def above(sheet: Sheet, row: Span, value: Any, field: Field) -> Iterator[Reading]:
    """Readings of the nearest texts and attributes before the row that may hold the value, such as the heading of a
    group."""
    before = [one for one in sheet.places.get(key(field.name, value), ()) if one.owner < row.first]
    for place in sorted((one for one in before if one.carrier == "attribute"), key=lambda one: -one.owner)[:2]:
        for css, cost in outside(sheet.index.dom, place.owner):
            yield Reading(Read("preceding", (css, place.name)), 0.8 + cost + _PART * (not place.whole), "attribute")
    found = 0
    for number in range(row.first - 1, max(row.first - _FAR, 0), -1):
        if sheet.last[number] >= row.first or not sheet.says(number, value, field):
            continue
        day = _day_like(sheet.index.dom.shown(number)) if field.kind in DATES else None
        for css, cost in outside(sheet.index.dom, number):
            yield Reading(Read("preceding", (css,)), 0.6 + cost + 0.1 * found, "text")
            if day:
                yield Reading(Read("preceding", (css, "", day)), 0.6 + cost + 0.1 * found + _LIKE, "text")
        found += 1
        if found == 3:
            return


def _day_like(text: str) -> str | None:
    """The pattern of days by which this heading is told from others of its sort."""
    return next((pattern for pattern in DAYS if re.search(pattern, text)), None)


def once(sheet: Sheet, value: Value) -> Iterator[Reading]:
    """Readings of a value that stands on the page for all its records."""
    for place in sheet.places.get(value, ())[:_MOST_PLACES]:
        if place.carrier != "json":
            for css, cost in outside(sheet.index.dom, place.owner):
                if place.carrier == "text":
                    yield Reading(Read("text", (css,), "page"), 1.0 + cost, "text")
                else:
                    yield Reading(Read("attr", (css, place.name), "page"), 1.0 + cost, "attribute")
