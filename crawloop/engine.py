"""Serving and healing as one thing: families are crawled, and regenerated beside the crawl when they break.

async with Engine(workspace) as engine:
    async for report in engine.crawl("shop.example/product", urls): …
    report = await engine.serve("https://shop.example/p/1")
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING

from crawloop.app import Crawling, Regeneration, Workspace, crawling, regenerate
from crawloop.config import RunOptions
from crawloop.errors import CrawloopError, UnknownFamily
from crawloop.model.events import unwatched

if TYPE_CHECKING:
    from crawloop.contract import Observer
    from crawloop.crawl.healing import Healer
    from crawloop.crawl.kit import CrawlKit
    from crawloop.crawl.report import PageReport
    from crawloop.crawl.serve import Crawl

_MOST_WAITING = 50  # URLs of pages that drifted, of which a run takes a few as samples


class Engine:
    """Serves the families of an open workspace within one `async with`, and so within one event loop.

    Whatever breaks heals by itself, unless `heals` is False: one run a family at a time, in the background, within the
    policy's budget, and then a rest of `policy.cooldown_hours`. `options` say of archive and models what a command
    would. `observer` is told of each event. Families share connections and sandbox.
    """

    def __init__(
        self,
        workspace: Workspace,
        options: RunOptions | None = None,
        observer: Observer = unwatched,
        *,
        heals: bool = True,
        evidence: bool = False,
    ) -> None:
        self._workspace = workspace
        self._options = options or RunOptions()
        self._observer = observer
        self._heals = heals
        self._how = Crawling(
            archive=self._options.archive,
            use_models=not self._options.no_llm,
            evidence=evidence,
            observer=observer,
        )
        self._open = AsyncExitStack()
        self._kits: dict[str, CrawlKit] = {}
        self._crawls: dict[str, Crawl] = {}
        self._drifted: dict[str, deque[str]] = {}
        self._healer: Healer | None = None

    async def __aenter__(self) -> Engine:
        from crawloop.crawl.healing import Healer

        workspace = self._workspace
        rest = workspace.settings.policy.cooldown_hours
        self._healer = Healer(workspace.store, workspace.clock, self._heal, workspace.warn, rest=rest)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        healer, self._healer = self._healer, None
        try:
            if healer is not None:
                await healer.aclose(wait=kind is None)
        finally:
            self._kits.clear()
            self._crawls.clear()
            await self._open.aclose()

    async def kit(self, family: str, urls: Sequence[str] = ()) -> CrawlKit:
        """The parts that crawls of the family share, open until the engine closes; `urls` are about to be asked for."""
        known = self._kits.get(family)
        if known is not None:
            known.fetcher.allow(urls)
            return known
        beside = next(iter(self._kits.values()), None)
        parts = crawling(self._workspace, family, self._how, urls=urls, beside=beside)
        self._kits[family] = await self._open.enter_async_context(parts)
        return self._kits[family]

    async def crawl(
        self, family: str, urls: Sequence[str], *, follow: int = 0, done: Mapping[str, PageReport] | None = None
    ) -> AsyncGenerator[PageReport, None]:
        """One report for each URL. The crawl goes on while the family heals; pages that failed come last, served again.

        Of listings at most `follow` further pages are crawled after each. What is `done`, by URL, is not crawled again.
        Raises UserError where the family cannot serve, SchemaError, RegistryError.
        """
        from crawloop.crawl.paging import followed

        kit = replace(await self.kit(family, urls), follows=follow > 0)
        pages = followed(urls, lambda some: self._reports(family, some, kit), follow, done or {})
        async with aclosing(pages) as reports:
            async for report in reports:
                yield report

    async def _reports(self, family: str, urls: Sequence[str], kit: CrawlKit) -> AsyncGenerator[PageReport, None]:
        from crawloop.crawl.healing import crawl_and_heal
        from crawloop.crawl.serve import crawl

        kit.fetcher.allow(urls)
        served = crawl_and_heal(family, urls, kit, self._running()) if self._heals else crawl(family, urls, kit)
        async with aclosing(served) as reports:
            async for report in reports:
                yield report

    async def serve(self, url: str, family: str | None = None) -> PageReport:
        """One page as it can be had now, by the family that the URL belongs to where none is named.

        What is seen of a family adds up from page to page. Raises UserError, SchemaError, RegistryError.
        """
        name = family or self._routed(url)
        crawl = await self._crawl(name, url)
        crawl.refresh()
        (report,) = [one async for one in crawl.reports([url])]
        drifted = self._drifted.setdefault(name, deque(maxlen=_MOST_WAITING))
        if report.status.may_heal:
            drifted.append(url)
            if self._heals and crawl.has_drifted:
                self._running().start(name, list(dict.fromkeys(drifted)))
        return report

    async def settled(self, family: str) -> None:
        """Waits for the run that heals the family, where one is under way."""
        await self._running().settled(family)

    def _running(self) -> Healer:
        if self._healer is None:
            raise RuntimeError("an Engine is used within its `async with`")
        return self._healer

    async def _crawl(self, family: str, url: str) -> Crawl:
        from crawloop.crawl.serve import Crawl

        kit = await self.kit(family, [url])
        if family not in self._crawls:
            self._crawls[family] = Crawl(family, kit)
        return self._crawls[family]

    def _routed(self, url: str) -> str:
        from crawloop.crawl.router import routes

        name = routes(self._workspace.store).route(url)
        if name is None:
            raise UnknownFamily(f"no family of this workspace has pages like {url}: name the family")
        return name

    async def _heal(self, family: str, urls: Sequence[str]) -> None:
        """One run beside the crawl. How it ends the observer is told; a person, where it could not be made."""
        row = self._workspace.store.family(family)
        if row is None:
            return
        kit = await self.kit(family)
        try:
            asked = Regeneration(family, row.schema_ref, tuple(urls), self._options)
            await regenerate(self._workspace, asked, self._observer, beside=kit)
        except CrawloopError as why:
            self._workspace.warn(f"{family}: not healed: {why}")
