"""Objects with a type, as ld+json and microdata hold them, and which of them the page is about.

Among objects of one type, those that the page is about come first (they are some object's `mainEntity`, or their
`mainEntityOfPage`, `url` or `@id` is the page's own or its canonical URL), then those at the top of an island or
of its `@graph`, then those inside other objects; each group in document order, never by position in the graph.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

_NODES = 200_000
_NESTED = (dict, list)
_VOCABULARY = re.compile(r".*[/#:]", re.S)
Object = dict[str, Any]


def type_names(value: Any) -> list[str]:
    """The types of an object without their vocabulary: "https://schema.org/Recipe" and "schema:Recipe" are Recipe."""
    if isinstance(value, str):
        return [value if value.isalnum() else _VOCABULARY.sub("", value)]
    return (
        [name for one in value if isinstance(one, str) for name in type_names(one)] if isinstance(value, list) else []
    )


def same_address(value: Any) -> str | None:
    """A URL in the form in which two are compared: without scheme, fragment and trailing slash."""
    if isinstance(value, dict):
        value = value.get("@id") or value.get("url")
    if not isinstance(value, str) or not value:
        return None
    return re.sub(r"^[a-z]+:", "", value.strip().split("#", 1)[0]).removeprefix("//").rstrip("/").removeprefix("www.")


class Graph:
    """The typed objects of one page, from all its islands. Read lazily: nested objects only where they are needed."""

    __slots__ = ("_every", "_high", "_ids", "_low", "_nested", "_own", "_roots", "_top")

    def __init__(self, roots: list[Any], own: Callable[[], set[str]]) -> None:
        """`own` gives the page's own URLs in the form of `same_address`; it is asked at most once."""
        self._roots = roots
        self._own: Callable[[], set[str]] | set[str] = own
        self._high: dict[str, list[list[Object]]] = {}
        self._low: dict[str, list[list[Object]]] = {}
        self._every: list[Object] | None = None
        self._top: dict[str, list[Object]] | None = None
        self._nested: dict[str, list[Object]] | None = None
        self._ids: dict[str, list[Object]] | None = None

    def ranked(self, name: str) -> Iterator[list[Object]]:
        """Objects of the type in groups: top ones that the page is about, other top ones, then nested ones alike."""
        if name not in self._high:
            self._high[name] = self._parted(self._tops().get(name, []))
        yield from self._high[name]
        if name not in self._low:
            self._low[name] = self._parted(self._below().get(name, []))
        yield from self._low[name]

    def _parted(self, found: list[Object]) -> list[list[Object]]:
        """Those of several objects that the page is about, and the others; groups without any left out."""
        if len(found) < 2:
            return [found] if found else []
        main = self.about(found)
        return [one for one in (main, [one for one in found if not any(one is other for other in main)]) if one]

    def tops(self) -> list[Object]:
        """The typed objects at the top, each once; those that the page is about first."""
        unique = list({id(one): one for group in self._tops().values() for one in group}.values())
        main = self.about(unique)
        return [*main, *(one for one in unique if not any(one is other for other in main))]

    def resolve(self, value: Object, key: str) -> Any:
        """`key` of another object with the same @id; None where there is none."""
        reference = value.get("@id")
        if not isinstance(reference, str):
            return None
        if self._ids is None:
            self._ids = {}
            for one in self._objects():
                if isinstance(name := one.get("@id"), str) and len(one) > 1:
                    self._ids.setdefault(name, []).append(one)
        return next((one[key] for one in self._ids.get(reference, ()) if key in one), None)

    def _objects(self) -> list[Object]:
        if self._every is None:
            self._every = _objects(self._roots)
        return self._every

    def _tops(self) -> dict[str, list[Object]]:
        if self._top is None:
            self._top = {}
            for one in _tops(self._roots):
                self._file(self._top, one)
                entity = one.get("mainEntity")
                if isinstance(entity, dict):
                    self._file(self._top, entity)
        return self._top

    def _below(self) -> dict[str, list[Object]]:
        if self._nested is None:
            seen = {id(one) for group in self._tops().values() for one in group}
            self._nested = {}
            for one in self._objects():
                if "@type" in one and id(one) not in seen:
                    self._file(self._nested, one)
        return self._nested

    @staticmethod
    def _file(index: dict[str, list[Object]], one: Object) -> None:
        for name in type_names(one.get("@type")):
            index.setdefault(name, []).append(one)

    def about(self, objects: list[Object]) -> list[Object]:
        """Those of the objects that the page says it is about."""
        entities = [one["mainEntity"] for one in _tops(self._roots) if isinstance(one.get("mainEntity"), dict)]
        references = {one["@id"] for one in entities if isinstance(one.get("@id"), str)}
        own = self._own if isinstance(self._own, set) else self._own()
        self._own = own
        return [
            one
            for one in objects
            if any(one is entity for entity in entities)
            or one.get("@id") in references
            or one.get("mainEntityOfPage") is True
            or any(same_address(one.get(key)) in own for key in ("mainEntityOfPage", "url", "@id"))
        ]


def _tops(roots: list[Any]) -> Iterator[Object]:
    for root in roots:
        for one in root if isinstance(root, list) else (root,):
            if isinstance(one, dict):
                graph = one.get("@graph")
                if "@type" in one or graph is None:
                    yield one
                if graph is not None:
                    yield from (
                        inner for inner in (graph if isinstance(graph, list) else [graph]) if isinstance(inner, dict)
                    )


def _objects(roots: list[Any]) -> list[Object]:
    """Every object below the roots in document order, bounded."""
    found: list[Object] = []
    stack: list[Any] = roots[::-1]
    count = 0
    while stack and count < _NODES:
        one = stack.pop()
        count += 1
        if one.__class__ is dict:
            found.append(one)
            inner = [v for v in one.values() if v.__class__ in _NESTED]
        elif one.__class__ is list:
            inner = [v for v in one if v.__class__ in _NESTED]
        else:
            continue
        stack += reversed(inner)
    return found
