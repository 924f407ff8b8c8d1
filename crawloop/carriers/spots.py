"""Many short texts of a page with where each stands, in little memory: few of them are ever asked for.

A spot is what a Place is made of: carrier, owner, name, whole, at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crawloop.carriers.stream import Stream

Spot = tuple[str, int, str, bool, int]


class Spots:
    """Squashed texts, none empty, each with its spot, to be looked through for what stands in them."""

    def __init__(self, texts: Sequence[tuple[Spot, str]]) -> None:
        self._texts = texts
        self._stream = Stream.numbered([squashed for _, squashed in texts])

    def holding(self, *squashed: str) -> Iterator[tuple[Spot, str]]:
        """The texts in which one of these stands, in the order in which they were given."""
        numbers = sorted({number for one in squashed for number in self._stream.holding(one)})
        return (self._texts[number] for number in numbers)
