"""Whether a value stands where a model says that it does, among the lines that it was shown.

A cell of an answer is {"value": …, "line": n or [n, …], "snippet": "words of the page"}, or the bare value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape, unescape
from typing import Any

from crawloop.brief.form import WORDED_OTHERWISE
from crawloop.brief.prune import Window
from crawloop.carriers import support
from crawloop.extract.view import PageView
from crawloop.model.kind import Field
from crawloop.model.page import Page
from crawloop.model.truth import QUOTE, Evidence
from crawloop.values import squash

_LONGEST_SNIPPET = 300
_LINK = re.compile(r"&lt;(.+?)&gt;")


@dataclass(frozen=True, slots=True)
class Cell:
    """What an answer says of one field. `lines` are those that it cites."""

    value: Any
    lines: tuple[int, ...] = ()
    snippet: str = ""

    @classmethod
    def of(cls, said: Any) -> Cell:
        if not isinstance(said, dict):
            return cls(said)
        line, snippet = said.get("line"), said.get("snippet")
        lines = line if isinstance(line, list) else [line]
        cited = tuple(one for one in lines if isinstance(one, int) and not isinstance(one, bool))
        return cls(said.get("value"), cited, snippet if isinstance(snippet, str) else "")


class Shown:
    """The lines of a page that a model was shown."""

    def __init__(self, windows: Iterable[Window], page: Page) -> None:
        self._lines: Mapping[int, str] = {number: line for window in windows for number, line in window.lines}
        self._loose = squash(unescape("\n".join(self._lines.values())))
        self._page = page

    def evidence(self, cell: Cell, field: Field) -> tuple[Evidence, ...] | None:
        """Where the value stands: the words cited, () where only the page as a whole holds it, None for nowhere.

        Choices, yes and no may be worded otherwise than the page words them: their words must be there.
        """
        cited = self._cited(cell)
        if cited and (field.kind in WORDED_OTHERWISE or self._says(cited, cell.value, field)):
            return (Evidence(QUOTE, "", cited[:_LONGEST_SNIPPET]),)
        return () if self._holds(cell.value) else None

    def _cited(self, cell: Cell) -> str:
        """The words that the cell cites: its snippet where that is on the page, else its lines."""
        if cell.snippet and self._stands(cell.snippet):
            return cell.snippet
        return "\n".join(self._lines[one] for one in cell.lines if one in self._lines)

    def _says(self, text: str, value: Any, field: Field) -> bool:
        """Whether a part of the page that says just this carries the value, by the search that looks in pages."""
        lines = (_LINK.sub(r'<a href="\1">-</a>', escape(line)) for line in text.splitlines())
        view = PageView("".join(f"<p>{line}</p>" for line in lines), self._page.base)
        return bool(support(view, value, field))

    def _holds(self, value: Any) -> bool:
        if isinstance(value, list):
            return bool(value) and all(map(self._holds, value))
        return not isinstance(value, bool) and self._stands(str(value))

    def _stands(self, text: str) -> bool:
        loose = squash(unescape(text))
        return bool(loose) and loose in self._loose
