"""A page as a model is shown it: what readers see in numbered lines, then its JSON, in windows of so many tokens.

The model cites lines by their numbers, which go on from window to window. Windows overlap, so that no record is cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser

from crawloop.brief.chrome import without_chrome
from crawloop.brief.facts import facts
from crawloop.brief.focus import Focus
from crawloop.brief.tokens import tokens
from crawloop.brief.visible import visible
from crawloop.extract.bounds.guard import check
from crawloop.extract.data.islands import Islands
from crawloop.model.kind import Schema
from crawloop.model.page import Page

WINDOW = 9_000  # tokens, as `tokens` estimates them
_OVERLAP = 0.05
_LONGEST = 4_000  # signs of a line; what is longer goes on in the next


@dataclass(frozen=True, slots=True)
class Window:
    """So many lines of a page, by number."""

    lines: tuple[tuple[int, str], ...]

    @property
    def text(self) -> str:
        return "\n".join(f"[{number}] {line}" for number, line in self.lines)


def pruned(page: Page, schema: Schema, beside: Sequence[Page] = (), window: int = WINDOW) -> tuple[Window, ...]:
    """The page in windows of at most so many tokens. Raises PageRefused where a page cannot be parsed safely."""
    focus = Focus.of(schema)
    lines = without_chrome(_lines(page, focus), [_lines(one, focus) for one in beside])
    return tuple(_windows(lines, window))


def _lines(page: Page, focus: Focus) -> list[str]:
    check(page.html)
    tree = LexborHTMLParser(page.html)
    if tree.root is None:
        return []
    seen = list(visible(tree, page, focus))
    below = facts(Islands(tree.root, page.html, page.base), focus, "\n".join(seen))
    return [piece for line in (*seen, *below) for piece in _pieces(line)]


def _pieces(line: str) -> Iterator[str]:
    """A line in parts that fit into any window, parted at words."""
    while len(line) > _LONGEST:
        at = line.rfind(" ", _LONGEST // 2, _LONGEST)
        at = _LONGEST if at < 0 else at
        yield line[:at]
        line = line[at:].lstrip()
    yield line


def _windows(lines: Sequence[str], window: int) -> Iterator[Window]:
    numbered = list(enumerate(lines, 1))
    costs = [tokens(f"[{number}] {line}") + 1 for number, line in numbered]
    start = 0
    while start < len(lines):
        end, room = start, window
        while end < len(lines) and (costs[end] <= room or end == start):
            room -= costs[end]
            end += 1
        yield Window(tuple(numbered[start:end]))
        if end == len(lines):
            return
        start = max(start + 1, _overlapping(costs, end, window))


def _overlapping(costs: Sequence[int], end: int, window: int) -> int:
    """Where the window after one that ends here begins."""
    room, start = int(window * _OVERLAP), end
    while start and costs[start - 1] <= room:
        start -= 1
        room -= costs[start]
    return start
