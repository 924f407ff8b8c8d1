"""The JSON of a page as far as it can hold the fields and says what readers do not see, an object a line.

Linked data comes whole; of other islands what stands below a key that is named after a field. What is empty, or a
long text that the page shows anyway, is left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from crawloop.brief.compact import shrunk_to
from crawloop.brief.focus import Focus
from crawloop.extract.data.graph import type_names
from crawloop.extract.data.islands import Islands
from crawloop.values import squash

_LONGEST_TEXT = 2_000
_LONGEST_LINE = 3_000
_ROOM = 6_000  # signs of an island that is no linked data
_DEEPEST = 12
_TOLD_ONCE = 40  # signs of a text that is not told twice
_EMPTY: tuple[Any, ...] = (None, "", [], {})


def facts(islands: Islands, focus: Focus, seen: str) -> Iterator[str]:
    """`name: {json}` for each object that tells something new. `seen` is the page's visible text."""
    news = _News(focus, squash(seen))
    linked: set[int] = set()
    for mark in ("@", "#"):
        for one in islands.graph(mark).tops():
            linked.add(id(one))
            yield from _written(f"{mark}{type_names(one['@type'])[0]}", news.of(one))
    for name in islands.names():
        value = islands.get(name)
        if not is_linked(value, linked) and (named := news.named(value)):
            yield from filter(None, [shrunk_to(name, named, _ROOM)])


def is_linked(value: Any, linked: set[int]) -> bool:
    """Whether an island is JSON-LD whose objects, told by their ids in `linked`, are shown by their types."""
    graph = value.get("@graph", value) if isinstance(value, dict) else value
    objects = graph if isinstance(graph, list) else [graph]
    return bool(objects) and all(id(one) in linked for one in objects)


def _written(name: str, value: Any) -> Iterator[str]:
    """An object on one line; a large one with its largest parts on lines of their own."""
    if value in _EMPTY:
        return
    text = _dumped(value)
    if len(text) <= _LONGEST_LINE or not isinstance(value, dict | list):
        yield f"{name}: {text}"
    elif isinstance(value, dict):
        small = {key: one for key, one in value.items() if len(_dumped(one)) <= _LONGEST_LINE // len(value)}
        yield from _written(name, small) if len(small) < len(value) else [f"{name}: {text}"]
        for key in value.keys() - small.keys():
            yield from _written(f"{name}.{key}", value[key])
    else:
        for number, one in enumerate(value):
            yield from _written(f"{name}[{number}]", one)


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class _News:
    """What a value says that is not seen anyway."""

    def __init__(self, focus: Focus, seen: str) -> None:
        self._focus = focus
        self._seen = seen

    def of(self, value: Any, depth: int = 0) -> Any:
        """The value without what is empty, seen, or a link where no field wants one."""
        if isinstance(value, str):
            return self._text(value.strip())
        return self._inside(value, depth, lambda key, one: None if key == "@context" else self.of(one, depth + 1))

    def named(self, value: Any, depth: int = 0) -> Any:
        """Of the value what stands below keys that are named after a field."""
        if not isinstance(value, dict | list):
            return None
        return self._inside(
            value,
            depth,
            lambda key, one: (self.of if key is not None and self._focus.names(key) else self.named)(one, depth + 1),
        )

    def _inside(self, value: Any, depth: int, of: Callable[[str | None, Any], Any]) -> Any:
        if depth > _DEEPEST:
            return None
        if isinstance(value, dict):
            parts = {key: of(key, one) for key, one in value.items()}
            return {key: one for key, one in parts.items() if one not in _EMPTY}
        if isinstance(value, list):
            return [one for one in (of(None, one) for one in value) if one not in _EMPTY]
        return value

    def _text(self, text: str) -> str | None:
        if not self._focus.links and text.startswith(("http://", "https://", "//")):
            return None
        if len(text) >= _TOLD_ONCE and squash(text) in self._seen:
            return None
        return text if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT] + "…"
