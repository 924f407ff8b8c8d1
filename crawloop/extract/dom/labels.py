"""Values that stand beside a label: in a definition list, a table, on a line, after a heading.

A label is matched whole, without case, colon and extra whitespace. It is explicit in a <dt> or a table cell or with a
colon; one before the only element of its own ("<div>Protein<span>32g</span></div>") counts where no explicit one has a
value, and any other where neither has. Where two of a sort have different values the answer is None.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice

from selectolax.lexbor import LexborNode

from crawloop.extract.dom.nodes import collapse, is_block, is_mixed, lines, plain_lines, visible_text
from crawloop.extract.dom.tags import UNSHOWN
from crawloop.extract.dom.wording import Hold, fold, holding, parted, saying

_LONGEST = 200
_EXPLICIT, _INSIDE, _BARE, _EMPTY = range(4)
_MOST = 200
_CELLS = frozenset(("td", "th"))
_SHOWS = "img, svg, input, select, textarea, iframe"
_ICONS = frozenset(("i", "svg", "img", "br", "wbr", "sup", "input"))
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_BOLD = frozenset(("b", "strong", "label", "dt", "th"))
_NO_LABELS = frozenset(("a", "button", "option", "title", "script", "style", "noscript", "textarea", "body", "html"))
_Said = tuple[str, list[LexborNode]]  # a text, and the nodes that hold it
_LEADING = re.compile(r"^[\s:：]*(?:[\-–—]\s+)?")


def labelled(
    node: LexborNode, label: str, plain: bool = False, hold: Hold = holding, blank: bool = False
) -> str | None:
    """The value beside `label` below `node`; None where there is none, where values differ, or, if it must be `plain`,
    where its words are of several sorts. It may be `blank`: "" where the place beside the label is empty."""
    wanted = fold(label)
    if not wanted or len(wanted) > _LONGEST:
        return None
    values: dict[int, list[_Said]] = {_EXPLICIT: [], _INSIDE: [], _BARE: [], _EMPTY: []}
    seen: set[int] = set()
    for candidate in saying(node, label, hold):
        for said, sort in _values(candidate, wanted, seen):
            values[sort].append(said)
    found = values[_EXPLICIT] or values[_INSIDE] or values[_BARE]
    if blank and not found and values[_EMPTY]:
        return ""
    if len({text.casefold() for text, _ in found}) != 1 or (plain and all(is_mixed(*span) for _, span in found)):
        return None
    return found[0][0]


def tail(node: LexborNode, label: str, hold: Hold = holding) -> str | None:
    """The bare text right after the element that holds `label`, up to the next tag, with its punctuation."""
    wanted = fold(label)
    found: dict[int, str] = {}
    for candidate in saying(node, label, hold) if wanted and len(wanted) <= _LONGEST else ():
        if fold(_short_text(candidate)) == wanted:
            whole = _whole(candidate, wanted)
            if text := _bare_text_after(whole):
                found[whole.mem_id] = text
    return next(iter(found.values())) if len(set(found.values())) == 1 else None


def labelled_lines(node: LexborNode, label: str, plain: bool = False, hold: Hold = holding) -> list[str]:
    """The lines of what stands beside `label`; none where there is none, where two places differ, or, if they must be
    `plain`, where their words are of several sorts."""
    wanted = fold(label)
    found: dict[int, list[str]] = {}
    for candidate in saying(node, label, hold) if wanted and len(wanted) <= _LONGEST else ():
        if fold(_short_text(candidate)) == wanted:
            whole = _whole(candidate, wanted)
            span = _all_beside(whole) if whole.tag not in _NO_LABELS else []
            if said := plain_lines(*span) if plain else lines(*span):
                found[whole.mem_id] = [_LEADING.sub("", said[0]), *said[1:]]
    first = next(iter(found.values()), [])
    return first if all(one == first for one in found.values()) else []


def _all_beside(node: LexborNode) -> list[LexborNode]:
    """The terms of a definition, the cell or block after a label, or all that follows it up to the next one like it."""
    if node.tag == "dt":
        return list(_following(node, lambda one: one.tag == "dd"))
    if node.tag in _CELLS or (is_block(node.tag or "") and node.tag not in _HEADINGS):
        after = next(_elements_after(node), None)
        return [after] if after is not None and (node.tag not in _CELLS or after.tag == "td") else []
    ends = _HEADINGS[: _HEADINGS.index(node.tag) + 1] if node.tag in _HEADINGS else (node.tag,)
    found: list[LexborNode] = []
    after = node.next
    while after is not None and after.tag not in ends and len(found) < _MOST:
        if after.is_element_node and visible_text(after).endswith((":", "：")):
            break
        if after.is_text_node or (after.is_element_node and after.tag not in UNSHOWN):
            found.append(after)
        after = after.next
    return found


def _values(candidate: LexborNode, wanted: str, seen: set[int]) -> Iterator[tuple[_Said, int]]:
    """The values that a candidate labels, and by which sort of label."""
    text = _short_text(candidate)
    if fold(text) == wanted:
        whole = _whole(candidate, wanted)
        if whole.mem_id not in seen and whole.tag not in _NO_LABELS:
            seen.add(whole.mem_id)
            value, span, is_explicit = _beside(whole, text)
            if value:
                yield (value, span), _EXPLICIT if is_explicit else _BARE
            elif is_explicit and span and all(map(_is_empty, span)) and _is_its_place(whole, span[-1]):
                yield ("", span), _EMPTY
        return
    child = candidate.first_child
    while child is not None:
        if child.is_text_node:
            head, colon, rest = parted(child.text_content or "")
            if colon and fold(head) == wanted and (sort := _sort_at(child)) is not None:
                line, span = _rest_of_line(child, None)
                if value := _clean(f"{rest} {line}" if rest.strip() else line):
                    yield (value, [child, *span] if any(map(str.isalnum, rest)) else span), sort
            elif fold(child.text_content or "") == wanted and (only := _only_element(child)):
                yield only, _INSIDE
        child = child.next


def _only_element(text: LexborNode) -> _Said | None:
    """The text of the element after a bare text, where their parent holds nothing else."""
    around = text.parent.iter(include_text=True) if text.parent is not None else ()
    said = [one for one in around if one.is_element_node or (one.text_content or "").strip()]
    if len(said) != 2 or said[0].mem_id != text.mem_id or not said[1].is_element_node:
        return None
    return (value, said[1:]) if (value := visible_text(said[1])) else None


def _short_text(node: LexborNode) -> str:
    """The text of an element that is not too large to be a label; else nothing."""
    return visible_text(node) if len(node.text()) <= 4 * _LONGEST else ""


def _whole(node: LexborNode, wanted: str) -> LexborNode:
    """The outermost element that holds nothing but the label: no empty place for its value either."""
    above = node.parent
    while above is not None and above.is_element_node and node.tag not in _CELLS and _is_alone(node, above):
        if fold(_short_text(above)) != wanted:
            break
        node, above = above, above.parent
    return node


def _is_alone(node: LexborNode, above: LexborNode) -> bool:
    return all(one.mem_id == node.mem_id or one.tag in _ICONS for one in above.iter())


def _beside(node: LexborNode, text: str) -> tuple[str | None, list[LexborNode], bool]:
    """The value beside a label, the nodes that hold it, and whether the label is an explicit one."""
    if node.tag == "dt":
        span = list(_following(node, lambda one: one.tag == "dd"))
        return ", ".join(filter(None, map(visible_text, span))), span, True
    if node.tag in _CELLS:
        after = next(_elements_after(node), None)
        cell = after if after is not None and after.tag == "td" else _below(node)
        return (visible_text(cell), [cell], True) if cell is not None else (None, [], True)
    colon = text.rstrip().endswith((":", "："))
    line, span = _rest_of_line(node, node.tag)
    value = _clean(line)
    if node.tag in _HEADINGS:
        if not value:
            level = _HEADINGS[: _HEADINGS.index(node.tag) + 1]
            span = list(_following(node, lambda one: one.tag not in level))
            value = collapse(" ".join(map(visible_text, span)))
        return value, span, colon
    after = next(_elements_after(node), None)
    if not value and after is not None and after.tag not in _HEADINGS:
        value, span = visible_text(after), [after]
    is_explicit = colon or line.lstrip().startswith((":", "："))
    return value if value and not value.endswith((":", "：")) else None, span, is_explicit


def _is_empty(node: LexborNode) -> bool:
    """Whether an element is there for a text and has none."""
    is_place = node.is_element_node and node.tag not in _ICONS and node.css_first(_SHOWS) is None
    return is_place and not visible_text(node)


def _is_its_place(label: LexborNode, empty: LexborNode) -> bool:
    """Whether an empty element is there for what the label tells: nothing stands between it and the next label, as
    behind an element that only parts the two."""
    if label.tag in _CELLS or label.tag == "dt":
        return True
    after, said = empty.next, ""
    while after is not None and not said:
        said = collapse(after.text_content or "") if after.is_text_node else ""
        if after.is_element_node:
            said = visible_text(after)
        after = after.next
    return not said or said.endswith((":", "："))


def _below(cell: LexborNode) -> LexborNode | None:
    """The cell under a header, in a table that has one row of values."""
    row = cell.parent
    table = row.parent if row is not None else None
    while table is not None and table.tag != "table":
        table = table.parent
    if row is None or table is None:
        return None
    rows = list(islice((one for one in table.css("tr") if one.css_first("td, th") is not None), 3))
    if len(rows) != 2 or rows[0].mem_id != row.mem_id:
        return None
    heads, cells = ([one for one in line.iter() if one.tag in _CELLS] for line in rows)
    place = next((at for at, one in enumerate(heads) if one.mem_id == cell.mem_id), -1)
    return cells[place] if len(heads) == len(cells) and place >= 0 else None


def _elements_after(node: LexborNode) -> Iterator[LexborNode]:
    after = node.next
    while after is not None:
        if after.is_element_node:
            yield after
        after = after.next


def _following(node: LexborNode, holds: Callable[[LexborNode], bool]) -> Iterator[LexborNode]:
    """The elements after `node` as long as the condition holds."""
    for after in _elements_after(node):
        if not holds(after):
            return
        yield after


def _rest_of_line(node: LexborNode, tag: str | None) -> _Said:
    """What stands after `node` up to the end of its line, or up to the next label: one like it, or one with a colon."""
    line, span = "", list[LexborNode]()
    after = node.next
    while after is not None and len(span) < _MOST:
        if after.is_text_node:
            text = after.text_content or ""
        elif after.is_element_node:
            text = visible_text(after)
            is_label = text.endswith((":", "：")) or after.tag == tag or (tag is None and after.tag in _BOLD)
            if is_block(after.tag or "") or (is_label and _clean(line)) or text.endswith(":"):
                break
        else:
            text = ""
        line += text
        span.append(after)
        after = after.next
    return line, span


def _bare_text_after(node: LexborNode) -> str:
    """The text between `node` and the next element; a line break that comes first is passed over."""
    pieces = ""
    after = node.next
    while after is not None:
        if after.is_text_node:
            pieces += after.text_content or ""
        elif after.is_element_node and (after.tag != "br" or pieces.strip()):
            break
        after = after.next
    return collapse(pieces)


def _sort_at(text: LexborNode) -> int | None:
    """The sort of a label that begins this text: explicit where it begins its line, weaker where the inline element
    that holds it does so behind white space; None where other text stands before it."""
    if (is_first := _begins(text)) is not None:
        return _EXPLICIT if is_first else None
    around = text.parent
    if around is None or is_block(around.tag or "") or around.prev is None:
        return _EXPLICIT
    return None if _begins(around) is False else _INSIDE


def _begins(node: LexborNode) -> bool | None:
    """Whether a line begins with a node; None where nothing stands before it under its parent."""
    before = node.prev
    while before is not None:
        if before.is_element_node:
            return is_block(before.tag or "")
        if before.is_text_node and (before.text_content or "").strip():
            return False
        before = before.prev
    return None


def _clean(text: str) -> str:
    return collapse(_LEADING.sub("", text)).rstrip(" |•·;,")
