"""A page's markup as somebody who writes a program is shown it: tags, the attributes that selectors use, short texts.

Scripts, styles, drawings and what is hidden from readers are left out. Of many siblings that look alike the first few
are shown and the rest are counted. The whole is capped in characters: texts and siblings give way first, then whatever
holds no known value.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from selectolax.lexbor import LexborHTMLParser, LexborNode

from crawloop.brief.samples import islands_of
from crawloop.brief.unseen import is_unseen
from crawloop.extract.bounds.guard import check
from crawloop.extract.dom.nodes import collapse
from crawloop.model.truth import Sample
from crawloop.values import squash

_DROPPED = frozenset(
    ("script", "style", "svg", "template", "noscript", "iframe", "canvas", "video", "audio", "path", "object")
)
_KEPT = frozenset(
    (
        "id", "class", "itemprop", "itemtype", "itemscope", "href", "src", "datetime", "content", "name", "property",
        "rel", "title", "alt", "role", "lang", "value", "type", "for", "label", "headers", "scope", "colspan",
    )
)  # fmt: skip
_VOID = frozenset(("br", "hr", "img", "input", "link", "meta", "source", "wbr", "area", "base", "col", "embed"))
_LONGEST_ATTRIBUTE = 90
_DEEPEST = 60
_JSON_SHARE = 0.3
_SPACE = re.compile(r"\s+")
_TELLING = 4


@dataclass(frozen=True, slots=True)
class _Measure:
    """How much is shown: the longest text, the most siblings that look alike, and whether all else is elided."""

    longest: int
    alike: int
    elided: bool = False


_MEASURES = (
    _Measure(200, 12),
    _Measure(90, 6),
    _Measure(120, 8, elided=True),
    _Measure(60, 4, elided=True),
    _Measure(30, 2, elided=True),
    _Measure(15, 1, elided=True),
)


def skeleton(sample: Sample, room: int) -> str:
    """A page's markup and its JSON in at most `room` characters. Raises PageRefused."""
    check(sample.page.html)
    tree = LexborHTMLParser(sample.page.html)
    below = islands_of(sample, int(room * _JSON_SHARE))
    head = "\n".join(_head(tree))[: room // 6]
    left = room - len(below) - len(head) - 2
    body = ""
    telling = _holders(tree, _values(sample))
    for measure in _MEASURES if tree.body else ():
        body = "".join(_Writer(measure, telling).written(tree.body, 0)) if tree.body else ""
        if len(body) <= left:
            break
    cut = body if len(body) <= left else body[: max(0, left - 20)] + "\n<!-- cut here -->"
    return "\n".join(part for part in (head, cut, below) if part)


def _values(sample: Sample) -> frozenset[str]:
    """The right values of a page that are long enough to be told apart, by their letters and digits."""
    records = sample.truth.values() if sample.truth else ()
    found = [value for record in records for value in record.values()]
    flat = [one for value in found for one in (value if isinstance(value, list) else [value])]
    return frozenset(loose for one in flat if len(loose := squash(str(one))) >= _TELLING)


def _holders(tree: LexborHTMLParser, values: frozenset[str]) -> frozenset[int]:
    """The elements in which a value, or a part of one, stands as a text, with all elements around them."""
    found: set[int] = set()
    for node in tree.body.traverse(include_text=True) if tree.body and values else ():
        if not node.is_text_node or len(loose := squash(node.text_content or "")) < _TELLING:
            continue
        if any(value in loose or (len(loose) * 3 >= len(value) and loose in value) for value in values):
            at = node.parent
            while at is not None and at.mem_id not in found:
                found.add(at.mem_id)
                at = at.parent
    return frozenset(found)


def _head(tree: LexborHTMLParser) -> Iterator[str]:
    for node in tree.css("html, head > title, head > meta[content], head > link[rel][href], head > base"):
        if node.tag == "title":
            yield f"<title>{escape(collapse(node.text())[:200], quote=False)}</title>"
        elif node.tag != "link" or node.attributes.get("rel") in ("canonical", "next", "prev", "alternate"):
            yield _opening(node)


@dataclass(frozen=True, slots=True)
class _Writer:
    measure: _Measure
    telling: frozenset[int]

    def written(self, node: LexborNode, depth: int) -> Iterator[str]:
        """A node's markup in pieces."""
        tag = node.tag or ""
        if node.is_text_node:
            text, longest = _SPACE.sub(" ", node.text_content or ""), self.measure.longest
            yield escape(text if len(text) <= longest else text[:longest] + "…", quote=False)
        elif node.is_element_node and tag not in _DROPPED and not is_unseen(node):
            yield _opening(node)
            if tag not in _VOID:
                yield from self._inside(node, depth)
                yield f"</{tag}>"

    def _inside(self, node: LexborNode, depth: int) -> Iterator[str]:
        elided = self.measure.elided and depth > 1 and node.mem_id not in self.telling
        if depth >= _DEEPEST or (elided and node.first_child is not None):
            yield "…"
            return
        seen: Counter[str] = Counter()
        for child in node.iter(include_text=True):
            if not child.is_element_node:
                yield from self.written(child, depth)
                continue
            dull = self.measure.elided and child.mem_id not in self.telling
            look = "element" if dull else f"{child.tag} {child.attributes.get('class') or ''}"
            seen[look] += 1
            if seen[look] <= self.measure.alike:
                yield from self.written(child, depth + 1)
        for look, count in seen.items():
            if count > self.measure.alike and look.partition(" ")[0] not in _DROPPED | _VOID:
                yield f"<!-- {count - self.measure.alike} more <{look.strip()[:_LONGEST_ATTRIBUTE]}> -->"


def _opening(node: LexborNode) -> str:
    parts = [node.tag or ""]
    for name, value in node.attributes.items():
        if name in _KEPT or name.startswith(("data-", "aria-label")):
            text = _SPACE.sub(" ", value or "")
            text = text if len(text) <= _LONGEST_ATTRIBUTE else text[:_LONGEST_ATTRIBUTE] + "…"
            parts.append(f'{name}="{escape(text)}"' if text else name)
    return f"<{' '.join(parts)}>"
