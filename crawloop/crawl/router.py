"""Which family a URL belongs to, where nobody says it: by the patterns of the URLs that families were made from."""

from __future__ import annotations

from collections.abc import Iterable

from crawloop.contract import Store
from crawloop.model.family import Family
from crawloop.shape import matches, pattern, specificity, url_key


def routes(store: Store) -> Router:
    """The families that may serve: those that have a version."""
    return Router(one for one in store.families() if one.active is not None)


class Router:
    """URL → family name. Of several families that match, the one whose pattern says most of the URL."""

    def __init__(self, families: Iterable[Family]) -> None:
        self._own: dict[str, str] = {}
        self._patterns: dict[str, str] = {}
        for family in families:
            for url in family.urls:
                self._own.setdefault(url_key(url), family.name)
                self._patterns.setdefault(pattern(url), family.name)

    def route(self, url: str) -> str | None:
        """The family of a URL, None where no pattern matches."""
        own = self._own.get(url_key(url))
        if own is not None:
            return own
        found = [shape for shape in self._patterns if matches(shape, url)]
        return self._patterns[max(found, key=specificity)] if found else None

    def divide(self, urls: Iterable[str]) -> dict[str, list[str]]:
        """The URLs of each family, in their order; under "" those that no family has."""
        shares: dict[str, list[str]] = {}
        for url in urls:
            shares.setdefault(self.route(url) or "", []).append(url)
        return shares
