"""Rows that are values of the page's JSON. They read like elements, relative to themselves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from crawloop.extract.data import paths
from crawloop.extract.dom import nodes
from crawloop.extract.vocabulary.plain import as_text, is_plain

if TYPE_CHECKING:
    from crawloop.extract.view import Element, PageView


class JsonNode:
    """A row that is a value of the page's JSON: an object, or a plain value. It has no elements and no attributes."""

    __slots__ = ("_page", "_value")

    def __init__(self, value: Any, page: PageView | None = None) -> None:
        self._value = value
        self._page = page

    def json(self, path: str = "", *, alone: bool = False) -> Any:
        """The first value at a path of steps from here ("offers.price"); "" is the row itself."""
        return first_of(self._values(path), alone)

    def json_all(self, path: str) -> list[Any]:
        """Every value at a path of steps from here; lists are joined into one."""
        return joined(self._values(path))

    def json_rows(self, path: str) -> list[JsonNode]:
        """Every value at a path of steps from here, as rows to read from."""
        return [JsonNode(value, self._page) for value in self.json_all(path)]

    def text(self, css: str = "", *, alone: bool = False) -> str | None:
        """The row itself where it is a plain text or number; no selector matches here."""
        if css or isinstance(self._value, bool) or not is_plain(self._value):
            return None
        return nodes.collapse(as_text(self._value)) or None

    def texts(
        self, css: str, *, plain: bool = False, alike: bool = False, bare: bool = False, glued: bool = False
    ) -> list[str]:
        """No selector matches here."""
        text = self.text(css)
        return [text] if text else []

    own_text = text

    def own_texts(self, css: str, *, alike: bool = False) -> list[str]:
        """No selector matches here."""
        return self.texts(css)

    def attr(self, css: str, name: str, *, alone: bool = False) -> str | None:
        """There are no attributes here."""
        return None

    def attrs(self, css: str, name: str) -> list[str]:
        """There are no attributes here."""
        return []

    def css(self, css: str) -> list[Element]:
        """There are no elements here."""
        return []

    def css_first(self, css: str) -> Element | None:
        """There are no elements here."""
        return None

    def labelled(self, label: str, within: str = "", *, plain: bool = False, blank: bool = False) -> str | None:
        """There are no labels here."""
        return None

    def tail(self, label: str, within: str = "") -> str | None:
        """There are no labels here."""
        return None

    def labelled_lines(self, label: str, within: str = "", *, plain: bool = False) -> list[str]:
        """There are no labels here."""
        return []

    def column(self, heading: str) -> str | None:
        """There are no tables here."""
        return None

    def column_link(self, heading: str) -> str | None:
        """There are no tables here."""
        return None

    def lines(self, css: str = "", *, alone: bool = False, plain: bool = False) -> list[str]:
        """The row itself where it is a plain text or number."""
        return self.texts(css)

    def link(self, css: str = "", name: str = "href", *, alone: bool = False) -> str | None:
        """There are no attributes here."""
        return None

    def preceding(self, css: str, name: str = "", like: str = "") -> str | None:
        """There are no elements here."""
        return None

    def _values(self, path: str) -> Iterable[Any]:
        compiled = paths.parse(path)
        steps = (compiled.root, *compiled.steps) if compiled.root else compiled.steps
        return paths.values(self._value, steps, self._resolved)

    def _resolved(self, value: dict[str, Any], key: str) -> Any:
        """What another object of the page's ld+json with the same @id has under `key`."""
        return (
            self._page.islands().graph("@").resolve(value, key) if self._page is not None and "@id" in value else None
        )


def first_of(values: Iterable[Any], alone: bool) -> Any:
    """The first value; with `alone` None where others are different."""
    if isinstance(values, tuple):
        return values[0] if len(values) == 1 else None
    found = iter(values)
    first = next(found, None)
    return None if alone and any(one != first for one in found) else first


def joined(values: Iterable[Any]) -> list[Any]:
    """Values of which each may be one or a list, as one list without empty elements."""
    found: list[Any] = []
    for value in values:
        if isinstance(value, list):
            found.extend(one for one in value if paths.present(one))
        else:
            found.append(value)
    return found
