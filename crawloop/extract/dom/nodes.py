"""How a node of the parsed page is read: its visible text, its own text, its attributes.

Text is read as a browser shows it: block elements and <br> separate, inline elements do not, runs of whitespace
(no-break spaces too) are one space, and what is never shown (scripts, styles, templates, vector drawings) is left out.
What is struck out is said no more: it is left out where anything else is there, and the first match is another one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from selectolax.lexbor import LexborNode, SelectolaxError

from crawloop.extract.dom.tags import BLOCKS, MARKS, STRUCK, UNSHOWN
from crawloop.extract.vocabulary.patterns import found

_PASSED_OVER = UNSHOWN | STRUCK
_MARKED = _PASSED_OVER | MARKS
_LINKS = frozenset(("a",))
_NOT_SHOWN = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.I)
_RECENT = 4  # matches before an element that are looked at: those around it do not count


def is_block(tag: str) -> bool:
    """Whether an element of that name starts a line of its own, or ends one."""
    return tag in BLOCKS


def collapse(text: str) -> str:
    """`text` with each run of whitespace as one space, and none at its ends."""
    return " ".join(text.split())


def visible_text(node: LexborNode) -> str:
    """The text of `node` as a browser shows it; of a script, style or template itself, its content."""
    child = node.first_child
    if child is not None and child.next is None and (text := child.text_content) is not None:
        return " ".join(text.split())
    if child is None or node.tag in UNSHOWN:
        return collapse(node.text())
    return collapse(_shown(node, " ")) or collapse(_shown(node, " ", UNSHOWN))


def glued_text(node: LexborNode) -> str:
    """The text of `node` as programs often take it, without a sign where <br> and blocks break the line."""
    return collapse(_shown(node, "", UNSHOWN))


def _shown(node: LexborNode, separator: str, leave_out: frozenset[str] = _PASSED_OVER) -> str:
    """The text in `node`, with `separator` where a block element starts or ends, and a space where an inline one does
    between digits: the cents of a price may be small, and no part of its number. Without a separator all is glued."""
    pieces: list[str] = []
    around: list[tuple[LexborNode | None, str]] = []
    said, apart = "", False
    at = node.first_child
    while True:
        while at is None:
            if not around:
                return "".join(pieces)
            at, after = around.pop()
            pieces.append(after)
            apart = True
        if (text := at.text_content) is not None:
            if apart and separator and text[:1].isdigit() and said[-1:].isdigit():
                pieces.append(" ")
            pieces.append(text)
            said, apart = text, False
        elif (tag := at.tag or "") not in leave_out:
            if tag in BLOCKS:
                mark = separator
                pieces.append(mark)
                apart = True
            else:
                mark = ""
                apart = apart or not (tag == "wbr" or tag[:1] == "-")
            if (child := at.first_child) is not None:
                around.append((at.next, mark))
                at = child
                continue
        at = at.next


def is_struck(node: LexborNode, within: LexborNode) -> bool:
    """Whether all text of `node` is struck out, by itself or by an element around it in `within`."""
    at: LexborNode | None = node
    end = within.mem_id
    while at is not None and at.mem_id != end:
        if at.tag in STRUCK or "line-through" in (at.attributes.get("style") or ""):
            return True
        at = at.parent
    return any(one.tag in STRUCK for one in node.iter()) and not collapse(_shown(node, " "))


def is_hidden(node: LexborNode, within: LexborNode) -> bool:
    """Whether `node` or an element around it in `within` says of itself that it is not shown."""
    at: LexborNode | None = node
    end = within.mem_id
    while at is not None and at.mem_id != end:
        if hides_itself(at):
            return True
        at = at.parent
    return False


def hides_itself(node: LexborNode) -> bool:
    """Whether an element says of itself, in plain words, that it takes no part in the page."""
    attributes = node.attributes
    style = attributes.get("style")
    return "hidden" in attributes or (style is not None and _NOT_SHOWN.search(style) is not None)


def is_marked(node: LexborNode) -> bool:
    """Whether all text of `node` stands in one link, heading or emphasis inside it."""
    while True:
        child, inner = node.first_child, []
        while child is not None:
            if (child.is_text_node and collapse(child.text_content or "")) or (
                child.is_element_node and child.tag not in UNSHOWN and visible_text(child)
            ):
                inner.append(child)
            child = child.next
        if len(inner) != 1 or inner[0].is_text_node:
            return False
        if inner[0].tag in MARKS:
            return True
        node = inner[0]


def is_bare(node: LexborNode) -> bool:
    """Whether `node` has a word of its own, outside of links, headings and emphasis."""
    return any(map(str.isalnum, _shown(node, " ", _MARKED)))


def is_mostly_linked(node: LexborNode) -> bool:
    """Whether more words of `node` stand in links than outside."""
    return len(visible_text(node).split()) > 2 * len(_shown(node, " ", _PASSED_OVER | _LINKS).split())


def is_mixed(*nodes: LexborNode) -> bool:
    """Whether the words in nodes that follow each other are of several sorts: bare ones and those of elements, or those
    of elements with different names. Where one element holds them all, it is what is in that one that counts."""
    around: Sequence[LexborNode] = nodes
    while True:
        said = [one for one in around if _has_words(one)]
        if len(said) != 1 or said[0].is_text_node:
            return len({one.tag for one in said}) > 1
        around = [*said[0].iter(include_text=True)]


def _has_words(node: LexborNode) -> bool:
    if node.is_element_node:
        return node.tag not in _PASSED_OVER and any(map(str.isalnum, visible_text(node)))
    return node.is_text_node and any(map(str.isalnum, node.text_content or ""))


def differ(found: Sequence[tuple[str, LexborNode]]) -> bool:
    """Whether texts are those of elements with different names or classes."""
    return len({(one.tag, frozenset((one.attributes.get("class") or "").split())) for _, one in found}) > 1


def own_text(node: LexborNode) -> str:
    """The text that stands directly in `node`; child elements separate, comments do not."""
    pieces: list[str] = []
    child = node.first_child
    while child is not None:
        if child.is_text_node:
            pieces.append(child.text_content or "")
        elif child.is_element_node:
            pieces.append(" ")
        child = child.next
    return collapse("".join(pieces))


def attribute(node: LexborNode, name: str) -> str | None:
    """An attribute's value without outer whitespace; None where it is missing or empty."""
    value = node.attributes.get(name.lower())
    return (value.strip() or None) if value else None


def only_link(node: LexborNode) -> str | None:
    """Where the links in an element lead; None where there is none, or to several."""
    links = {attribute(one, "href") for one in select(node, "a[href]")}
    return links.pop() if len(links) == 1 else None


def lines(*span: LexborNode) -> list[str]:
    """The visible text of nodes that follow each other, parted where <br> and block elements break the line; empty
    lines left out."""
    pieces: list[str] = []
    for node in span:
        mark = "\v" if node.tag in BLOCKS else ""
        pieces += [mark, (node.text_content or "") if node.is_text_node else _shown(node, "\v"), mark]
    return [line for line in map(collapse, "".join(pieces).split("\v")) if line]


def plain_lines(*span: LexborNode) -> list[str]:
    """The lines of nodes that follow each other; none where their words are of several sorts."""
    return [] if is_mixed(*span) else lines(*span)


def until(node: LexborNode, marks: set[int]) -> list[LexborNode]:
    """`node` with the elements and texts that follow it under the same parent, up to one whose mem_id is a mark."""
    found = [node]
    after = node.next
    while after is not None and after.mem_id not in marks:
        if after.is_element_node or after.is_text_node:
            found.append(after)
        after = after.next
    return found


def preceding(root: LexborNode, tag: str, css: str, like: str = "") -> dict[int, list[LexborNode]]:
    """By mem_id of each element of `tag`: the last few matches of `css` that start before it, nearest first; with
    `like` only those in whose text that pattern is found."""
    marks = {one.mem_id for one in select(root, css) if not like or found(like, visible_text(one))}
    recent: list[LexborNode] = []
    before: dict[int, list[LexborNode]] = {}
    for one in select(root, f"{tag}, {css}"):
        if one.tag == tag:
            before[one.mem_id] = recent[:_RECENT]
        if one.mem_id in marks:
            recent = [one, *recent[: _RECENT - 1]]
    return before


def holds(outer: LexborNode, inner: LexborNode) -> bool:
    """Whether `inner` stands in `outer`."""
    above = inner.parent
    while above is not None:
        if above.mem_id == outer.mem_id:
            return True
        above = above.parent
    return False


def select(node: LexborNode, css: str, own: bool = False) -> list[LexborNode]:
    """All descendants of `node` that match, with `own` also itself, in document order.

    Raises ValueError for an invalid selector.
    """
    try:
        found = node.css(css)
    except SelectolaxError:
        raise ValueError(_invalid(css)) from None
    if not own and found and found[0].mem_id == node.mem_id:
        del found[0]
    return found


def select_first(node: LexborNode, css: str) -> LexborNode | None:
    """The first descendant of `node` that matches. Raises ValueError for an invalid selector."""
    try:
        found = node.css_first(css)
    except SelectolaxError:
        raise ValueError(_invalid(css)) from None
    if found is not None and found.mem_id == node.mem_id:
        return next(iter(select(node, css)), None)
    return found


def first_said(node: LexborNode, css: str) -> LexborNode | None:
    """The first descendant that matches and is not struck out, else the first one. Raises ValueError."""
    first = select_first(node, css)
    if first is None or not is_struck(first, node):
        return first
    return next((one for one in select(node, css) if not is_struck(one, node)), first)


def _invalid(css: Any) -> str:
    return f"not a CSS selector that can be read here: {css!r} (no XPath, no :contains, no ::text, no leading >)"
