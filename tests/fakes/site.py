"""A site in memory: a Source that counts, and pages that are long enough to be real."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from crawloop.contract import Source
from crawloop.errors import FetchError
from crawloop.model.page import Page

FILLER = "<p>" + "All kettles are tested by hand before they leave the house, one by one. " * 6 + "</p>"


def document(body: str, title: str = "Shop") -> str:
    """A whole page around `body`, with enough text that nobody takes it for an empty shell."""
    head = f"<!doctype html><html lang=en><head><meta charset=utf-8><title>{title}</title></head>"
    return f"{head}<body><main>{body}</main>{FILLER}</body></html>"


class Site(Source):
    """Serves `pages` by URL and counts how often each was fetched. Other URLs raise FetchError."""

    def __init__(self, pages: Mapping[str, str], at: str = "2026-01-01T00:00:00Z") -> None:
        self.pages = dict(pages)
        self.fetched: Counter[str] = Counter()
        self._at = at

    async def fetch(self, url: str) -> Page:
        self.fetched[url] += 1
        if url not in self.pages:
            raise FetchError(f"{url}: no such host")
        return Page(url, self.pages[url], fetched_at=self._at)
