"""The leaves of a page's JSON islands: every scalar with its path, and a stream to search them all at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from crawloop.carriers.stream import Stream, bare
from crawloop.values import squash

Step = str | int
MOST_LEAVES = 60_000
_DEEPEST = 40
_LONGEST_LEAF = 100_000


@dataclass(frozen=True, slots=True)
class Leaf:
    """A scalar in an island: keys and positions that lead to it from the island's root."""

    island: str
    steps: tuple[Step, ...]
    value: Any


class Leaves:
    """All leaves of the islands, breadth over depth bounded by MOST_LEAVES; `sizes` counts them by island."""

    def __init__(self, islands: Mapping[str, Any]) -> None:
        self.islands = islands
        self.all: list[Leaf] = []
        self.sizes: Counter[str] = Counter()
        self.stream = Stream(gap=True)
        for name, root in islands.items():
            self._walk(name, root)

    def _walk(self, island: str, root: Any) -> None:
        before = len(self.all)
        stack: list[tuple[tuple[Step, ...], Any]] = [((), root)]
        while stack and len(self.all) < MOST_LEAVES:
            steps, value = stack.pop()
            if isinstance(value, dict):
                if len(steps) < _DEEPEST:
                    stack.extend(((*steps, str(key)), one) for key, one in reversed(value.items()))
            elif isinstance(value, list):
                if len(steps) < _DEEPEST:
                    stack.extend(((*steps, place), value[place]) for place in range(len(value) - 1, -1, -1))
            elif value is not None and value != "":
                self._add(Leaf(island, steps, value))
        self.sizes[island] = len(self.all) - before

    def _add(self, leaf: Leaf) -> None:
        text = leaf.value if isinstance(leaf.value, str) else str(leaf.value)
        if len(text) <= _LONGEST_LEAF:
            self.stream.add(squash(bare(text)), len(self.all))
            self.all.append(leaf)

    def holders(self, leaf: Leaf) -> list[tuple[int, Any]]:
        """The objects and lists on the way to the leaf, root first, each with the number of steps that lead to it."""
        found = []
        value = self.islands[leaf.island]
        for depth, step in enumerate(leaf.steps):
            found.append((depth, value))
            value = value[step]
        return found
