"""The elements of one page as a table: tags, attributes, parents, and where the text of each stands in the stream.

Built for induction only: serving never needs it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Any, TypeVar

from crawloop.carriers.stream import Stream, bare
from crawloop.extract.dom.tags import BLOCKS
from crawloop.values import squash

_T = TypeVar("_T")
_UNSEEN = {
    *("audio", "canvas", "datalist", "iframe", "noembed", "noframes", "noscript"),
    *("script", "style", "svg", "template", "video", "xmp"),
}
_NO_VALUE = {
    *("align", "aria-controls", "aria-expanded", "aria-hidden", "as", "autocomplete", "bgcolor", "border"),
    *("cellpadding", "cellspacing", "charset", "class", "colspan", "crossorigin", "d", "decoding", "draggable"),
    *("enctype", "fetchpriority", "fill", "frameborder", "height", "hspace", "integrity", "loading", "maxlength"),
    *("method", "nonce", "points", "rel", "rowspan", "scrolling", "size", "sizes", "spellcheck", "srcdoc"),
    *("stroke", "style", "tabindex", "target", "transform", "valign", "viewbox", "vspace", "width"),
}
_BARE: dict[str, str] = {}
_PARTS_FROM = re.compile(r"\s+[^\w\s]|\s*[|·•»(]")  # what follows the name of a thing in a title
_TITLE_PARTS = re.compile(r"\s+[-–—|·•»:]\s+|\s*[|·•»]\s*")
_LONGEST_ATTRIBUTE = 20_000


class Dom:
    """The elements in document order. Numbers are positions in that order; the root's parent is -1."""

    def __init__(self, root: Any) -> None:
        self.tags: list[str] = []
        self.attributes: list[dict[str, str]] = []
        self.parents: list[int] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.text = Stream(gap=False)
        self.values = Stream(gap=True)
        self.value_places: list[tuple[int, str]] = []
        self._known: dict[Hashable, Any] = {}
        self._chunks: list[str] = []
        self._chunk_starts: list[int] = []
        self._firsts: list[int] = []
        self._lasts: list[int] = []
        self._walk(root)

    def _walk(self, root: Any) -> None:
        """Depth first without recursion, so that deep pages do not exhaust the stack."""
        stack: list[tuple[Any, int, bool]] = [(root, -1, True)]
        while stack:
            node, parent, seen = stack.pop()
            if node is None:
                self.ends[parent] = self.text.length
                self._lasts[parent] = len(self._chunks)
                continue
            tag = node.tag
            if tag == "-text":
                if seen:
                    self._add_text(node.text_content or "", parent)
                continue
            if tag.startswith("-"):
                continue
            number = self._add(node, tag, parent)
            stack.append((None, number, seen))
            seen = seen and tag not in _UNSEEN
            children = []
            child = node.first_child
            while child is not None:
                children.append((child, number, seen))
                child = child.next
            stack.extend(reversed(children))

    def _add_text(self, text: str, parent: int) -> None:
        if text and not text.isspace():
            self._chunks.append(text)
            self._chunk_starts.append(self.text.length)
            self.text.add(squash(text), parent)

    def _add(self, node: Any, tag: str, parent: int) -> int:
        number = len(self.tags)
        attributes = {name: value or "" for name, value in node.attributes.items()} or _BARE
        self.tags.append(tag)
        self.attributes.append(attributes)
        self.parents.append(parent)
        self.starts.append(self.text.length)
        self.ends.append(self.text.length)
        self._firsts.append(len(self._chunks))
        self._lasts.append(len(self._chunks))
        for name, value in attributes.items():
            if value and name not in _NO_VALUE and len(value) <= _LONGEST_ATTRIBUTE and (loose := squash(bare(value))):
                self.values.add(loose, len(self.value_places))
                self.value_places.append((number, name))
        return number

    @cached_property
    def by_range(self) -> dict[tuple[int, int], list[int]]:
        """Elements by the range of their text, outermost first."""
        found: dict[tuple[int, int], list[int]] = defaultdict(list)
        for number, (start, end) in enumerate(zip(self.starts, self.ends, strict=True)):
            if end > start:
                found[start, end].append(number)
        return found

    def is_headed(self, loose: str) -> bool:
        """Whether a squashed text is the page's first heading, its title, or a part with which that begins."""
        said = [self.shown(next((n for n, tag in enumerate(self.tags) if tag == one), 0)) for one in ("h1", "title")]
        starts = [(one, cut.start()) for one in said for cut in _PARTS_FROM.finditer(one)]
        return bool(loose) and loose in {*map(squash, said), *(squash(one[:end]) for one, end in starts)}

    @cached_property
    def called(self) -> frozenset[str]:
        """What the page is called, squashed: its first headings, its title and the parts of that."""
        whole = [n for n, tag in enumerate(self.tags) if tag in ("title", "h1")]
        titles = [self.raw(self.starts[n], self.ends[n]) for n in whole if self.ends[n] > self.starts[n]]
        parts = [part for title in titles for part in _TITLE_PARTS.split(title)]
        return frozenset(map(squash, (*titles, *parts))) - {""}

    @cached_property
    def children(self) -> list[list[int]]:
        """Child elements of each element."""
        found: list[list[int]] = [[] for _ in self.tags]
        for number, parent in enumerate(self.parents):
            if parent >= 0:
                found[parent].append(number)
        return found

    def is_line(self, number: int) -> bool:
        """Whether the text of an element is one line or paragraph: none before or after it, no break in it."""
        span = self.starts[number], self.ends[number]
        same = self.by_range.get(span, [number])
        block = next((one for one in (number, *self.ancestors(number)) if self.tags[one] in BLOCKS), -1)
        below = (one for one in range(same[-1] + 1, len(self.tags)) if self.starts[one] < span[1])
        return block in same and not any(self.tags[one] in BLOCKS and self.ends[one] > span[0] for one in below)

    def place(self, number: int) -> int:
        """Position of the element among its siblings of the same tag, from 1."""
        parent = self.parents[number]
        if parent < 0:
            return 1
        same = [one for one in self.children[parent] if self.tags[one] == self.tags[number]]
        return same.index(number) + 1

    def ancestors(self, number: int) -> list[int]:
        """The parents, nearest first."""
        found = []
        while (number := self.parents[number]) >= 0:
            found.append(number)
        return found

    def covering(self, start: int, end: int) -> int:
        """The deepest element whose text holds the whole range."""
        number = self.text.owner(start)
        while self.ends[number] < end and self.parents[number] >= 0:
            number = self.parents[number]
        return number

    def shown(self, number: int) -> str:
        """The text of an element as it stands on the page, chunks apart, signs at its ends included."""
        return " ".join(" ".join(self._chunks[self._firsts[number] : self._lasts[number]]).split())

    def raw(self, start: int, end: int) -> str:
        """The text of a range as it stands on the page, chunks apart."""
        first, last = bisect_left(self._chunk_starts, start), bisect_left(self._chunk_starts, end)
        if first == len(self._chunks) or self._chunk_starts[first] > start:
            first -= 1
        return " ".join(" ".join(self._chunks[first:last]).split())

    def before(self, offset: int) -> tuple[str, str]:
        """What stands before an offset: in its own chunk, and the whole chunk before that."""
        place = bisect_right(self._chunk_starts, offset) - 1
        while place > 0 and self._chunk_starts[place - 1] == self._chunk_starts[place]:
            place -= 1
        own = self._chunks[place]
        skip, seen = offset - self._chunk_starts[place], 0
        end = 0
        while end < len(own) and seen < skip:
            seen += len(squash(own[end]))
            end += 1
        ahead = " ".join(self._chunks[place - 1].split()) if place else ""
        return " ".join(own[:end].split()), ahead

    def once(self, key: Hashable, find: Callable[[], _T]) -> _T:
        """What `find` gives for this page, found once; each finder has keys of its own."""
        if key not in self._known:
            self._known[key] = find()
        found: _T = self._known[key]
        return found

    def is_own(self, start: int, end: int) -> bool:
        """Whether a range is just what one text node says."""
        first = bisect_right(self._chunk_starts, start) - 1
        ends = (*self._chunk_starts[first + 1 : first + 2], self.text.length)
        return first >= 0 and (self._chunk_starts[first], ends[0]) == (start, end)

    def around(self, offset: int, many: int) -> tuple[str, ...]:
        """The texts around the one that holds an offset, and that itself: so many before it and after it."""
        place = bisect_right(self._chunk_starts, offset) - 1
        return tuple(self._chunks[max(0, place - many) : place + many + 1])

    def loose(self, number: int) -> str:
        """The element's text, squashed."""
        return self.text.text[self.starts[number] : self.ends[number]]
