"""A page as a model is shown it: its visible text in numbered lines, with links and pictures, then its JSON.

Scripts, styles and what is hidden from readers are left out, so that a page cannot whisper to the model. The whole
is capped in characters; JSON never takes more than a part of it, and shrinks by its longest texts and lists first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from crawloop.brief.compact import shrunk_to
from crawloop.extract.guard import check
from crawloop.extract.islands import Islands
from crawloop.extract.nodes import collapse
from crawloop.extract.tags import UNSHOWN
from crawloop.model.page import Page

LIMIT = 48_000
_JSON_SHARE = 0.3
_LONGEST_LINE = 1_200
_HEAD = ("description", "og:title", "og:description", "og:image", "og:site_name", "article:published_time", "author")
_BREAK = "\n"
# Elements within a line; any other begins a new one.
_INLINE = frozenset(
    (
        "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "img", "ins", "kbd",
        "label", "mark", "meter", "picture", "progress", "q", "ruby", "s", "samp", "small", "span", "strike", "strong",
        "sub", "sup", "time", "tt", "u", "var", "wbr",
    )
)  # fmt: skip
_HIDING = ("display:none", "visibility:hidden", "font-size:0", "opacity:0;")


def pruned(page: Page, limit: int = LIMIT) -> str:
    """The page as text of at most `limit` characters. Raises PageRefused where it cannot be parsed safely."""
    check(page.html)
    tree = LexborHTMLParser(page.html)
    if tree.root is None:
        return ""
    islands = Islands(tree.root, page.html, page.base)
    room = int(limit * _JSON_SHARE)
    below = _capped((shrunk_to(name, islands.get(name), room) for name in islands.names()), room)
    above = _capped(_numbered([*_head(tree), *_lines(tree)]), limit - len(below) - 1)
    return f"{above}\n{below}" if below else above


def _capped(lines: Iterable[str], room: int) -> str:
    """As many whole lines as fit, and a last word where some did not."""
    kept: list[str] = []
    for line in filter(None, lines):
        room -= len(line) + 1
        if room < 2:
            return "\n".join([*kept, "…"])
        kept.append(line)
    return "\n".join(kept)


def _numbered(lines: list[str]) -> Iterator[str]:
    return (f"[{number}] {line}" for number, line in enumerate(lines, 1))


def _head(tree: LexborHTMLParser) -> Iterator[str]:
    """What the head says that readers of the page do not see, but that is about the page."""
    if title := tree.css_first("head title"):
        yield f"title: {collapse(title.text())}"
    for node in tree.css("head meta[content]"):
        name = node.attributes.get("property") or node.attributes.get("name")
        if name in _HEAD:
            yield f"{name}: {collapse(node.attributes['content'] or '')}"
    if link := tree.css_first("head link[rel=canonical][href]"):
        yield f"canonical -> {link.attributes['href']}"


def _lines(tree: LexborHTMLParser) -> Iterator[str]:
    """Visible text, one block element a line. Walks without recursion: deep pages do not exhaust the stack."""
    line: list[str] = []
    stack: list[LexborNode | str] = [tree.body] if tree.body else []
    while stack:
        node = stack.pop()
        if isinstance(node, str) and node is not _BREAK:
            line.append(node)
        elif isinstance(node, LexborNode) and node.is_text_node:
            line.append(node.text_content or "")
        elif isinstance(node, str) or (_is_shown(node) and node.tag not in _INLINE):
            yield from _written(line)
            line = []
        if isinstance(node, LexborNode) and _is_shown(node):
            stack.extend(_opened(node))
    yield from _written(line)


def _opened(node: LexborNode) -> list[LexborNode | str]:
    """A node's children and what stands after them, last first, as a stack takes them."""
    children: list[LexborNode | str] = list(node.iter(include_text=True))
    attributes = node.attributes
    if node.tag == "a" and (href := attributes.get("href")) and not href.startswith(("#", "javascript:")):
        children.append(f" (-> {href})")
    if node.tag == "img" and (src := attributes.get("src") or attributes.get("data-src")):
        children.append(f" [picture {collapse(attributes.get('alt') or '')} -> {src[:300]}] ")
    if node.tag in ("time", "meter", "progress") and (at := attributes.get("datetime") or attributes.get("value")):
        children.append(f" ({at})")
    return [*([_BREAK] if node.tag not in _INLINE else []), *reversed(children)]


def _is_shown(node: LexborNode) -> bool:
    if not node.is_element_node or node.tag in UNSHOWN:
        return False
    attributes = node.attributes
    style = "".join((attributes.get("style") or "").split()).lower() + ";"
    return "hidden" not in attributes and not any(mark in style for mark in _HIDING)


def _written(line: list[str]) -> Iterator[str]:
    text = collapse("".join(line))
    if text:
        yield text if len(text) <= _LONGEST_LINE else text[:_LONGEST_LINE] + " …"
