"""What readers see of a page, line by line: text in the order of the page, where links and pictures point.

Scripts, styles and what is hidden from readers are left out, so that a page cannot whisper to a model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from crawloop.brief.focus import Focus
from crawloop.brief.unseen import is_unseen
from crawloop.extract.dom.nodes import collapse
from crawloop.extract.dom.tags import UNSHOWN
from crawloop.model.page import Page

_HEAD = ("description", "og:title", "og:description", "og:site_name", "article:published_time", "author", "keywords")
_PICTURES = ("og:image", "twitter:image")
_BREAK = "\n"
# Elements within a line; any other begins a new one.
_INLINE = frozenset(
    (
        "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "img", "ins", "kbd",
        "label", "mark", "meter", "picture", "progress", "q", "ruby", "s", "samp", "small", "span", "strike", "strong",
        "sub", "sup", "time", "tt", "u", "var", "wbr",
    )
)  # fmt: skip
_TELLING = ("time", "meter", "progress", "data", "input")  # say by an attribute what they show otherwise
_LONGEST_LINK = 300
_LONGEST_ANCHOR = 100
_WORD = re.compile(r"[\w:-]+")
_ADDRESS = re.compile(r"""["']((?:https?:/)?/[^"'\s]+)["']""")


def visible(tree: LexborHTMLParser, page: Page, focus: Focus) -> Iterator[str]:
    """What the head says about the page, then its visible text, one block element a line."""
    yield from _head(tree, focus)
    yield from _Walk(page, focus).lines(tree)


def _head(tree: LexborHTMLParser, focus: Focus) -> Iterator[str]:
    if title := tree.css_first("head title"):
        yield f"title: {collapse(title.text())}"
    if (root := tree.root) is not None and (language := root.attributes.get("lang")):
        yield f"language: {language}"
    for node in tree.css("meta[content], meta[value]"):
        name = node.attributes.get("property") or node.attributes.get("name") or ""
        content = collapse(node.attributes.get("content") or node.attributes.get("value") or "")
        if focus.links and name in _PICTURES:
            yield f"{name}: <{content}>"
        elif content and (name in _HEAD or focus.names(name)):
            yield f"{name}: {content}"
    if focus.links and (link := tree.css_first("link[rel=canonical][href]")):
        yield f"canonical: <{link.attributes['href']}>"


class _Walk:
    """One walk through a page."""

    def __init__(self, page: Page, focus: Focus) -> None:
        self._focus = focus
        self._host = f"{urlsplit(page.base).scheme}://{urlsplit(page.base).netloc}"

    def lines(self, tree: LexborHTMLParser) -> Iterator[str]:
        """Walks without recursion: deep pages do not exhaust the stack."""
        line: list[str] = []
        stack: list[LexborNode | str] = [tree.body] if tree.body else []
        while stack:
            node = stack.pop()
            if isinstance(node, str) and node is not _BREAK:
                line.append(node)
            elif isinstance(node, LexborNode) and node.is_text_node:
                line.append(node.text_content or "")
            elif isinstance(node, str) or (_is_shown(node) and node.tag not in _INLINE):
                if text := collapse("".join(line)):
                    yield text
                line = []
            if isinstance(node, LexborNode) and _is_shown(node):
                stack.extend(self._opened(node))
        if text := collapse("".join(line)):
            yield text

    def _opened(self, node: LexborNode) -> list[LexborNode | str]:
        """A node's children and what stands after them, last first, as a stack takes them."""
        children: list[LexborNode | str] = list(node.iter(include_text=True))
        children.extend(self._told(node))
        return [*([_BREAK] if node.tag not in _INLINE else []), *reversed(children)]

    def _told(self, node: LexborNode) -> Iterator[str]:
        """What an element's attributes tell readers or programs of it."""
        attributes = node.attributes
        if (anchor := attributes.get("id") or attributes.get("name")) and _is_anchor(node, anchor):
            yield f" #{anchor[:_LONGEST_ANCHOR]} "
        if self._focus.links and (href := attributes.get("href") or _clicked(attributes.get("onclick"))):
            if not href.startswith(("#", "javascript:")):
                yield f" <{self._short(href)}>"
        elif node.tag == "img":
            source = (attributes.get("src") or attributes.get("data-src")) if self._focus.links else ""
            alt = collapse(attributes.get("alt") or "")
            if alt or source:
                yield f" [picture {alt}{' <' + self._short(source) + '>' if source else ''}] "
        elif node.tag in _TELLING and (at := attributes.get("datetime") or attributes.get("value")):
            yield f" ({collapse(at)[:_LONGEST_LINK]})"

    def _short(self, url: str) -> str:
        url = url.strip().removeprefix(self._host) or "/"
        return url if len(url) <= _LONGEST_LINK else url[:_LONGEST_LINK] + "…"


def _is_anchor(node: LexborNode, name: str) -> bool:
    """Whether an element is there to be linked to, or its id says more than a word of the template's author."""
    return (node.tag == "a" and "href" not in node.attributes) or not _WORD.fullmatch(name)


def _clicked(script: str | None) -> str | None:
    """The address to which a click leads by a script."""
    found = _ADDRESS.search(script or "")
    return found[1] if found else None


def _is_shown(node: LexborNode) -> bool:
    return node.is_element_node and node.tag not in UNSHOWN and not is_unseen(node)
