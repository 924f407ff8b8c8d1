"""How deep a page nests, by following its tags as the parser does, wherever in doubt on the deeper side.

An end tag closes nothing across a table cell or another barrier. Formatting that is never closed (<b>, <font>) is
opened anew in the blocks after it; such copies are counted, since a small page can ask for millions of them.
"""

from __future__ import annotations

import re
from collections import Counter

from crawloop.errors import PageRefused
from crawloop.extract.bounds.elements import Format, Open, only, opened, without
from crawloop.extract.bounds.markup import RAW_TEXT, TAG
from crawloop.extract.dom import tags

MAX_DEPTH = 2_000
MAX_WORK = 30_000_000
MAX_COPIES = 100_000

_FONT = re.compile(r"\b(?:color|face|size)\b", re.I)

FORMATTED = re.compile(rf"<(?:{'|'.join(sorted(tags.FORMATTING))})(?:\s[^>]*)?>", re.I)


class Nesting:
    """The elements that are open while a page is read."""

    __slots__ = ("_copies", "_form", "_formats", "_frames", "_hidden", "_names", "_raw_ends", "_stack", "_work")

    def __init__(self) -> None:
        self._stack: list[Open] = []
        self._names: Counter[str] = Counter()
        self._formats: list[Format] = []
        self._raw_ends: dict[str, int] = {}
        self._form = False
        self._hidden = self._work = self._copies = self._frames = 0

    @property
    def depth(self) -> int:
        """How many elements are open, counting formatting that will be opened anew."""
        return len(self._stack) + self._hidden + self._frames

    def follow(self, html: str) -> None:
        """Reads the page from its first tag to its last. Raises PageRefused as soon as a limit is broken."""
        at = raw = 0
        while (tag := TAG.search(html, at)) is not None:
            if self._hidden and html[at : tag.start()].strip():
                self._show_formats()
            at = tag.end()
            ends, name, attributes = tag.groups()
            name = name.lower() if name and name.isascii() else name or ""
            if ends:
                if at > raw:
                    self._end(name)
            elif name in RAW_TEXT:
                raw = self._raw_text(name, attributes, html, at)
                at = at if self._names["svg"] or self._names["math"] else raw
            elif not self._is_idle(name):
                self._start(name, attributes)
            self._measure()

    def _is_idle(self, name: str) -> bool:
        """Whether a start tag neither opens nor ends anything here, or nothing but itself: then that is done."""
        if self._hidden or name in tags.BUSY or (self._stack and self._stack[-1].inside):
            return not name
        if name in tags.ENDS_PARAGRAPH and self._names["p"]:
            return False
        if name not in tags.FLAT:
            self._push(opened(name))
        return True

    def _raw_text(self, name: str, attributes: str, html: str, at: int) -> int:
        """Where the raw text ends. In svg and frames it is markup: there its start tags count, its end tags do not."""
        end = self._raw_ends.get(name, -1)
        if end < at:  # else the same end tag is still ahead
            content = RAW_TEXT[name].match(html, at)
            end = self._raw_ends[name] = content.end() if content is not None else at
        if self._names["svg"] or self._names["math"]:
            self._start(name, attributes)
        elif self._frames:
            self._frames += html.count("<", at, end)
        return end

    def _measure(self) -> None:
        depth = len(self._stack) + self._hidden + self._frames
        self._work += depth
        if depth > MAX_DEPTH:
            raise PageRefused(f"the page nests elements more than {MAX_DEPTH:,} deep")
        if self._copies > MAX_COPIES or self._work > MAX_WORK:
            raise PageRefused("the page has too many elements at too great a depth: elements are never closed")

    def _start(self, name: str, attributes: str) -> None:
        if self._stack and self._stack[-1].inside:
            if name not in tags.BREAKOUT or (name == "font" and _FONT.search(attributes) is None):
                if not attributes.endswith("/"):
                    kind = self._stack[-1].foreign
                    self._push(Open(name, foreign=kind, inside=name not in tags.INTEGRATION[kind]))
                return
            self._leave_foreign()
        if name in tags.ENDING:
            self._end_by_start(name)
        if name in tags.CELLS or name in tags.ROWS:
            self._start_cell(name)
            return
        if name not in tags.SHOWS_NO_FORMAT:
            self._show_formats()
        if name == "frameset":
            self._frames += 1
        if name == "form":
            if self._form and not self._names["template"]:
                return
            self._form = True
        if name in tags.FORMATTING or name in tags.ALONE:
            self._start_format(name, attributes)
        elif name not in tags.FLAT and not (name in tags.INTEGRATION and attributes.endswith("/")):
            self._push(opened(name))

    def _leave_foreign(self) -> None:
        while self._stack and self._stack[-1].inside:
            self._pop()

    def _end_by_start(self, name: str) -> None:
        """What a start tag ends."""
        if name == "table":
            self._end_to(tags.TABLE, without(tags.BARRIERS, "table"))
        elif name == "option" and self._stack and self._stack[-1].name == "option":
            self._pop()
        elif name in tags.ALONE and any(one.name == name for one in self._formats):
            self._end(name)
        if self._names["select"]:
            return
        if name in tags.ITEMS:
            self._end_to(tags.ITEMS[name], tags.ITEM_BARRIERS[name])
        if name in tags.ENDS_PARAGRAPH and self._names["p"]:
            self._end_to(tags.PARAGRAPH, tags.PARAGRAPH_BARRIERS)
        elif name == "button":
            self._end_to(only(name), tags.BARRIERS)
        if name in tags.HEADINGS and self._stack and self._stack[-1].name in tags.HEADINGS:
            self._pop()

    def _start_cell(self, name: str) -> None:
        """A cell or row ends all that is open in its table."""
        if self._names["table"] and self._to(tags.TABLE, tags.TABLE_BARRIERS) and name in tags.CELLS:
            self._push(opened(name))

    def _start_format(self, name: str, attributes: str) -> None:
        alike = [one for one in self._formats[-200:] if one.name == name and one.tag == attributes]
        if len(alike) >= 3:
            self._forget(alike[0])
        started = Format(name, attributes)
        self._formats.append(started)
        self._push(Open(name, format=started))

    def _show_formats(self) -> None:
        if self._hidden:
            for one in self._formats:
                if not one.shown:
                    one.shown = True
                    self._hidden -= 1
                    self._copies += 1
                    self._push(Open(one.name, format=one))

    def _end(self, name: str) -> None:
        if name in ("p", "br"):
            self._leave_foreign()
        at = len(self._stack) - 1
        if at >= 0 and self._stack[at].name == name and self._stack[at].format is None and name != "form":
            self._stack.pop()
            self._names[name] -= 1
            return
        while at >= 0 and self._stack[at].foreign:
            if self._stack[at].name == name:
                self._cut(at)
                return
            at -= 1
        if (name in tags.FORMATTING or name in tags.ALONE) and self._end_format(name):
            return
        if name == "frameset":
            self._frames = max(0, self._frames - 1)
        elif name == "form":
            if self._form and self._stack and self._stack[-1].name == "form":
                self._pop()
            self._form = False
        elif name in tags.ROWS:
            self._end_to(tags.CELLS, tags.CELL_BARRIERS)
        elif self._names[name]:
            self._end_to(only(name), without(self._barriers(name), name))

    def _end_format(self, name: str) -> bool:
        """Ends the last formatting element of that name; False where none is to be ended in this way."""
        top = self._stack[-1] if self._stack else None
        last = next((one for one in reversed(self._formats) if one.name == name), None)
        if last is None or (top is not None and top.name == name and (top.format is None or not top.format.shown)):
            return False
        for at in range(len(self._stack) - 1, -1, -1) if last.shown else ():
            if self._stack[at].format is last:
                self._forget(last)
                self._cut(at)
                return True
            if self._stack[at].stops(tags.SPECIAL):
                self._leave_foreign()
                break
        self._forget(last)
        return True

    def _barriers(self, name: str) -> frozenset[str]:
        if name == "table":
            return tags.TABLE_BARRIERS
        if name in tags.CELLS:
            return tags.CELL_BARRIERS
        if name == "option" or name == "optgroup" or (self._names["select"] and name != "select"):
            return frozenset(one.name for one in self._stack[-1:])
        if name == "li":
            return tags.LIST_BARRIERS
        return tags.BARRIERS if name in tags.REACHING else tags.SPECIAL

    def _to(self, names: frozenset[str], barriers: frozenset[str]) -> bool:
        """Ends what is open above the nearest element of these names, unless a barrier stands before it."""
        for at in range(len(self._stack) - 1, -1, -1):
            one = self._stack[at]
            if one.name in names and not one.foreign:
                self._cut(at + 1)
                return True
            if one.stops(barriers):
                return False
        return False

    def _end_to(self, names: frozenset[str], barriers: frozenset[str]) -> None:
        if self._to(names, barriers):
            self._pop()

    def _push(self, one: Open) -> None:
        self._stack.append(one)
        self._names[one.name] += 1

    def _pop(self) -> None:
        self._cut(len(self._stack) - 1)

    def _cut(self, at: int) -> None:
        while len(self._stack) > at:
            one = self._stack.pop()
            self._names[one.name] -= 1
            if one.format is not None and one.format.shown:
                one.format.shown = False
                self._hidden += 1

    def _forget(self, one: Format) -> None:
        if not one.shown:
            self._hidden -= 1
        self._formats.remove(one)
        one.shown = False
