"""Every piece of JSON that a page carries, by name; each is parsed when it is first read, once.

A script is named by its id, else by the variable it assigns, else `json[i]` by its place among the JSON scripts without
an id; JSON in attributes by the attribute (`data-product`) as a list, in hidden inputs by the input's name, and in
hidden elements by their id.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from itertools import chain
from typing import Any

from selectolax.lexbor import LexborNode

from crawloop.extract.data import literals, microdata, payloads, scripts
from crawloop.extract.data.graph import Graph, same_address
from crawloop.extract.data.paths import Path, Step
from crawloop.extract.data.paths import values as reach
from crawloop.extract.dom.tags import META_SAYS

_ATTRIBUTE = re.compile(r"=\s*[\"']\s*[{\[]\s*(?:\"|&(?:quot|#0*34|#x0*22);|[{\[])")
_EMAN = re.compile(r"([\w:.@-]{1,100})\s")
_CONTENT = re.compile(r">\s*(?:<!--\s*)?[{\[]\s*(?:\"|&quot;|[{\[])")
_ID = re.compile(r"\sid\s*=\s*[\"']?([\w:.-]{1,100})", re.I)
_NOT_DATA = frozenset(("style", "class", "href", "src", "srcset", "sizes", "title", "alt", "d", "type"))
# What a CSS identifier must escape: signs anywhere, and a figure or a dash at its start.
_NOT_IDENTIFIER = re.compile(r"[^\w-]|^-?\d|^-")
_SAFE_NAME = re.compile(r"[\w:.@-]+\Z")


class Islands:
    """The islands below one node; `source` is the markup in which names are looked for."""

    __slots__ = ("_codes", "_graphs", "_root", "_scripts", "_source", "_unassigned", "_url", "_values")

    def __init__(self, root: LexborNode, source: str | None = None, url: str = "") -> None:
        self._root = root
        self._source = source
        self._url = url
        self._values: dict[str, Any] = {}
        self._scripts: dict[str, tuple[LexborNode, bool]] | None = None
        self._codes: list[str] | None = None
        self._graphs: dict[str, Graph] = {}
        self._unassigned: set[str] = set()

    def names(self) -> list[str]:
        """The names of all islands that hold something: JSON scripts, variables, attributes and inputs, by id."""
        variables = list(scripts.assigned(self._code()))
        if self.get("__next_f") is not None:
            variables.append("__next_f")
        every = dict.fromkeys([*self._json_scripts(), *variables, *self._attribute_names(), *self._ids()])
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
            self._graphs[mark] = Graph(roots, partial(_own_addresses, self._root, self._url))
        return self._graphs[mark]

    def values(self, path: Path) -> Iterable[Any]:
        """Every value at a path; of typed objects those of the best group that has any (see `graph`)."""
        root, steps = path.root, path.steps
        if not root:
            return reach(*self.lookup(steps))
        graph = self._graphs.get(root[0]) or self.graph(root[0])
        for group in graph.ranked(root[1:]):
            if len(group) == 1 and isinstance(only := reach(group[0], steps, graph.resolve), tuple):
                if only:
                    return only
                continue
            several = chain.from_iterable(reach(one, steps, graph.resolve) for one in group)
            for first in several:
                return chain((first,), several)
        return ()

    def lookup(self, steps: tuple[Step, ...]) -> tuple[Any, tuple[Step, ...]]:
        """The island that the first steps name, the longest name first, and the steps that are left."""
        if steps[:1] == ("json",) and len(steps) > 1 and isinstance(steps[1], int):
            return self.get(f"json[{steps[1]}]"), steps[2:]
        if steps[:1] in (("window",), ("self",), ("globalThis",)) and len(steps) > 1:
            steps = steps[1:]
        words = next((n for n, one in enumerate(steps) if not isinstance(one, str)), len(steps))
        for length in range(min(4, words), 1, -1):
            name = ".".join(map(str, steps[:length]))
            value = self._values.get(name)
            if value is None and name not in self._unassigned:
                value = scripts.find(self._code(), name)
            if value is None:
                self._unassigned.add(name)
            else:
                self._values[name] = value
                return value, steps[length:]
        return (self.get(str(steps[0])), steps[1:]) if words else (None, ())

    def _read(self, name: str) -> Any:
        script = self._json_scripts().get(name)
        if script is not None:
            value = literals.read(script[0].text(deep=False))
            return payloads.revived(value) if name == "__NUXT_DATA__" else value
        if name == "__next_f":
            return payloads.flight(self._code())
        variable = scripts.bare(name)
        value = scripts.find(self._code(), variable)
        if value is None and _SAFE_NAME.match(name) and (self._source is None or name in self._source):
            value = self._in_attribute(name) or self._in_element(name)
        return value

    def _json_scripts(self) -> dict[str, tuple[LexborNode, bool]]:
        """By name: the script, and whether it is ld+json."""
        if self._scripts is None:
            self._scripts, unnamed = {}, 0
            for node in self._root.css('script[type*="json" i]'):
                attributes = node.attributes
                kind = (attributes.get("type") or "").lower()
                name = (attributes.get("id") or "").strip()
                if not name or name in self._scripts:
                    name, unnamed = f"json[{unnamed}]", unnamed + 1
                self._scripts[name] = node, "ld+json" in kind
        return self._scripts

    def _code(self) -> list[str]:
        """The texts of the scripts that are not JSON."""
        if self._codes is None:
            nodes = self._root.css('script:not([src]):not([type*="json" i])')
            self._codes = [node.text(deep=False) for node in nodes]  # in svg scripts may nest
        return self._codes

    def _attribute_names(self) -> list[str]:
        source = (self._root.html or "") if self._source is None else self._source
        found: dict[str, None] = {}
        for start in _ATTRIBUTE.finditer(source):
            name = _EMAN.match(source[max(0, start.start() - 110) : start.start()].rstrip()[::-1])
            if name is not None:
                found[name[1][::-1].lower()] = None
        inputs = [
            node.attributes.get("name") or node.attributes.get("id") or ""
            for node in (self._root.css("input[value]") if "value" in found else ())
        ]
        return [one for one in found if one not in _NOT_DATA and one != "value" and not one.startswith("on")] + inputs

    def _ids(self) -> list[str]:
        """The ids of elements whose content may be JSON."""
        source = (self._root.html or "") if self._source is None else self._source
        found: list[str] = []
        for start in _CONTENT.finditer(source):
            tag = source.rfind("<", max(0, start.start() - 1_000), start.start())
            name = _ID.search(source, tag, start.start()) if tag >= 0 else None
            if name is not None:
                found.append(name[1])
        return found

    def _in_attribute(self, name: str) -> list[Any] | None:
        """What every attribute of that name holds, or every input of that name."""
        escaped = _NOT_IDENTIFIER.sub(lambda found: "".join(f"\\{ord(one):x} " for one in found[0]), name.lower())
        texts = [node.attributes.get(name.lower()) for node in self._root.css(f"[{escaped}]")]
        texts += [node.attributes.get("value") for node in self._root.css(f'input[name="{name}"], input[id="{name}"]')]
        values = [literals.read(text) for text in texts if text and text.lstrip()[:1] in ("{", "[")]
        return [value for value in values if value is not None] or None

    def _in_element(self, name: str) -> Any:
        """What the element of that id holds, as text or as a comment."""
        node = self._root.css_first(f'[id="{name}"]')
        child = node.first_child if node is not None else None
        while child is not None:
            text = child.comment_content if child.is_comment_node else child.text_content
            if text and text.lstrip()[:1] in ("{", "["):
                return literals.read(text)
            child = child.next
        return None


def _own_addresses(root: LexborNode, url: str) -> set[str]:
    """The page's own URL and the canonical ones it names."""
    links = root.css('link[rel="canonical"], meta[property="og:url"], meta[name="og:url"]')
    said = (node.attributes.get(name) for node in links for name in ("href", *META_SAYS))
    own = [url, *filter(None, said)]
    return {address for address in map(same_address, own) if address}
