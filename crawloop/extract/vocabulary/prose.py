"""The texts that objects of JSON hold, in the order in which a page shows them: a heading, its text, what stands below.

{"name": "Dough", "itemListElement": [{"name": "Mix", "text": "Mix all."}]}   →   "Dough", "Mix all."
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crawloop import values

_HEADINGS = ("name", "headline")
_BELOW = ("itemListElement", "step", "steps")
_NODES = 20_000


def prose_of(value: Any) -> Iterator[str]:
    """Every text of the value; a heading that is only how its text starts is none. Bounded by `_NODES` values."""
    stack, left = [value], _NODES
    while stack and left:
        one = stack.pop()
        left -= 1
        if isinstance(one, str):
            if one.strip():
                yield one
        elif isinstance(one, (list, tuple)):
            stack.extend(reversed(one))
        elif isinstance(one, dict):
            stack.extend(reversed([*_own(one), *(one[key] for key in _BELOW if key in one)]))


def _own(told: dict[str, Any]) -> Iterator[str]:
    """The heading of an object and its text."""
    heading = next((told[key] for key in _HEADINGS if isinstance(told.get(key), str)), "")
    text = told.get("text")
    text = text if isinstance(text, str) else ""
    if heading and heading != text and not _loose(text).startswith(_loose(heading).rstrip(".…")):
        yield heading
    yield text


def _loose(text: str) -> str:
    return values.fold(values.clean(text))
