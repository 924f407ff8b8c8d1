"""From URLs to pages that can be served: fetched, safe to be parsed, and real ones of a site that is well."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic

from crawloop.crawl.kit import CrawlKit
from crawloop.crawl.report import PageStatus
from crawloop.errors import FetchError, PageForbidden
from crawloop.extract.bounds.guard import check
from crawloop.model.events import PageFetched
from crawloop.model.page import Page
from crawloop.triage import PageKind, triage

_NOT_SERVED = {
    PageKind.BLOCKED: PageStatus.BLOCKED,
    PageKind.GONE: PageStatus.GONE,
    PageKind.TRANSIENT: PageStatus.ERROR,
    PageKind.SHELL: PageStatus.ERROR,
}


@dataclass(frozen=True, slots=True)
class Empty:
    """A page that says that it has nothing to show."""

    page: Page


@dataclass(frozen=True, slots=True)
class Refused:
    """A URL without a page that could be served, and why."""

    url: str
    status: PageStatus
    why: str


Fetched = Page | Empty | Refused


class Intake:
    """Fetches the pages of a family. Those that are none are kept, for somebody may look into them."""

    def __init__(self, family: str, kit: CrawlKit) -> None:
        self._family = family
        self._kit = kit

    async def __call__(self, url: str) -> Fetched:
        page = None
        try:
            page = await self._timed(url)
            check(page.html)
        except FetchError as failure:
            if page is not None:
                self._kit.keep(page)
            is_barred = isinstance(failure, PageForbidden)
            return Refused(url, PageStatus.BLOCKED if is_barred else PageStatus.ERROR, str(failure))
        kind, why = triage(page)
        if kind is PageKind.REAL:
            return page
        if kind is PageKind.EMPTY:
            return Empty(page)
        self._kit.keep(page)
        return Refused(url, _NOT_SERVED[kind], f"{kind}: {why}")

    async def _timed(self, url: str) -> Page:
        started, status = monotonic(), None
        try:
            page = await self._kit.fetcher.fetch(url)
            status = page.status
            return page
        finally:
            seconds = round(monotonic() - started, 4)
            self._kit.observer(PageFetched(self._family, self._kit.clock(), "", url, status, seconds))
