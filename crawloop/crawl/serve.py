"""Serving: pages in, reports out, in batches. History is written from pages that were all right, and from no others."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from itertools import islice
from time import monotonic

from crawloop.contract import Known
from crawloop.crawl.drift import EMPTY, Watch
from crawloop.crawl.evidence import Tracer
from crawloop.crawl.judge import Judgement
from crawloop.crawl.kit import CrawlKit, Filler
from crawloop.crawl.ladder import Ladder, Served
from crawloop.crawl.neighbours import Neighbours
from crawloop.crawl.report import PageReport, PageStatus
from crawloop.crawl.stopgap import Stopgap, residual
from crawloop.errors import FetchError, PageForbidden, UnknownFamily
from crawloop.extract.guard import check
from crawloop.model.candidate import Run
from crawloop.model.events import DriftNoticed, PageFetched, PageServed
from crawloop.model.family import Family, Status
from crawloop.model.page import Page
from crawloop.shape import learnt_pager
from crawloop.triage import PageKind, triage

_NOT_SERVED = {
    PageKind.BLOCKED: PageStatus.BLOCKED,
    PageKind.GONE: PageStatus.GONE,
    PageKind.TRANSIENT: PageStatus.ERROR,
    PageKind.SHELL: PageStatus.ERROR,
}
_AHEAD = 2  # batches that are begun: while one is judged the other runs

# A page to be served, one that is served as it is, or the report of one that is none.
_Fetched = Page | Served | PageReport
_Extracted = tuple[Sequence[_Fetched], Ladder, Sequence[Run]]


async def crawl(family: str, urls: Sequence[str], kit: CrawlKit) -> AsyncGenerator[PageReport, None]:
    """One report for each URL, in order. Raises UserError where the family cannot serve, SchemaError, RegistryError."""
    async with aclosing(Crawl(family, kit).reports(urls)) as reports:
        async for report in reports:
            yield report


class Crawl:
    """One crawl of a family. Raises UserError where the family does not exist or has no version."""

    def __init__(self, family: str, kit: CrawlKit) -> None:
        found = kit.store.family(family)
        if found is None:
            raise UnknownFamily(f"no family {family!r} here: use `crawloop bootstrap`; `crawloop families` lists them")
        self._kit = kit
        self._trace = Tracer(kit.sandbox, kit.deadline) if kit.evidence else None
        self._take_up(found)

    def _take_up(self, family: Family) -> None:
        self._family = family
        self._ladder = Ladder(family, self._kit.schema(family.schema_ref), self._kit)
        self._neighbours = Neighbours(family.name, self._kit.store)
        kept = self._kit.store.detectors(family.name, self._ladder.active.version.number)
        is_settled = family.status in (Status.NEW, Status.HEALTHY)
        self._watch = Watch(self._ladder.active, kept, acquitted=is_settled)
        self._stopgap = Stopgap(self._ladder)
        learns = self._kit.follows and not self._ladder.active.is_single
        goldens = self._ladder.active.goldens if learns else ()
        self._pager = learnt_pager((golden.url, golden.html) for golden in goldens)

    @property
    def version(self) -> int | None:
        """The number of the version that serves."""
        return self._family.active

    def refresh(self) -> None:
        """Serves from here on with the version that is active now; what was seen of another one is forgotten."""
        family = self._kit.store.family(self._family.name)
        if family is not None and family.active != self._family.active:
            self._take_up(family)

    @property
    def has_drifted(self) -> bool:
        """Whether the extractor is broken, as far as this crawl has seen."""
        return self._watch.is_sure

    async def reports(self, urls: Sequence[str]) -> AsyncGenerator[PageReport, None]:
        """One report for each URL, in order; while one batch is judged the next runs, and one more is fetched."""
        coming: deque[asyncio.Task[_Extracted]] = deque()
        batches = _batches(urls, self._kit.batch)
        try:
            while True:
                coming.extend(
                    asyncio.create_task(self._extracted(one)) for one in islice(batches, _AHEAD - len(coming))
                )
                if not coming:
                    return
                for report in await self._served(*await coming.popleft()):
                    self._kit.observer(PageServed(report.family, self._kit.clock(), "", report.url, report.status))
                    yield report
        finally:
            for one in coming:
                one.cancel()
            await asyncio.gather(*coming, return_exceptions=True)

    async def _extracted(self, urls: Sequence[str]) -> _Extracted:
        """Pages to be served and reports of those that are none; and what the ladder's active version reads on them."""
        fetched = await asyncio.gather(*map(self._one, urls))
        ladder = self._ladder
        return fetched, ladder, await ladder.run(_pages(fetched))

    async def _one(self, url: str) -> _Fetched:
        page = None
        try:
            page = await self._timed(url)
            check(page.html)
        except FetchError as failure:
            if page is not None:
                self._keep(page)
            is_barred = isinstance(failure, PageForbidden)
            return self._report(url, PageStatus.BLOCKED if is_barred else PageStatus.ERROR, str(failure))
        kind, why = triage(page)
        if kind is PageKind.REAL:
            return page
        if kind is PageKind.EMPTY:
            return Served(page, self._ladder.active, EMPTY)
        self._keep(page)
        return self._report(url, _NOT_SERVED[kind], f"{kind}: {why}")

    async def _timed(self, url: str) -> Page:
        started, status = monotonic(), None
        try:
            page = await self._kit.fetcher.fetch(url)
            status = page.status
            return page
        finally:
            seconds = round(monotonic() - started, 4)
            self._kit.observer(PageFetched(self._family.name, self._kit.clock(), "", url, status, seconds))

    async def _served(self, fetched: Sequence[_Fetched], ladder: Ladder, runs: Sequence[Run]) -> list[PageReport]:
        pages = _pages(fetched)
        if ladder is not self._ladder:  # another version has become active since
            runs = await self._ladder.run(pages)
        self._ladder.is_wary = self._watch.is_wary
        empty = [one for one in fetched if isinstance(one, Served)]
        served = [*await self._ladder.serve(pages, runs), *empty]
        strangers = {one.page.url: owner for one in served if (owner := self._owner(one))}
        served = self._together([one for one in served if one.page.url not in strangers])
        reports = {one.page.url: await self._filled(one) for one in served}
        for url, owner in strangers.items():
            problem = f"it looks like a page of {owner}, and not of this family"
            reports[url] = self._report(url, PageStatus.ERROR, problem)
        self._settle(served)
        return [one if isinstance(one, PageReport) else reports[_url(one)] for one in fetched]

    def _owner(self, one: Served) -> str | None:
        """The other family whose page it is, of a page that this one's program does not fit."""
        if one.judgement.status is not PageStatus.DRIFT:
            return None
        owner = self._neighbours.owner(one.page)
        if owner is not None:
            self._keep(one.page)
        return owner

    def _together(self, served: Sequence[Served]) -> list[Served]:
        own = [n for n, one in enumerate(served) if one.expected is self._ladder.active]
        result = list(served)
        for n, judgement in zip(own, self._watch.together([served[n].judgement for n in own]), strict=True):
            result[n] = replace(served[n], judgement=judgement)
        return result

    async def _filled(self, one: Served) -> PageReport:
        """The report of a page, with gaps and residual fields filled where somebody can."""
        version, verdict = one.expected.version, one.judgement
        model = self._model()
        filled = await self._stopgap(one, model if self._kit.direct and self._is_broken else None)
        if model is not None and version.residual and verdict.status.is_served and filled.records:
            filled = await residual(one, filled, model)
        evidence = await self._trace(one, filled) if self._trace is not None else None
        return PageReport(
            one.page.url,
            self._family.name,
            version.number,
            verdict.status,
            filled.records,
            version.residual,
            verdict.lines,
            evidence=evidence,
            filled=filled.fields,
            following=self._following(one.page) if filled.records else None,
        )

    def _following(self, page: Page) -> str | None:
        """The page of the listing that comes after this one, where the family's pages are listings that say so."""
        return self._pager.following(page.base, page.html) if self._pager is not None else None

    def _model(self) -> Filler | None:
        """Who may be asked what a page says: nobody while an escalated family rests, for each page would cost."""
        family = self._kit.store.family(self._family.name) if self._kit.fill is not None else None
        rests = family is not None and family.status is Status.ESCALATED and family.is_cooling(self._kit.clock())
        return None if rests else self._kit.fill

    @property
    def _is_broken(self) -> bool:
        return self.has_drifted or self._family.status is Status.BROKEN

    def _settle(self, served: Sequence[Served]) -> None:
        """Writes what a batch leaves behind, in one transaction."""
        at = self._kit.clock()
        events, well = [], []
        with self._kit.store.batch():
            for one in served:
                if one.judgement.causes and one.judgement.status is not PageStatus.VARIANT:
                    self._keep(one.page)
                if one.judgement.status is PageStatus.OK:
                    # and not what anybody filled in: nobody has read it there
                    well.append(Known(one.page.url, one.judgement.records, one.page.fetched_at or at))
                elif one.judgement.news:
                    events.append(self._noticed(one.page.url, one.judgement, at))
            self._kit.store.remember_pages(self._family.name, well)
            for event in events:
                self._kit.store.audit(event)
            version = self._ladder.active.version.number
            self._kit.store.save_detectors(self._family.name, version, self._watch.numbers())
            self._mark()
        for event in events:
            self._kit.observer(event)

    def _keep(self, page: Page) -> None:
        if self._kit.recorder is not None:
            self._kit.recorder.keep(page)

    def _noticed(self, url: str, judgement: Judgement, at: str) -> DriftNoticed:
        version = self._ladder.active.version.number
        return DriftNoticed(self._family.name, at, "", version, url, judgement.lines, judgement.causes)

    def _mark(self) -> None:
        """Sets the family's status by what is known now; an escalated family stays so until a person has seen to it."""
        family = self._kit.store.family(self._family.name)
        if family is None or family.active != self._family.active or family.status is Status.ESCALATED:
            return
        well = Status.HEALTHY if family.status is Status.BROKEN else family.status
        status = Status.BROKEN if self._watch.is_sure else well
        if status is not family.status:
            self._kit.store.save_family(replace(family, status=status))

    def _report(self, url: str, status: PageStatus, *problems: str) -> PageReport:
        version = self._ladder.active.version
        return PageReport(url, self._family.name, version.number, status, (), version.residual, problems)


def _pages(fetched: Sequence[_Fetched]) -> list[Page]:
    return [one for one in fetched if isinstance(one, Page)]


def _url(one: Page | Served) -> str:
    return one.url if isinstance(one, Page) else one.page.url


def _batches(urls: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    unique = list(dict.fromkeys(urls))
    for start in range(0, len(unique), size):
        yield unique[start : start + size]
