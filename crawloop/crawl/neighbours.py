"""The other families on a page's host, and whether a page looks like one of theirs: a URL says less than a page does.

A program that is run on another family's page reads nonsense, or breaks, and neither speaks against it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

from crawloop.contract import Store
from crawloop.model.page import Page
from crawloop.shape import NEW_LAYOUT, SAME_LAYOUT, likeness, marks, url_key

_LAYOUTS = 16  # golden pages of a family that are looked at, of all its epochs

Layout = Counter[str]


class Neighbours:
    """The other families beside one. Their golden pages are read when a page gives cause."""

    def __init__(self, family: str, store: Store) -> None:
        self._family = family
        self._store = store
        self._layouts = cache(self._read)
        self._beside = cache(self._on)

    def owner(self, page: Page) -> str | None:
        """The family whose pages a page looks like, where it does not look like this family's own."""
        found = marks(page.html)
        own = self._layouts(self._family)
        if _likest(own, found) >= NEW_LAYOUT:
            return None
        for other in self._beside(_host(page.base)):
            theirs = self._layouts(other)
            # Families that share a template cannot be told apart by it, and may well be redesigned together.
            is_sister = any(_likest(own, one) >= NEW_LAYOUT for one in theirs)
            if not is_sister and _likest(theirs, found) >= SAME_LAYOUT:
                return other
        return None

    def _on(self, host: str) -> Sequence[str]:
        """The other families that have pages on a host."""
        others = (one for one in self._store.families() if one.name != self._family)
        return [one.name for one in others if any(_host(url) == host for url in one.urls)]

    def _read(self, family: str) -> Sequence[Layout]:
        goldens = sorted(self._store.goldens(family), key=lambda one: -one.version)
        return [marks(golden.html) for golden in goldens[:_LAYOUTS]]


def _likest(layouts: Sequence[Layout], found: Layout) -> float:
    """How alike a page is to the one that it is most like."""
    return max((likeness(one, found) for one in layouts), default=0.0)


def _host(url: str) -> str:
    return url_key(url).partition("/")[0].removeprefix("www.")
