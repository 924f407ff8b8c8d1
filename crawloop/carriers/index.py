"""Where values stand on one page: in its texts, its attributes and the leaves of its JSON.

    index(view).places("Jane Doe", field)   →   Place("text", 812, whole=True), Place("json", 31, whole=True), …

One string search finds every place of a value at once; numbers, dates and durations are looked for by their digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import quote, unquote

from selectolax.lexbor import LexborHTMLParser

from crawloop.carriers.digits import Wanted, spelled, wanted
from crawloop.carriers.dom import Dom
from crawloop.carriers.leaves import Leaf, Leaves
from crawloop.carriers.recent import Recent
from crawloop.carriers.spots import Spot, Spots
from crawloop.carriers.stream import bare
from crawloop.extract.data.islands import Islands
from crawloop.extract.data.microdata import items
from crawloop.model.kind import Field, Kind
from crawloop.model.truth import Evidence
from crawloop.values import base_url, squash

MOST_PLACES = 60
_SHORT = 120
_TINY = 3
_LINE = 60
_MOST_WORDS = 12
_PARTS = 20  # places in longer texts that are kept beside however many whole ones
_DIGIT = re.compile(r"\d")
_TYPED = frozenset((Kind.NUMBER, Kind.MONEY, Kind.DATE, Kind.DATETIME, Kind.DURATION))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands. `owner` is an element's number, or a leaf's for JSON; `whole` means nothing else is there.

    `carrier` is "text" (an element's whole text, or a part of it that starts `at` an offset of the text stream),
    "attribute" (named by `name`) or "json".
    """

    carrier: str
    owner: int
    name: str = ""
    whole: bool = True
    at: int = -1


@dataclass(frozen=True, slots=True)
class _Short:
    """Short texts of a page: `tiny` are those of up to three characters, which are only believed where they stand
    alone, `lines` those outside JSON that can be read as a line, `numeric` those with a digit."""

    tiny: dict[str, list[Spot]]
    lines: Spots
    numeric: Spots


class Index:
    """The carriers of one page. Reading it never changes it."""

    def __init__(self, html: str, url: str) -> None:
        # The page was let through by the guard before its view was made. The parser's tree is not kept: it is large.
        self.url = url
        root: Any = LexborHTMLParser(html).root
        islands = Islands(root, html, url=url)
        self.dom = Dom(root)
        self._places: dict[tuple[str, Kind], list[Place]] = {}
        self._texts: dict[str, list[Place]] = {}
        self._numeric: dict[Spot, str] = {}
        self.support: dict[tuple[str, Field], tuple[Evidence, ...]] = {}
        self.leaves = Leaves({name: islands.get(name) for name in islands.names()} | {"#": items(root)})

    @cached_property
    def base(self) -> str:
        """The address against which the page's links resolve: its own, or that of <base href>."""
        given = zip(self.dom.tags, self.dom.attributes, strict=True)
        href = next((one["href"].strip() for tag, one in given if tag == "base" and one.get("href")), "")
        return base_url(self.url, href)

    def leaf(self, place: Place) -> Leaf:
        return self.leaves.all[place.owner]

    def raw(self, place: Place) -> Any:
        """What stands at a place, as it stands there."""
        if place.carrier == "json":
            return self.leaf(place).value
        if place.carrier == "attribute":
            return self.dom.attributes[place.owner][place.name].strip()
        if place.whole:
            return self.dom.shown(place.owner)
        return self.dom.raw(*self.dom.text.span(place.at))

    def places(self, value: Any, field: Field) -> list[Place]:
        """Where a scalar value may stand, whole ones first; at most MOST_PLACES of each carrier."""
        key = repr(value), field.kind
        if key not in self._places:
            self._places[key] = self._found(value, field.kind)
        return self._places[key]

    def _found(self, value: Any, kind: Kind) -> list[Place]:
        found = list(self._by_digits(wanted(value, kind))) if kind in _TYPED else []
        if isinstance(value, str):
            for text in _spellings(value) if kind is Kind.URL else (value,):
                found += self.places_of_text(text)
        if kind in (Kind.DATE, Kind.DATETIME):
            found += self._in_prose(str(value), {(one.carrier, one.owner) for one in found})
        unique = list(dict.fromkeys(found))
        return [one for one in unique if one.whole] + [one for one in unique if not one.whole]

    def _in_prose(self, day: str, known: Set[tuple[str, int]]) -> list[Place]:
        """Where a day stands in texts that are too long to be looked at for its digits alone."""
        there = (one for text in spelled(day) for one in self.places_of_text(text))
        return [one for one in there if (one.carrier, one.owner) not in known]

    def places_of_text(self, text: str) -> list[Place]:
        """Where the letters and digits of `text` stand in this order."""
        if text not in self._texts:
            self._texts[text] = self._search(text)
        return self._texts[text]

    def _search(self, text: str) -> list[Place]:
        loose = squash(bare(text))
        if not loose:
            return []
        if len(loose) <= _TINY:
            alone = self._short.tiny.get(loose, [])[:MOST_PLACES]
            return [*(Place(*one) for one in alone), *self._as_word(loose, text)]
        return [*self._in_json(loose), *self._in_text(loose), *self._in_attributes(loose)]

    def _in_json(self, loose: str) -> list[Place]:
        stream = self.leaves.stream
        found = [
            Place("json", stream.owner(start), whole=stream.span(start) == (start, end))
            for start, end in stream.hits(loose)
        ]
        return sorted(dict.fromkeys(found), key=lambda one: not one.whole)[:MOST_PLACES]

    def _in_attributes(self, loose: str) -> list[Place]:
        stream, found = self.dom.values, []
        for start, end in stream.hits(loose):
            element, name = self.dom.value_places[stream.owner(start)]
            found.append(Place("attribute", element, name, stream.span(start) == (start, end)))
        return sorted(dict.fromkeys(found), key=lambda one: not one.whole)[:MOST_PLACES]

    def _in_text(self, loose: str) -> list[Place]:
        dom, found = self.dom, []
        for start, end in dom.text.hits(loose):
            exact = dom.by_range.get((start, end))
            if exact:
                found += [Place("text", one, at=start) for one in dict.fromkeys((exact[-1], exact[0]))]
            else:
                found.append(Place("text", dom.covering(start, end), whole=False, at=start))
        unique = list(dict.fromkeys(found))
        parts = [one for one in unique if not one.whole]
        return [one for one in unique if one.whole][: MOST_PLACES - min(len(parts), _PARTS)] + parts[:MOST_PLACES]

    @cached_property
    def _short(self) -> _Short:
        """The texts that are looked through one by one."""
        texts = [(spot, loose) for spot, loose in self._all_texts() if len(loose) <= _SHORT]
        tiny: dict[str, list[Spot]] = {}
        for spot, loose in texts:
            if len(loose) <= _TINY:
                tiny.setdefault(loose, []).extend(self._with_outer(spot, len(loose)))
        lines = [one for one in texts if len(one[1]) <= _LINE and one[0][0] != "json"]
        return _Short(tiny, Spots(lines), Spots([one for one in texts if _DIGIT.search(one[1])]))

    def _with_outer(self, spot: Spot, size: int) -> Iterator[Spot]:
        """A spot, and that of the outermost element which holds the same text, such as the cell of a link."""
        yield spot
        carrier, owner, name, whole, at = spot
        outer = self.dom.by_range.get((at, at + size), [owner])[0]
        if carrier == "text" and outer != owner:
            yield carrier, outer, name, whole, at

    def _as_word(self, loose: str, text: str) -> Iterator[Place]:
        """Where a tiny text stands as a word of its own in a short one."""
        word = re.compile(rf"(?<![\w]){re.escape(text.strip())}(?![\w])", re.I)
        counts = {"text": 0, "attribute": 0}
        for spot, there in self._short.lines.holding(loose):
            if len(loose) < len(there) and counts[spot[0]] < _MOST_WORDS:
                place = Place(*spot)
                if word.search(str(self.raw(place))):
                    yield replace(place, whole=False)
                    counts[place.carrier] += 1

    def _all_texts(self) -> Iterator[tuple[Spot, str]]:
        text = self.leaves.stream.text
        for start, end, owner in self.leaves.stream.spans():
            yield ("json", owner, "", True, -1), text[start:end]
        text = self.dom.text.text
        for (start, end), elements in self.dom.by_range.items():
            if end - start <= _SHORT:
                yield ("text", elements[-1], "", True, start), text[start:end]
        for start, end, owner in self.dom.text.spans():
            if end - start <= _SHORT and (start, end) not in self.dom.by_range:
                yield ("text", owner, "", False, start), text[start:end]
        text = self.dom.values.text
        for start, end, owner in self.dom.values.spans():
            element, name = self.dom.value_places[owner]
            yield ("attribute", element, name, True, -1), text[start:end]

    def _by_digits(self, seek: Wanted | None) -> Iterator[Place]:
        """Short texts that hold the digits of a number, date or duration."""
        if seek is None:
            return
        counts = {"json": 0, "text": 0, "attribute": 0}
        for spot, loose in self._short.numeric.holding(*seek.telling):
            if counts[spot[0]] < MOST_PLACES and seek.may_be_in(loose) and seek.is_in(self._said(spot)):
                counts[spot[0]] += 1
                yield Place(*spot)

    def _said(self, spot: Spot) -> str:
        """What stands there, as a text; many numbers are looked for in the same ones."""
        if spot not in self._numeric:
            self._numeric[spot] = str(self.raw(Place(*spot)))
        return self._numeric[spot]


def _spellings(url: str) -> tuple[str, ...]:
    """A URL as links may write it: whole, from the root of its host, or from its folder."""
    bare_url = url.split("#", 1)[0].strip()
    path = bare_url.partition("://")[2].partition("/")[2] if "://" in bare_url else bare_url
    name = path.rpartition("/")[2]
    return tuple(one for one in dict.fromkeys((url, path, name, unquote(name), quote(unquote(name)))) if one)


_recent = Recent(Index)


def index(view: Any) -> Index:
    """The index of a PageView; the last few pages are kept."""
    return _recent(view.html, view.url)
