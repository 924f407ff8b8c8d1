"""Many short texts of a page with where each stands, in little memory: few of them are ever asked for.

A spot is what a Place is made of: carrier, owner, name, whole, at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from crawloop.carriers.stream import Stream

Spot = tuple[str, int, str, bool, int]


class Spots:
    """Squashed texts, each with its spot, to be looked through for what stands in them."""

    def __init__(self, found: Iterable[tuple[Spot, str]]) -> None:
        self._spots: list[Spot] = []
        self._texts: list[str] = []
        self._stream = Stream(gap=True)
        for spot, loose in found:
            self._stream.add(loose, len(self._spots))
            self._spots.append(spot)
            self._texts.append(loose)

    def holding(self, *squashed: str) -> Iterator[tuple[Spot, str]]:
        """The texts in which one of these stands, in the order in which they were given."""
        numbers = sorted({number for one in squashed for number in self._stream.holding(one)})
        return ((self._spots[number], self._texts[number]) for number in numbers)
