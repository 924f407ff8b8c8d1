"""Rows that are elements of the page, or runs of them. They read relative to themselves; "" selects the row itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from selectolax.lexbor import LexborNode

from crawloop.extract.data import paths
from crawloop.extract.data.islands import Islands
from crawloop.extract.dom import nodes
from crawloop.extract.dom.columns import Columns, over
from crawloop.extract.dom.firsts import Firsts
from crawloop.extract.dom.labels import labelled, labelled_lines, tail
from crawloop.extract.dom.wording import Hold, holding
from crawloop.extract.json_row import JsonNode, first_of, joined

if TYPE_CHECKING:
    from crawloop.extract.view import PageView

Said = TypeVar("Said")


class Element:
    """An element of the page. Readings of the first match may demand that it stands `alone`: others that are shown and
    not struck out say the same, or the answer is None. Those that take in all that stands somewhere may demand that it
    is `plain`: its words all bare, or all in elements of one name."""

    __slots__ = ("_firsts", "_islands", "_node", "_page")

    _shown = staticmethod(nodes.visible_text)
    _own = staticmethod(nodes.own_text)

    def __init__(self, node: LexborNode, page: PageView | None = None) -> None:
        self._node = node
        self._page = page
        self._firsts: Firsts | None = page._firsts if page is not None else None
        self._islands: Islands | None = None

    def __eq__(self, other: object) -> bool:
        """Whether both are the same element of the page."""
        return type(self) is type(other) and isinstance(other, Element) and self._node.mem_id == other._node.mem_id

    def __hash__(self) -> int:
        return hash(self._node.mem_id)

    @property
    def _view(self) -> PageView | None:
        return self._page

    @property
    def tag(self) -> str:
        """The element's name in lower case."""
        return self._node.tag or ""

    @property
    def attributes(self) -> dict[str, str]:
        """A copy of the attributes; one without a value is ""."""
        return {name: value or "" for name, value in self._node.attributes.items()}

    @property
    def html(self) -> str:
        """The element's markup, as the parser understood it."""
        return self._node.html or ""

    @property
    def parent(self) -> Element | None:
        """The element around this one; None at the top."""
        above = self._node.parent
        return Element(above, self._view) if above is not None and above.is_element_node else None

    @property
    def next(self) -> Element | None:
        """The element after this one under the same parent."""
        after = self._node.next
        while after is not None and not after.is_element_node:
            after = after.next
        return Element(after, self._view) if after is not None else None

    def css(self, css: str) -> list[Element]:
        """Every element that matches, in document order. Raises ValueError for an invalid selector."""
        return [Element(node, self._view) for node in self._all(css)]

    def css_first(self, css: str) -> Element | None:
        """The first element that matches."""
        node = self._first(css)
        return Element(node, self._view) if node is not None else None

    def text(self, css: str = "", *, alone: bool = False) -> str | None:
        """The visible text of the first match, whitespace collapsed; None where there is none."""
        if alone:
            return self._alone(css, self._shown) or None
        node = self._first(css)
        return self._shown(node) or None if node is not None else None

    def texts(
        self, css: str, *, plain: bool = False, alike: bool = False, bare: bool = False, glued: bool = False
    ) -> list[str]:
        """The visible text of each match, empty ones left out, `glued` without a sign where lines break. With `bare`
        without those that have no word outside links, headings and emphasis, and none where one is mostly a link; with
        `plain` none where one has no such word, with `alike` none where they differ in name or classes."""
        say = nodes.glued_text if glued else self._shown
        found = [(text, node) for node in self._all(css) if (text := say(node)) and (not bare or nodes.is_bare(node))]
        if bare and any(nodes.is_mostly_linked(node) for _, node in found):
            return []
        if plain and any(nodes.is_marked(node) or not nodes.is_bare(node) for _, node in found):
            return []
        if alike and nodes.differ(found):
            return []
        return [text for text, _ in found]

    def own_text(self, css: str = "", *, alone: bool = False) -> str | None:
        """The text directly in the first match, that of its children left out."""
        if alone:
            return self._alone(css, self._own) or None
        node = self._first(css)
        return self._own(node) or None if node is not None else None

    def own_texts(self, css: str, *, alike: bool = False) -> list[str]:
        """The text directly in each match, empty ones left out; with `alike` as above."""
        found = [(text, node) for node in self._all(css) if (text := self._own(node))]
        return [] if alike and nodes.differ(found) else [text for text, _ in found]

    def attr(self, css: str, name: str, *, alone: bool = False) -> str | None:
        """An attribute of the first match; None where it is missing or empty."""
        if alone:
            return self._alone(css, lambda node: nodes.attribute(node, name))
        node = self._first(css)
        return nodes.attribute(node, name) if node is not None else None

    def attrs(self, css: str, name: str) -> list[str]:
        """An attribute of each match, missing and empty ones left out."""
        return [value for node in self._all(css) if (value := nodes.attribute(node, name))]

    def labelled(self, label: str, within: str = "", *, plain: bool = False, blank: bool = False) -> str | None:
        """The text that stands beside a label ("Author" in a table, a list, "Author: Jane"); None where unsure. With
        `blank` it is "" where the label has an empty place beside it."""
        node = self._first(within)
        return labelled(node, label, plain, self._hold, blank) if node is not None else None

    def labelled_lines(self, label: str, within: str = "", *, plain: bool = False) -> list[str]:
        """What stands beside a label, line by line as <br> and block elements break it; nothing where unsure."""
        node = self._first(within)
        return labelled_lines(node, label, plain, self._hold) if node is not None else []

    def tail(self, label: str, within: str = "") -> str | None:
        """The bare text right after a label's element, up to the next tag and as it stands; None where unsure."""
        node = self._first(within)
        return tail(node, label, self._hold) if node is not None else None

    def column(self, heading: str) -> str | None:
        """The text of the cell under a heading of the table, wherever the column stands, in this row or the one around;
        None without one."""
        return self._cell(heading, nodes.visible_text)

    def column_link(self, heading: str) -> str | None:
        """The absolute address that the cell under a heading links to; None where there is none, or several."""
        href = self._cell(heading, nodes.only_link)
        return self._view.absolute(href) if self._view is not None else href

    def _cell(self, heading: str, say: Callable[[LexborNode], str | None]) -> str | None:
        columns = self._view._columns if self._view is not None else Columns()
        return columns.read(self._node, heading, say)

    @property
    def heading(self) -> str | None:
        """The heading over this cell of a table, by which `column` finds it; None where there is none."""
        return over(self._node)

    def lines(self, css: str = "", *, alone: bool = False, plain: bool = False) -> list[str]:
        """The visible text of the first match, line by line as <br> and block elements break it."""
        say = nodes.plain_lines if plain else nodes.lines
        if alone:
            return self._alone(css, say) or []
        node = self._first(css)
        return say(node) if node is not None else []

    def link(self, css: str = "", name: str = "href", *, alone: bool = False) -> str | None:
        """The absolute address in an attribute of the first match; None where it is no address of the web."""
        href = self.attr(css, name, alone=alone)
        return self._view.absolute(href) if self._view is not None else href

    def preceding(self, css: str, name: str = "", like: str = "") -> str | None:
        """The text of the nearest match that stands before this element and not around it, such as a heading; with a
        `name` that attribute of it, with a pattern `like` the nearest whose text holds it."""
        before = self._view._nearest_before(self._node, css, like) if self._view is not None else None
        if before is None:
            return None
        return nodes.attribute(before, name) if name else nodes.visible_text(before) or None

    def sections(self, css: str) -> list[Section]:
        """For each match the match with what follows it under the same parent, up to the next match."""
        starts = self._all(css)
        marks = {node.mem_id for node in starts}
        return [Section(nodes.until(node, marks), self._view) for node in starts]

    def json(self, path: str, *, alone: bool = False) -> Any:
        """The first value at a JSON path; None where there is none. Raises ValueError for an invalid path."""
        return first_of(self._values(path), alone)

    def json_all(self, path: str) -> list[Any]:
        """Every value at a JSON path; lists are joined into one."""
        return joined(self._values(path))

    def json_rows(self, path: str) -> list[JsonNode]:
        """Every value at a JSON path, as rows to read from."""
        return [JsonNode(value, self._view) for value in self.json_all(path)]

    @property
    def _hold(self) -> Hold:
        return self._view._held.holding if self._view is not None else holding

    def _alone(self, css: str, say: Callable[[LexborNode], Said]) -> Said | None:
        """What is said of the only match that counts, or of all of them alike."""
        if not css:
            return say(self._node)
        matches = self._all(css)
        if self._firsts is not None and matches:
            matches = self._firsts.shown(matches, self._node)
        if len(matches) < 2:
            return say(matches[0]) if matches else None
        matches = [one for one in matches if not nodes.is_struck(one, self._node)] or matches
        said = [one for one in map(say, matches) if one]
        return said[0] if said and all(one == said[0] for one in said) else None

    def _all(self, css: str) -> list[LexborNode]:
        if not css:
            return [self._node]
        firsts = self._firsts
        return firsts.all(self._node, css) if firsts is not None else nodes.select(self._node, css)

    def _first(self, css: str) -> LexborNode | None:
        """The first match that is not struck out, else the first one."""
        if not css:
            return self._node
        firsts = self._firsts
        return firsts.of(self._node, css) if firsts is not None else nodes.first_said(self._node, css)

    def _values(self, path: str) -> Iterable[Any]:
        return self.islands().values(paths.parse(path))

    def islands(self) -> Islands:
        """The pieces of JSON in this element, for those who look for values rather than read a known path."""
        if self._islands is None:
            self._islands = Islands(self._node, None, self._view.url if self._view else "")
        return self._islands


class Section(Element):
    """An element and its siblings up to the next element of the same sort: a record without a container of its own."""

    __slots__ = ("_span",)

    def __init__(self, span: list[LexborNode], page: PageView | None) -> None:
        super().__init__(span[0], page)
        self._span = span

    @property
    def html(self) -> str:
        """The markup of all of it."""
        return "".join(node.html or "" for node in self._span)

    def text(self, css: str = "", *, alone: bool = False) -> str | None:
        """The visible text of the first match; "" as css means all of the section."""
        return (
            super().text(css, alone=alone)
            if css
            else " ".join(filter(None, map(nodes.visible_text, self._span))) or None
        )

    def lines(self, css: str = "", *, alone: bool = False, plain: bool = False) -> list[str]:
        """The visible text of the first match, line by line; "" as css means all of the section."""
        if css:
            return super().lines(css, alone=alone, plain=plain)
        return nodes.plain_lines(*self._span) if plain else nodes.lines(*self._span)

    def _all(self, css: str) -> list[LexborNode]:
        if not css:
            return [self._node]
        return [found for node in self._span if node.is_element_node for found in nodes.select(node, css, own=True)]

    def _first(self, css: str) -> LexborNode | None:
        return next(iter(self._all(css)), None) if css else self._node
