"""Healing without a person: only where the drift is sure, in the background, and never while the family rests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from crawloop.contract import Clock, Store
from crawloop.crawl.kit import CrawlKit
from crawloop.crawl.report import PageReport
from crawloop.crawl.serve import Crawl
from crawloop.model import moment
from crawloop.model.family import Family, Status

# Regenerates a family from URLs that drifted. What came of it shows in the registry; it raises no CrawloopError.
Heal = Callable[[str, Sequence[str]], Coroutine[Any, Any, None]]
Tell = Callable[[str], None]

ENOUGH = 3  # pages that failed, before a crawl that goes on is healed: they are what the run has to go by


def held_back(family: Family, now: str) -> str | None:
    """Why automatic healing must wait, or None. It costs nothing: no page is fetched and no model asked."""
    if not family.is_cooling(now):
        return None
    return f"{family.name} cools down until {family.cooldown_until}; `crawloop regen` runs at any time"


class Healer:
    """Heals families in the background: one run a family at a time, whoever asks, and a rest after each.

    `rest` is in hours, and holds in this process also for runs that settled nothing, as where a provider is dead.
    """

    def __init__(self, store: Store, clock: Clock, heal: Heal, tell: Tell, *, rest: float) -> None:
        self._store, self._clock = store, clock
        self._heal, self._tell = heal, tell
        self._rest = rest
        self._runs: dict[str, asyncio.Task[None]] = {}
        self._rested: dict[str, str] = {}

    def start(self, family: str, urls: Sequence[str]) -> asyncio.Task[None] | None:
        """The run of the family that is under way, else a new one; None where it must wait, which is told once."""
        running = self._runs.get(family)
        if running is not None and not running.done():
            return running
        known, now = self._store.family(family), self._clock()
        why = held_back(known, now) if known else None
        rested = self._rested.get(family)
        if rested is not None and moment.read(now) < moment.read(rested):
            return None
        if known is None or why:
            self._rested[family] = (known and known.cooldown_until) or now
            self._tell(why or f"there is no family {family!r}")
            return None
        self._rested[family] = moment.later(now, self._rest)
        self._runs[family] = asyncio.create_task(self._heal(family, tuple(urls)))
        return self._runs[family]

    async def settled(self, family: str) -> None:
        """Waits for the run of the family, where one is under way."""
        run = self._runs.get(family)
        if run is not None:
            await asyncio.shield(run)

    async def aclose(self, *, wait: bool) -> None:
        """Waits for what is under way, or ends it; a run that was ended takes up where it was at the next."""
        for run in self._runs.values():
            if not wait:
                run.cancel()
        ended = await asyncio.gather(*self._runs.values(), return_exceptions=True)
        self._runs.clear()
        for one in ended:
            if wait and isinstance(one, Exception):  # a fault of ours, which nobody has waited for
                raise one


async def crawl_and_heal(
    family: str, urls: Sequence[str], kit: CrawlKit, healer: Healer
) -> AsyncGenerator[PageReport, None]:
    """One report for each URL; the crawl goes on while the family heals.

    Pages that drifted, or have gaps, come last: served again, where another version is active by then. Until then no
    model is asked what a new version will read for nothing.
    """
    crawl = Crawl(family, replace(kit, direct=False))
    began, waiting = crawl.version, list[PageReport]()
    run: asyncio.Task[None] | None = None
    has_asked = False
    async with aclosing(crawl.reports(urls)) as reports:
        async for report in reports:
            if report.status.may_heal:
                waiting.append(report)
            else:
                yield report
            if not has_asked and len(waiting) >= ENOUGH and crawl.has_drifted:
                has_asked, run = True, healer.start(family, [one.url for one in waiting])
            elif run is not None and run.done():
                run = None
                crawl.refresh()
    if waiting and not has_asked and crawl.has_drifted:
        run = healer.start(family, [one.url for one in waiting])
    if run is not None:
        await asyncio.shield(run)
    crawl.refresh()
    if crawl.version == began and not (crawl.has_drifted and _reads(family, kit)):
        for report in waiting:
            yield report
    elif waiting:
        async with aclosing(Crawl(family, kit).reports([one.url for one in waiting])) as reports:
            async for report in reports:
                yield report


def _reads(family: str, kit: CrawlKit) -> bool:
    """Whether a model may read pages of the family although it is broken."""
    known = kit.store.family(family)
    return kit.direct and kit.fill is not None and known is not None and known.status is not Status.ESCALATED
