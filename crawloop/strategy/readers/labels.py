"""The labels beside a value: the cell or term before its element, the words before it in its line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crawloop.carriers.dom import Dom
from crawloop.carriers.index import Place
from crawloop.carriers.naming import affinity
from crawloop.model.kind import Field
from crawloop.values import squash

GUESSED = "guess"  # the carrier of what stands beside a text that serves as a label, and is not written as one
_LONGEST = 50
_BARE = 0.5  # what it costs a label that it may as well be the words before a link or an emphasis
_CELLS = frozenset(("dt", "th", "td", "b", "strong", "label", "h3", "h4"))


def labels(dom: Dom, place: Place, field: Field) -> Iterator[tuple[str, float]]:
    """Labels that may belong to the value at a place, with their costs; what the page is called is none."""
    costs: dict[str, float] = {}
    for label, cost in _near(dom, place):
        label = label.strip().rstrip(" :")
        if _is_label(label) and squash(label) not in dom.called:
            costs[label] = min(cost, costs.get(label, cost))
    for label, cost in costs.items():
        yield label, cost - 0.5 * affinity(field, label)


def is_written(dom: Dom, label: str) -> bool:
    """Whether the page has the label as one: in a cell or term, or with a colon."""
    return dom.once((is_written, label), lambda: _is_written(dom, label))


def _is_written(dom: Dom, label: str) -> bool:
    for start, end in dom.text.hits(squash(label)):
        if any(dom.tags[one] in _CELLS for one in dom.by_range.get((start, end), ())):
            return True
        if re.search(rf"{re.escape(label)}\s*[:：]", dom.raw(*dom.text.span(start)), re.I):
            return True
    return False


def _near(dom: Dom, place: Place) -> Iterator[tuple[str, float]]:
    if place.at >= 0:
        line = re.match(r"([^:\d]{2,50}):\s*\S", dom.raw(*dom.text.span(place.at)))
        if line:
            yield line[1], 0.3
        own, ahead = dom.before(place.at)
        if own:
            yield re.split(r"(?<=[.;|])\s", own)[-1].partition(":")[0], 0.3 if ":" in own else 0.6
        else:
            yield ahead, 0.3 if ahead.endswith(":") else 0.5 + (_BARE if _follows_bare_text(dom, place.owner) else 0.0)
    number = place.owner
    for height, one in enumerate([number, *dom.ancestors(number)[:3]]):
        parent = dom.parents[one]
        if parent < 0:
            return
        siblings = dom.children[parent]
        at = siblings.index(one)
        if at and dom.ends[siblings[at - 1]] > dom.starts[siblings[at - 1]]:
            before = siblings[at - 1]
            doubt = 0.0 if dom.tags[before] in _CELLS else 0.1
            yield dom.shown(before), 0.4 + 0.15 * height + doubt


def _follows_bare_text(dom: Dom, number: int) -> bool:
    """Whether the element is the first in its parent, and text of the parent stands before it."""
    parent = dom.parents[number]
    return parent >= 0 and dom.children[parent][0] == number and dom.starts[parent] < dom.starts[number]


def _is_label(text: str) -> bool:
    is_pair = re.search(r"[:：]\s+\w", text) is not None
    return 1 < len(text) <= _LONGEST and any(map(str.isalpha, text)) and not text[0].isdigit() and not is_pair
