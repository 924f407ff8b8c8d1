"""Readers of lists, found from a few of their elements, or from the text in which all stand together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from crawloop.carriers.index import Place
from crawloop.extract.reading import Apply, Read
from crawloop.model.kind import Field, Kind
from crawloop.strategy.readers.head import by_key
from crawloop.strategy.readers.json_paths import list_paths, object_paths, paths
from crawloop.strategy.readers.labels import GUESSED, is_written, labels
from crawloop.strategy.readers.lens import Lens
from crawloop.strategy.readers.reader import ENOUGH, MOST_PLACES, TRIED, Reader, cheapest, once, shaped
from crawloop.strategy.readers.scalars import of_scalar
from crawloop.strategy.readers.selectors import list_selectors, selectors
from crawloop.strategy.readers.sifting import sifted
from crawloop.strategy.shaping.shape import loosely

_SORTS = 4
_STRAYS = 8  # matches beside the wanted ones: empty or repeated
_SORTED = 40
_AROUND = 1.5  # what it costs to read the only element of a list from the block around it: the next list is longer
_ALONE, _ALONE_AS_TEXT = 0.5, 0.7  # a short text that is a list of one: of an object's own, "a, b" may stand elsewhere
_FEW = 6  # words of a text that may be a list of one, parted by commas elsewhere
_SIFTED = 0.3  # what it costs to leave out some of the elements that a selector finds
_SPARE = 1.5  # what it costs to read line by line what stands item by item: other items may be several lines


def of_list(lens: Lens, value: list[Any], field: Field, carriers: frozenset[str]) -> Iterator[Reader]:
    if not value or any(isinstance(one, list | dict) or one is None for one in value):
        return
    yield from listed(lens, value, value, field, carriers)
    joined = "".join(str(one) for one in value)
    if "dom" in carriers:
        by = _SPARE if _are_items(lens, value, field) else 0.0
        yield from (one.dearer(by) for one in _from_lines(lens, joined, value, field))
    for reader in of_scalar(lens, joined if len(value) > 1 else value[0], value, field, carriers):
        around = _AROUND if len(value) == 1 and reader.carrier == "text" else 0.0
        yield replace(reader, cost=reader.cost + 0.3 + around)


def listed(lens: Lens, parts: list[Any], value: Any, field: Field, carriers: frozenset[str]) -> Iterator[Reader]:
    """Readers of lists whose elements are `parts`, shaped into `value`; found from the first, middle and last one."""
    single = field.single
    texts = False
    for part in dict.fromkeys((parts[0], parts[-1], parts[len(parts) // 2])):
        places = [one for one in lens.index.places(part, single) if one.whole or one.carrier != "attribute"]
        if "json" in carriers:
            for place in _in_json(lens, places, parts, carriers):
                yield from once(_from_leaves, lens, place, value, field)
        if "dom" in carriers:
            for place in [one for one in places if one.carrier == "text" and one.whole][:MOST_PLACES]:
                for reader in once(_from_elements, lens, place, value, field):
                    texts = True
                    yield reader
            for place in [one for one in places if one.carrier == "attribute"][: MOST_PLACES // 2]:
                yield from once(_from_attributes, lens, place, value, field)
    if "dom" in carriers and not texts and len(parts) > 1 and field.kind is Kind.TEXT:
        yield from _united(lens, parts, value, field)


def _in_json(lens: Lens, places: list[Place], parts: list[Any], carriers: frozenset[str]) -> list[Place]:
    """The first places in JSON; not those in microdata of lists of several elements that can be read as what they are:
    then it shows where a heading or a note is marked as one of them."""
    as_elements = len(parts) > 1 and "dom" in carriers
    found = [one for one in places if one.carrier == "json"][:MOST_PLACES]
    return [one for one in found if not (as_elements and lens.index.leaf(one).island == "#")]


def _are_items(lens: Lens, value: list[Any], field: Field) -> bool:
    """Whether the elements, told at length, stand on the page as items of lists."""
    tags, longest = lens.index.dom.tags, max(value, key=lambda one: len(str(one)))
    places = lens.index.places(longest, field.single) if len(str(longest).split()) > _FEW else []
    return any(one.carrier == "text" and one.whole and tags[one.owner] == "li" for one in places)


def _from_leaves(lens: Lens, place: Place, value: Any, field: Field) -> Iterator[Reader]:
    leaf, leaves = lens.index.leaf(place), lens.index.leaves
    for path, cost in list_paths(leaf, leaves, field):
        yield from shaped(lens, Read("json_all", (path,)), value, field, cost, "json")
    for path, cost in object_paths(leaf, leaves, field) if field.kind is Kind.TEXT else ():
        yield from shaped(lens, Apply("prose", (Read("json_all", (path,)),)), value, field, cost, "json")
    short = isinstance(leaf.value, str) and len(leaf.value.split()) <= _FEW
    for path, cost in paths(leaf, leaves, field):
        alone = (_ALONE if "." in path.partition(".")[2] else _ALONE_AS_TEXT) if short else 0.05
        yield from shaped(lens, Read("json_all", (path,)), value, field, cost + alone, "json")


def _from_elements(lens: Lens, place: Place, value: Any, field: Field) -> Iterator[Reader]:
    dom = lens.index.dom
    spans = dom.by_range.get((dom.starts[place.owner], dom.ends[place.owner]), [place.owner])
    around = _AROUND if isinstance(value, list) and len(value) == 1 and place.owner != spans[-1] else 0.0
    for method in ("texts", "own_texts"):
        found = 0
        for css, cost in cheapest(list_selectors(dom, place.owner, field), value, 2 * TRIED):
            if isinstance(value, list) and not len(value) <= lens.count(css) <= 4 * len(value) + _STRAYS:
                continue
            got = list(shaped(lens, Read(method, (css,)), value, field, 0.5 + cost + around, "text"))
            found += bool(got)
            yield from got
            if found >= 2 * ENOUGH:
                return
        if found:
            return
    if isinstance(value, list):
        yield from _sifted(lens, place, value, field)


def _sifted(lens: Lens, place: Place, value: list[Any], field: Field) -> Iterator[Reader]:
    found = 0
    for css, cost in cheapest(list_selectors(lens.index.dom, place.owner, field), value):
        for read, more in sifted(lens, css, value, field):
            got = list(shaped(lens, read, value, field, 0.5 + _SIFTED + cost + more, "text"))
            found += bool(got)
            yield from got
        if found >= ENOUGH:
            return


def _from_lines(lens: Lens, joined: str, value: list[Any], field: Field) -> Iterator[Reader]:
    """Lists that stand line by line, as <br> breaks an address: in one element, or beside a label.

    A line that is a list of one may have the next page's elements parted by commas as well.
    """
    places = [one for one in lens.index.places_of_text(joined) if one.carrier == "text"]
    for place in places[:MOST_PLACES]:
        for label, cost in labels(lens.index.dom, place, field):
            carrier = "label" if is_written(lens.index.dom, label) else GUESSED
            read = Read("labelled_lines", (label,))
            if len(value) == 1 and lens.read(read) == value and "," not in value[0]:
                yield Reader(Apply("split", (read,), (",",)), 0.5 + cost, carrier)
                continue
            yield from shaped(lens, read, value, field, 0.5 + cost, carrier)
        found = 0
        for css, cost in cheapest(selectors(lens.index.dom, place.owner, field), value) if place.whole else ():
            got = list(shaped(lens, Read("lines", (css,)), value, field, 0.5 + cost, "text")) if len(value) > 1 else []
            found += bool(got)
            yield from got
            if found >= ENOUGH:
                break


def _united(lens: Lens, parts: list[Any], value: Any, field: Field) -> Iterator[Reader]:
    """Lists whose elements are of two sorts, such as headings and steps: two selectors together, in page order."""
    wanted = {loosely(str(one)) for one in parts}
    pure: dict[str, tuple[float, frozenset[str]]] = {}
    left = [str(one) for one in parts]
    for _ in range(_SORTS):
        if not left:
            break
        for css, cost in _selectors_of(lens, left[0], field):
            there = frozenset(loosely(one) for one in lens.read(Read("texts", (css,))) or ())
            if there and there <= wanted:
                pure[css] = cost, there
        reached = frozenset().union(*(there for _, there in pure.values()))
        left = [one for one in left[1:] if loosely(one) not in reached]
    if left:
        return
    ranked = sorted(pure.items(), key=lambda one: (-len(one[1][1]), one[1][0]))[:_SORTED]
    for place, (css, (cost, there)) in enumerate(ranked):
        for other, (more, rest) in ranked[place + 1 :]:
            if there | rest == wanted and there != wanted and rest != wanted:
                read = Read("texts", (f"{css}, {other}",))
                both = list(shaped(lens, read, value, field, 0.9 + (cost + more) / 2, "text"))
                yield from map(_once, both) if lens.count(css) == lens.count(other) == 1 else both


def _once(reader: Reader) -> Reader:
    """What one element and another say, once where they say the same."""
    return replace(reader, expression=Apply("unique", (reader.expression,)))


def _selectors_of(lens: Lens, part: str, field: Field) -> list[tuple[str, float]]:
    found: dict[str, float] = {}
    for place in [one for one in lens.index.places_of_text(part) if one.carrier == "text" and one.whole][:4]:
        found |= dict(cheapest(list_selectors(lens.index.dom, place.owner, field), part))
    return sorted(found.items(), key=lambda one: one[1])


def _from_attributes(lens: Lens, place: Place, value: Any, field: Field) -> Iterator[Reader]:
    found = 0
    for css, cost in cheapest(list_selectors(lens.index.dom, place.owner, field), value):
        read = by_key(lens, place.owner, Read("attrs", (css, place.name)))
        got = list(shaped(lens, read, value, field, 0.4 + cost, "attribute"))
        found += bool(got)
        yield from got
        if found >= ENOUGH:
            return
