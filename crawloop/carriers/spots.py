"""Many short texts of a page with where each stands, in little memory: few of them are ever asked for.

A spot is what a Place is made of: carrier, owner, name, whole, at.
"""

from __future__ import annotations

from collections.abc import Iterator

from crawloop.carriers.stream import Stream

Spot = tuple[str, int, str, bool, int]


class Spots:
    """Squashed texts, each with its spot, to be looked through for what stands in them."""

    def __init__(self) -> None:
        self._spots: list[Spot] = []
        self._texts: list[str] = []
        self._stream = Stream(gap=True)

    def add(self, spot: Spot, squashed: str) -> None:
        """Appends a text that is not empty."""
        self._stream.add(squashed, len(self._spots))
        self._spots.append(spot)
        self._texts.append(squashed)

    def holding(self, *squashed: str) -> Iterator[tuple[Spot, str]]:
        """The texts in which one of these stands, in the order in which they were given."""
        numbers = sorted({number for one in squashed for number in self._stream.holding(one)})
        return ((self._spots[number], self._texts[number]) for number in numbers)
