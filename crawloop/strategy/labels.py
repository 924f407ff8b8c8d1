"""The labels beside a value: the cell or term before its element, the words before it in its line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crawloop.carriers.dom import Dom
from crawloop.carriers.index import Place
from crawloop.model.kind import Field
from crawloop.strategy.naming import affinity

_LONGEST = 50
_CELLS = frozenset(("dt", "th", "td", "b", "strong", "label", "h3", "h4"))


def labels(dom: Dom, place: Place, field: Field) -> Iterator[tuple[str, float]]:
    """Labels that may belong to the value at a place, with their costs."""
    costs: dict[str, float] = {}
    for label, cost in _near(dom, place):
        label = label.strip().rstrip(" :")
        if _is_label(label):
            costs[label] = min(cost, costs.get(label, cost))
    for label, cost in costs.items():
        yield label, cost - 0.5 * affinity(field, label)


def _near(dom: Dom, place: Place) -> Iterator[tuple[str, float]]:
    if place.at >= 0:
        line = re.match(r"([^:\d]{2,50}):\s*\S", dom.raw(*dom.text.span(place.at)))
        if line:
            yield line[1], 0.3
        own, ahead = dom.before(place.at)
        if own:
            yield re.split(r"(?<=[.;|])\s", own)[-1].partition(":")[0], 0.3 if ":" in own else 0.6
        else:
            yield ahead, 0.3 if ahead.endswith(":") else 0.5
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


def _is_label(text: str) -> bool:
    return 1 < len(text) <= _LONGEST and any(sign.isalpha() for sign in text) and not text[0].isdigit()
