"""A page under study: its view with every reading remembered, and its index."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from selectolax.lexbor import LexborNode

from crawloop.carriers.index import Index, index
from crawloop.carriers.recent import Recent
from crawloop.extract.bounds import guard
from crawloop.extract.dom.nodes import own_text, visible_text
from crawloop.extract.reading import Expression, evaluate
from crawloop.extract.view import PageView
from crawloop.model.page import Page
from crawloop.strategy.shaping.shape import Shape

Told = dict[Expression, tuple[Any, bool | None]]
"""By reading: its value on a page, and whether that is right there; None where the page does not tell."""


class _Remembered:
    """Stands in for a PageView; each reading is made once."""

    def __init__(self, view: PageView) -> None:
        self._view = view
        self._known: dict[tuple[str, tuple[Any, ...], tuple[str, ...]], Any] = {}

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._view, name)
        if not callable(member):
            return member
        known = self._known

        def reading(*args: Any, **named: Any) -> Any:
            if any(isinstance(one, list) for one in args):  # links that are joined to the base
                return _tried(member, args, named)
            key = name, args, tuple(named)
            if key not in known:
                known[key] = _tried(member, args, named)
            return known[key]

        setattr(self, name, reading)
        return reading


def _tried(member: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any]) -> Any:
    try:
        return member(*args, **named)
    except ValueError:  # a selector or path that this page's names made invalid
        return None


class _Studied(PageView):
    """A page of which many selectors are tried: each is looked for once, and what an element says put together once."""

    __slots__ = ("_found", "_owns", "_shows")

    def __init__(self, html: str, url: str) -> None:
        super().__init__(html, url)
        self._found: dict[str, LexborNode | None] = {}
        self._shows: dict[int, str] = {}
        self._owns: dict[int, str] = {}

    def count(self, css: str) -> int:
        """How many elements a selector matches."""
        return len(self._all(css))

    def _first(self, css: str) -> LexborNode | None:
        if css not in self._found:
            self._found[css] = super()._first(css)
        return self._found[css]

    def _shown(self, node: LexborNode) -> str:
        return _once(self._shows, node, visible_text)

    def _own(self, node: LexborNode) -> str:
        return _once(self._owns, node, own_text)


def _once(known: dict[int, str], node: LexborNode, said: Callable[[LexborNode], str]) -> str:
    number = node.mem_id
    if number not in known:
        known[number] = said(node)
    return known[number]


class Lens:
    """A page under study. Whatever it remembers follows from the page alone."""

    def __init__(self, html: str, base: str) -> None:
        self.view = _Studied(html, base)
        self.url = self.view.absolute("#") or base
        self._remembered = _Remembered(self.view)
        self._counts: dict[str, int] = {}
        self.shapes: dict[tuple[str | int, str | int, str], list[Shape]] = {}
        self.observed: dict[str, tuple[str, ...]] = {}
        self.gathered: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        self.told: dict[tuple[Any, ...], Told] = {}

    @cached_property
    def index(self) -> Index:
        """Where values stand on the page."""
        return index(self.view)

    def count(self, css: str) -> int:
        """How many elements a selector matches."""
        if css not in self._counts:
            self._counts[css] = _tried(self.view.count, (css,), {}) or 0
        return self._counts[css]

    def read(self, expression: Expression) -> Any:
        """What an expression gives on this page; None where a transform cannot take what it is given."""
        try:
            return evaluate(expression, self._remembered, self._remembered)
        except (ValueError, TypeError, AttributeError, OverflowError):
            return None


_recent = Recent(Lens)


def lens(page: Page) -> Lens:
    """The page under its lens; the last few are kept. Raises PageRefused where it cannot be parsed safely."""
    guard.check(page.html)
    return _recent(page.html, page.base)
