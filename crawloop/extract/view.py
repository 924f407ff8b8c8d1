"""What an extractor is handed as `page`, and the rows it reads: elements of the page, or values of its JSON.

All three read in the same way, relative to themselves; "" as a selector means the thing itself.
"""

from __future__ import annotations

from typing import Any

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from crawloop.extract.data.islands import Islands
from crawloop.extract.dom import nodes
from crawloop.extract.dom.columns import Columns
from crawloop.extract.dom.firsts import Firsts
from crawloop.extract.dom.tags import META_KEYS, META_SAYS
from crawloop.extract.dom.wording import Held
from crawloop.extract.html_row import Element, Section
from crawloop.extract.json_row import JsonNode
from crawloop.values import base_url, followable

# A page is read and never changed: the parser need not follow changes, nor copy what they would.
_AS_WRITTEN = LexborDocumentOptions.WO_EVENTS.value

__all__ = ["Element", "JsonNode", "PageView", "Section"]


class PageView(Element):
    """A whole page, parsed once. `url` is where it came from; `html` is its source, which may be given in UTF-8."""

    __slots__ = ("_base", "_before", "_columns", "_held", "_source", "_tree", "url")

    def __init__(self, html: str | bytes, url: str = "") -> None:
        self._tree = LexborHTMLParser(html, options=_AS_WRITTEN)
        root = self._tree.root
        assert root is not None
        super().__init__(root, None)
        self._source = html
        self._base: str | None = None
        self._firsts = Firsts(root)
        self._columns = Columns()
        self._held = Held(root, len(html))
        self._before: dict[tuple[str, str, str], dict[int, list[LexborNode]]] = {}
        self.url = url

    @property
    def _view(self) -> PageView:
        # not kept as an attribute: a page that holds itself is freed late
        return self

    @property
    def html(self) -> str:
        """The page's source."""
        if isinstance(self._source, bytes):
            self._source = self._source.decode()
        return self._source

    def meta(self, key: str) -> str | None:
        """What the head says under a key, such as "og:title"; None where it says nothing."""
        first = self._first(_under(key))
        said = _said(first) if first is not None else None
        return said if said is not None or first is None else next(iter(self.metas(key)), None)

    def metas(self, key: str) -> list[str]:
        """Everything that the head says under a key, such as "article:tag"."""
        return [said for node in self._all(_under(key)) if (said := _said(node)) is not None]

    def islands(self) -> Islands:
        """The pieces of JSON on the page, for those who look for values rather than read a known path."""
        if self._islands is None:
            self._islands = Islands(self._node, self.html, self.url)
        return self._islands

    def _nearest_before(self, node: LexborNode, css: str, like: str) -> LexborNode | None:
        """The nearest match before a node and not around it; those of all nodes of its tag are found at once."""
        key = node.tag or "*", css, like
        if key not in self._before:
            self._before[key] = nodes.preceding(self._node, *key)
        return next((one for one in self._before[key].get(node.mem_id, ()) if not nodes.holds(one, node)), None)

    def absolute(self, href: Any) -> Any:
        """A link joined to the page's base; None for an empty one and for javascript:, mailto: and the like. Of a
        list of links the list of those that lead somewhere."""
        if isinstance(href, list):
            return [found for one in href if (found := self.absolute(one)) is not None]
        if not isinstance(href, str) or not href or not href.strip():
            return None
        if self._base is None:
            base = nodes.select_first(self._node, "base[href]")
            self._base = base_url(self.url, (base.attributes.get("href") or "").strip()) if base else self.url
        return followable(self._base, href.strip())


def _under(key: str) -> str:
    """The selector of what the head says under a key."""
    quoted = key.replace("\\", "\\\\").replace('"', '\\"')
    return ", ".join(f'meta[{name}="{quoted}"]' for name in META_KEYS)


def _said(meta: LexborNode) -> str | None:
    return next(filter(None, (nodes.attribute(meta, name) for name in META_SAYS)), None)
