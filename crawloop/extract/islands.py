"""Every piece of JSON that a page carries, by name; each is parsed when it is first read, once.

A script is named by its id, else by the variable it assigns, else `json[i]` by its place among the JSON scripts without
an id; JSON in attributes by the attribute (`data-product`), in hidden inputs by the input's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from selectolax.lexbor import LexborNode

from crawloop.extract import literals, microdata
from crawloop.extract.graph import Graph, Object, same_address
from crawloop.extract.paths import Step

_ASSIGNED = re.compile(
    r"(?<![\w$.])(?:(?:var|let|const)\s+)?(?P<name>(?:[A-Za-z_$][\w$]*\.){0,3}[A-Za-z_$][\w$]{2,})\s*=\s*"
    r"(?:(?P<parse>JSON\.parse\(\s*)(?=[\"'])|(?=[{\[]))"
)
_ATTRIBUTE = re.compile(r"\s([\w:.@-]+)\s*=\s*(?:\"|')\s*(?:\{|\[)\s*(?:\"|&quot;|&#34;|\{|\[)")
_NOT_DATA = frozenset(("style", "class", "href", "src", "srcset", "sizes", "title", "alt", "content", "d"))


class Islands:
    """The islands below one node (of the whole page: its root)."""

    __slots__ = ("_attributes", "_code", "_graphs", "_root", "_scripts", "_url", "_values")

    def __init__(self, root: LexborNode, url: str = "") -> None:
        self._root = root
        self._url = url
        self._values: dict[str, Any] = {}
        self._scripts: dict[str, tuple[str, bool]] | None = None
        self._code: dict[str, tuple[str, int]] | None = None
        self._attributes: dict[str, Any] | None = None
        self._graphs: dict[str, Graph] = {}

    def names(self) -> list[str]:
        """The names of all islands that hold something, scripts first."""
        every = dict.fromkeys([*self._json_scripts(), *self._assigned(), *self._in_attributes()])
        return [name for name in every if self.get(name) is not None]

    def get(self, name: str) -> Any:
        """The value of an island, None where there is none of that name."""
        if name not in self._values:
            self._values[name] = self._read(name)
        return self._values[name]

    def graph(self, mark: str) -> Graph:
        """The typed objects of ld+json ("@") or of microdata ("#")."""
        if mark not in self._graphs:
            if mark == "@":
                roots = [self.get(name) for name, (_, linked) in self._json_scripts().items() if linked]
            else:
                roots = list(microdata.items(self._root))
            self._graphs[mark] = Graph(roots, self._own)
        return self._graphs[mark]

    def ranked(self, root: str) -> Iterator[list[Object]]:
        """Objects of "@Type" or "#Type" in groups, best first (see `graph`)."""
        return self.graph(root[0]).ranked(root[1:])

    def lookup(self, steps: tuple[Step, ...]) -> tuple[Any, tuple[Step, ...]]:
        """The island that the first steps name, the longest name first, and the steps that are left."""
        if steps[:1] == ("json",) and len(steps) > 1 and isinstance(steps[1], int):
            return self.get(f"json[{steps[1]}]"), steps[2:]
        for length in range(min(4, len(steps)), 0, -1):
            head = steps[:length]
            if all(isinstance(one, str) for one in head):
                value = self.get(".".join(map(str, head)))
                if value is not None:
                    return value, steps[length:]
        return None, ()

    def _read(self, name: str) -> Any:
        script = self._json_scripts().get(name)
        if script is not None:
            return literals.read(script[0])
        code = self._assigned().get(name)
        if code is not None:
            return literals.read_at(*code)[0]
        return self._in_attributes().get(name)

    def _json_scripts(self) -> dict[str, tuple[str, bool]]:
        """By name: the text, and whether it is ld+json."""
        if self._scripts is None:
            self._scripts, unnamed = {}, 0
            for node in self._root.css('script[type*="json" i]'):
                attributes = node.attributes
                name = (attributes.get("id") or "").strip()
                if not name or name in self._scripts:
                    name, unnamed = f"json[{unnamed}]", unnamed + 1
                self._scripts[name] = node.text(), "ld+json" in (attributes.get("type") or "").lower()
        return self._scripts

    def _assigned(self) -> dict[str, tuple[str, int]]:
        """By name: the script's text and where the literal starts in it."""
        if self._code is None:
            self._code = {}
            for node in self._root.css("script:not([src])"):
                if "json" not in (node.attributes.get("type") or "").lower():
                    text = node.text()
                    for found in _ASSIGNED.finditer(text):
                        if not found["parse"]:
                            self._code.setdefault(found["name"], (text, found.end()))
        return self._code

    def _in_attributes(self) -> dict[str, Any]:
        if self._attributes is None:
            self._attributes = {}
            source = self._root.html or ""
            for name in dict.fromkeys(_ATTRIBUTE.findall(source)):
                if name not in _NOT_DATA and not name.startswith("on"):
                    self._read_attribute(name)
        return self._attributes

    def _read_attribute(self, name: str) -> None:
        assert self._attributes is not None
        escaped = re.sub(r"([^\w-])", r"\\\1", name)
        for node in self._root.css(f"[{escaped}]"):
            value = literals.read(node.attributes.get(name) or "")
            if value is not None:
                key = (node.attributes.get("name") or node.attributes.get("id") or name) if name == "value" else name
                self._attributes.setdefault(key, []).append(value)

    def _own(self) -> set[str]:
        links = self._root.css('link[rel="canonical"], meta[property="og:url"]')
        own = [self._url, *(node.attributes.get("href") or node.attributes.get("content") for node in links)]
        return {address for address in map(same_address, own) if address}
