"""Serving: pages in, reports out, in batches."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from itertools import islice

from crawloop.crawl.drift import EMPTY, Watch
from crawloop.crawl.evidence import Tracer
from crawloop.crawl.intake import Empty, Fetched, Intake, Refused
from crawloop.crawl.kit import CrawlKit, Filler
from crawloop.crawl.ladder import Ladder, Served
from crawloop.crawl.neighbours import Neighbours
from crawloop.crawl.report import PageReport, PageStatus
from crawloop.crawl.settling import settle
from crawloop.crawl.stopgap import Stopgap, residual
from crawloop.errors import UnknownFamily
from crawloop.model.candidate import Run
from crawloop.model.events import PageServed
from crawloop.model.family import Family, Status
from crawloop.model.page import Page
from crawloop.shape import learnt_pager

_AHEAD = 2  # batches that are begun: while one is judged the other runs

_Extracted = tuple[Sequence[Fetched], Ladder, Sequence[Run]]


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
        self._intake = Intake(family, kit)
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
        """What was fetched, and what the ladder's active version reads on the pages among it."""
        fetched = await asyncio.gather(*map(self._intake, urls))
        ladder = self._ladder
        return fetched, ladder, await ladder.run(_pages(fetched))

    async def _served(self, fetched: Sequence[Fetched], ladder: Ladder, runs: Sequence[Run]) -> list[PageReport]:
        pages = _pages(fetched)
        if ladder is not self._ladder:  # another version has become active since
            runs = await self._ladder.run(pages)
        self._ladder.is_wary = self._watch.is_wary
        empty = [Served(one.page, self._ladder.active, EMPTY) for one in fetched if isinstance(one, Empty)]
        served = [*await self._ladder.serve(pages, runs), *empty]
        refused = [*(one for one in fetched if isinstance(one, Refused)), *filter(None, map(self._stranger, served))]
        reports = {one.url: self._report(one) for one in refused}
        served = self._together([one for one in served if one.page.url not in reports])
        reports |= {one.page.url: await self._filled(one) for one in served}
        settle(served, self._ladder.active.version, self._watch, self._kit)
        return [reports[_url(one)] for one in fetched]

    def _stranger(self, one: Served) -> Refused | None:
        """A page that this family's program does not fit, and that is another family's."""
        owner = self._neighbours.owner(one.page) if one.judgement.status is PageStatus.DRIFT else None
        if owner is None:
            return None
        self._kit.keep(one.page)
        return Refused(one.page.url, PageStatus.ERROR, f"it looks like a page of {owner}, and not of this family")

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

    def _report(self, one: Refused) -> PageReport:
        version = self._ladder.active.version
        return PageReport(one.url, self._family.name, version.number, one.status, (), version.residual, (one.why,))


def _pages(fetched: Sequence[Fetched]) -> list[Page]:
    return [one for one in fetched if isinstance(one, Page)]


def _url(one: Fetched) -> str:
    return one.page.url if isinstance(one, Empty) else one.url


def _batches(urls: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    unique = list(dict.fromkeys(urls))
    for start in range(0, len(unique), size):
        yield unique[start : start + size]
