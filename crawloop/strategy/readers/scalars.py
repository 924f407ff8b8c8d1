"""Readers of single values, from each carrier in which the value stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from crawloop.carriers.index import Place
from crawloop.carriers.naming import affinity
from crawloop.extract.reading import Read
from crawloop.model.kind import Field, Kind
from crawloop.strategy.readers.head import by_key
from crawloop.strategy.readers.json_paths import paths
from crawloop.strategy.readers.labels import GUESSED, is_written, labels
from crawloop.strategy.readers.lens import Lens
from crawloop.strategy.readers.reader import ENOUGH, MOST_PLACES, Reader, cheapest, once, shaped
from crawloop.strategy.readers.selectors import selectors
from crawloop.strategy.shaping.shape import same

_NAMED = 0.6
_OWN = 0.6  # what it costs to leave out the elements in an element
_CUT = 0.5  # what a cut costs at least
SPARE = 1.5  # what it costs to cut a value out of a text in which an element holds just that value
_SHARED = 0.8  # what it costs a selector that other elements of the page answer to as well: the first one may move
_BARE = 0.05  # what a bare text after a label costs beside all that the label stands for
_GUESSED = 0.3  # what it costs that a label is not written as one
_LONGEST_PHRASE = 30
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")


def of_scalar(lens: Lens, sought: Any, value: Any, field: Field, carriers: frozenset[str]) -> Iterator[Reader]:
    """Readers of the places of `sought`, shaped into `value`."""
    single = field.single
    places = lens.index.places(sought, single)
    if "json" in carriers:
        for place in some(places, "json", 2 * MOST_PLACES):
            yield from once(_from_leaf, lens, place, value, field)
    if "dom" in carriers:
        exact = [one.owner for one in places if one.carrier == "text" and one.whole]
        for place in some(_labelled_first(lens, places, field), "text", MOST_PLACES):
            found = once(_from_element, lens, place, value, field)
            spare = _holds(lens, place.owner, exact)
            yield from (one.dearer(SPARE) for one in found) if spare else found
        for place in some(places, "attribute", MOST_PLACES):
            yield from once(_from_attribute, lens, place, value, field)


def some(places: list[Place], carrier: str, most: int) -> list[Place]:
    """The first places of a carrier; where the value is only a part, half as many, whatever else there is."""
    ours = [one for one in places if one.carrier == carrier]
    return [one for one in ours if one.whole][:most] + [one for one in ours if not one.whole][: most // 2]


def _labelled_first(lens: Lens, places: list[Place], field: Field) -> list[Place]:
    """The places, those first that stand in their text after a name of the field, such as "Jury demand: none"."""
    named = [
        one for one in places if one.carrier == "text" and not one.whole and _affinity_ahead(lens, one, field) >= _NAMED
    ]
    return [*named, *(one for one in places if one not in named)] if named else places


def _affinity_ahead(lens: Lens, place: Place, field: Field) -> float:
    ahead = lens.index.dom.before(place.at)[0] if place.at >= 0 else ""
    return affinity(field, ahead.rstrip(" :")) if ahead.endswith(":") else 0.0


def _holds(lens: Lens, number: int, exact: list[int]) -> bool:
    """Whether one of the exact elements stands within the element, among other texts."""
    dom = lens.index.dom
    first, last = dom.starts[number], dom.ends[number]
    spans = ((dom.starts[one], dom.ends[one]) for one in exact)
    return any(first <= start and end <= last and (start, end) != (first, last) for start, end in spans)


def phrases(lens: Lens, value: str, field: Field) -> Iterator[Reader]:
    """Fixed words around a number that stands alone in a place named after the field."""
    numbers = _NUMBER.findall(value)
    if len(numbers) != 1 or len(value) > _LONGEST_PHRASE or numbers[0] == value.strip():
        return
    count = float(numbers[0].replace(",", "."))
    for place in lens.index.places(count if count % 1 else int(count), Field(field.name, Kind.NUMBER)):
        keys = [one for one in lens.index.leaf(place).steps if isinstance(one, str)] if place.carrier == "json" else []
        if keys and affinity(field, keys[-1]) >= _NAMED:
            yield from _from_leaf(lens, place, value, field)


def _from_leaf(lens: Lens, place: Place, value: Any, field: Field) -> Iterator[Reader]:
    leaf = lens.index.leaf(place)
    extra = 0.0 if place.whole else 0.4
    for path, cost in paths(leaf, lens.index.leaves, field):
        yield from shaped(lens, Read("json", (path,)), value, field, cost + extra, "json")


def _from_element(lens: Lens, place: Place, value: Any, field: Field) -> Iterator[Reader]:
    dom, number = lens.index.dom, place.owner
    extra = 0.5 if place.whole else 1.0
    yield from _beside_a_label(lens, place, value, field, extra)
    raw = dom.shown(number)
    if not place.whole and len(raw) > 400 + 3 * len(str(value)) and place.at != dom.starts[number]:
        return
    loose = dom.loose(number)
    found_at = cheapest(selectors(dom, number, field), value)
    if not place.whole:
        yield from _bare(lens, found_at, value, field)
    methods = ("text",) if place.whole else ("text", "own_text")
    for method in methods:
        found = 0
        for css, cost in found_at:
            got = list(shaped(lens, Read(method, (css,)), value, field, extra + cost, "text"))
            found += bool(got)
            is_shared = bool(got) and lens.count(css) > 1
            yield from (one.dearer(_SHARED) for one in got) if is_shared else got
            if found >= ENOUGH:
                break
        if found and loose:
            break


def _bare(lens: Lens, found: list[tuple[str, float]], value: Any, field: Field) -> Iterator[Reader]:
    """What an element says itself, without the elements in it, where that is the value as it stands."""
    if field.kind is Kind.TEXT:
        for css, cost in found[:ENOUGH]:
            if same(lens.read(own := Read("own_text", (css,))), value, field, lens.url):
                yield Reader(own, _OWN + cost + _SHARED * (lens.count(css) > 1), "text")


def _beside_a_label(lens: Lens, place: Place, value: Any, field: Field, extra: float) -> Iterator[Reader]:
    """What stands beside a label: all of it, cut to the value, or as a bare text that is the value as it stands."""
    for label, cost in labels(lens.index.dom, place, field):
        is_one = is_written(lens.index.dom, label)
        carrier, cost = ("label", cost) if is_one else (GUESSED, cost + _GUESSED)
        for one in shaped(lens, Read("labelled", (label,)), value, field, extra + cost, carrier):
            is_cut = place.whole and field.kind is Kind.TEXT and one.cost >= extra + cost + _CUT
            yield one.dearer(_CUT + SPARE) if is_cut else one
        if field.kind is Kind.TEXT and same(lens.read(bare := Read("tail", (label,))), value, field, lens.url):
            yield Reader(bare, extra + cost + _BARE, carrier)


def _from_attribute(lens: Lens, place: Place, value: Any, field: Field) -> Iterator[Reader]:
    dom, number = lens.index.dom, place.owner
    extra = (0.3 if dom.tags[number] in ("meta", "link", "html") else 0.6) + (0.0 if place.whole else 0.5)
    carrier = "meta" if dom.tags[number] == "meta" else "attribute"
    found = 0
    for css, cost in cheapest(selectors(dom, number, field), value):
        read = by_key(lens, number, Read("attr", (css, place.name)))
        got = list(shaped(lens, read, value, field, extra + cost, carrier))
        found += bool(got)
        yield from got
        if found >= ENOUGH:
            break
