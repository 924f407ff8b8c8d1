"""Values that stand beside a label: in a definition list, a table, a line, or after a heading."""

from __future__ import annotations

from selectolax.lexbor import LexborNode

from crawloop.extract.nodes import collapse, visible_text


def fold(label: str) -> str:
    """A label in the form in which two are compared: without case, outer colon and extra whitespace."""
    return collapse(label).rstrip(" :").casefold()


def labelled(node: LexborNode, label: str) -> str | None:
    """The one value beside `label` below `node`; None where there is none, or where two differ."""
    wanted = fold(label)
    found = [
        value
        for cell in node.css("dt, th, td")
        if fold(visible_text(cell)) == wanted and (value := _beside(cell)) is not None
    ]
    return found[0] if found and all(one == found[0] for one in found) else None


def _beside(cell: LexborNode) -> str | None:
    after = cell.next
    while after is not None and not after.is_element_node:
        after = after.next
    if after is None or after.tag not in ("dd", "td"):
        return None
    return visible_text(after) or None
