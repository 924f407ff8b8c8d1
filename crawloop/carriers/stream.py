"""Loose text: only letters and digits, folded, so that a value is found whatever stands between its characters.

A Stream strings many texts together and says for every place in it whose text stands there.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")

GAP = "\0"
MOST_HITS = 400


def bare(text: str) -> str:
    """`text` without markup and entities, as values of JSON and attributes often hold them."""
    if "&" in text:
        text = html.unescape(text)
    return _TAG.sub(" ", text) if "<" in text else text


class Stream:
    """Texts strung together; owners are numbers that the caller gives. With `gap` no hit spans two texts."""

    def __init__(self, gap: bool) -> None:
        self._gap = gap
        self._parts: list[str] = []
        self._starts: list[int] = []
        self._owners: list[int] = []
        self._whole: str | None = None
        self.length = 0

    @classmethod
    def numbered(cls, squashed: Sequence[str]) -> Stream:
        """Texts with gaps, none of them empty, owned by their positions."""
        stream = cls(gap=True)
        stream._parts = [f"{one}{GAP}" for one in squashed]
        *stream._starts, stream.length = accumulate(map(len, stream._parts), initial=0)
        stream._owners = list(range(len(squashed)))
        return stream

    def add(self, squashed: str, owner: int) -> None:
        """Appends one text; empty ones are left out."""
        if squashed:
            self._starts.append(self.length)
            self._owners.append(owner)
            self._parts.append(squashed)
            self.length += len(squashed)
            if self._gap:
                self._parts.append(GAP)
                self.length += 1

    @property
    def text(self) -> str:
        if self._whole is None:
            self._whole = "".join(self._parts)
            self._parts = [self._whole]
        return self._whole

    def hits(self, squashed: str) -> Iterator[tuple[int, int]]:
        """Start and end of each place where `squashed` stands, MOST_HITS at most."""
        if not squashed:
            return
        at = self.text.find(squashed)
        for _ in range(MOST_HITS):
            if at < 0:
                return
            yield at, at + len(squashed)
            at = self.text.find(squashed, at + 1)

    def holding(self, squashed: str) -> Iterator[int]:
        """The owner of each text in which `squashed` stands; between two texts there must be a gap."""
        at = self.text.find(squashed)
        while at >= 0:
            place = bisect_right(self._starts, at)
            yield self._owners[place - 1]
            if place == len(self._starts):
                return
            at = self.text.find(squashed, self._starts[place])

    def spans(self) -> Iterator[tuple[int, int, int]]:
        """Start, end and owner of every text."""
        ends = [*self._starts[1:], self.length] if self._starts else []
        short = 1 if self._gap else 0
        for start, end, owner in zip(self._starts, ends, self._owners, strict=True):
            yield start, end - short, owner

    def owner(self, offset: int) -> int:
        """Whose text stands at `offset`."""
        return self._owners[bisect_right(self._starts, offset) - 1]

    def span(self, offset: int) -> tuple[int, int]:
        """Start and end of the text that stands at `offset`."""
        place = bisect_right(self._starts, offset)
        start = self._starts[place - 1]
        end = self._starts[place] if place < len(self._starts) else self.length
        return start, end - (1 if self._gap else 0)
