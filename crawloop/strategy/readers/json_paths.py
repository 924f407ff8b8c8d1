"""From where a value stands in an island to the paths that could lead there on every page, each with its cost.

Paths start at an object of a named type where there is one; positions in lists are left out (the first that has the
value), or told by a key of the element, and stand as numbers only where nothing else tells them apart. A key that
numbers content leads nowhere on another page: it is the last to be read by.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import log10
from typing import Any

from crawloop.carriers.leaves import Leaf, Leaves
from crawloop.carriers.naming import affinity, camel
from crawloop.extract.data.graph import type_names
from crawloop.extract.data.paths import EVERY, Descend, Step, Where, format_path
from crawloop.model.kind import Field
from crawloop.strategy.readers.selectors import made_up

_TELLING = ("@type", "type", "name", "key", "label", "property", "rel", "code", "slug", "title", "id")
_NUMBERS_CONTENT = re.compile(r"\d{4}|[0-9a-f]{8}-[0-9a-f]{4}-")
_TYPED, _UNTYPED = 0.3, 0.9
_MADE_UP = 0.6
_OF_ONE_PAGE = 2.0
_WEIGHT = 0.1  # what it costs by the power of ten of an island's leaves: all are decoded to read one
_POSITION, _TOLD, _DEPTH, _NAME = 1.0, 0.5, 0.08, 0.7


def paths(leaf: Leaf, leaves: Leaves, field: Field) -> Iterator[tuple[str, float]]:
    """Paths to one leaf, with their costs."""
    for root, depth, cost in _roots(leaf, leaves):
        steps = leaf.steps[depth:]
        cost += _worth(steps, field)
        for told, extra in _told(leaf, leaves, depth):
            yield format_path(root, told), cost + extra


def list_paths(leaf: Leaf, leaves: Leaves, field: Field) -> Iterator[tuple[str, float]]:
    """Paths to all the leaves that stand like this one in a list, with their costs."""
    for root, depth, cost in _roots(leaf, leaves):
        steps = leaf.steps[depth:]
        positions = [at for at, step in enumerate(steps) if isinstance(step, int)]
        if not positions:
            continue
        cost += _worth(steps, field)
        yield format_path(root, [EVERY if isinstance(one, int) else one for one in steps]), cost
        last = positions[-1]
        if len(positions) > 1:
            kept: list[Step] = [EVERY if at == last else one for at, one in enumerate(steps)]
            yield format_path(root, kept), cost + _POSITION * (len(positions) - 1)
        first, key = positions[0], steps[-1]
        if isinstance(key, str) and len(steps) - first > 2:
            yield format_path(root, [*steps[:first], Descend(key)]), cost + 0.15


def object_paths(leaf: Leaf, leaves: Leaves, field: Field) -> Iterator[tuple[str, float]]:
    """Paths to the outermost objects of a list in which the leaf stands, with their costs."""
    for root, depth, cost in _roots(leaf, leaves):
        steps = leaf.steps[depth:]
        first = next((at for at, step in enumerate(steps) if isinstance(step, int)), 0)
        if first and any(isinstance(one, str) for one in steps[first:]):
            yield format_path(root, [*steps[:first], EVERY]), cost + _worth(steps[:first], field)


def _roots(leaf: Leaf, leaves: Leaves) -> Iterator[tuple[str, int, float]]:
    """(root, number of steps that it stands for, cost): each typed object on the way, and the island itself."""
    typed, mark = 0, "#" if leaf.island == "#" else "@"
    for depth, holder in leaves.holders(leaf):
        names = type_names(holder.get("@type")) if isinstance(holder, dict) else []
        if names and names[0]:
            yield f"{mark}{names[0]}", depth, _TYPED + 0.25 * typed + (0.1 if mark == "#" else 0.0)
            typed += 1
    if mark == "@":
        unstable = made_up(leaf.island) or leaf.island.startswith("json[")
        weight = _WEIGHT * log10(10 * leaves.sizes[leaf.island])
        yield leaf.island, 0, _UNTYPED + (_MADE_UP if unstable else 0.0) + weight


def _worth(steps: Sequence[str | int], field: Field) -> float:
    keys = [one for one in steps if isinstance(one, str)]
    names = [*keys[-2:], camel(keys[-2:])]
    doubt = sum(_OF_ONE_PAGE if _is_of_one_page(one) else _MADE_UP * (made_up(one) or len(one) > 30) for one in keys)
    return _DEPTH * len(keys) + doubt - _NAME * max((affinity(field, one) for one in names), default=0.0)


def _is_of_one_page(key: str) -> bool:
    """Whether a key is the number of a page's content, as in "recipe-4711": another page has another."""
    return _NUMBERS_CONTENT.search(key) is not None


def _told(leaf: Leaf, leaves: Leaves, depth: int) -> Iterator[tuple[list[Step], float]]:
    """The steps from `depth` on, with the positions left out, told by a key, or kept."""
    holders = dict(leaves.holders(leaf))
    steps = leaf.steps
    rest = range(depth, len(steps))
    free: list[Step] = [steps[at] for at in rest if isinstance(steps[at], str)]
    later = sum(1 for at in rest if isinstance(steps[at], int) and steps[at] != 0)
    yield free, 0.3 * later
    if len(free) == len(rest):
        return
    yield [steps[at] for at in rest], _POSITION * sum(isinstance(steps[at], int) for at in rest)
    said: list[Step] = []
    for at in rest:
        step = steps[at]
        if isinstance(step, int):
            where = _where(holders[at][step])
            if where is None:
                return
            said.append(where)
        else:
            said.append(step)
    yield said, _TOLD


def _where(element: Any) -> Where | None:
    if not isinstance(element, dict):
        return None
    for key in _TELLING:
        value = element.get(key)
        if isinstance(value, str) and 0 < len(value) <= 40 and not any(sign.isdigit() for sign in value):
            return Where(key, value)
    return None
