"""Healing without a person: only where the drift is sure, once in a crawl, and never during a cool-down."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

from crawloop.crawl.kit import CrawlKit
from crawloop.crawl.report import PageReport, PageStatus
from crawloop.crawl.serve import Crawl
from crawloop.model.family import Family

Heal = Callable[[Sequence[str]], Awaitable[bool]]

_WAITS = frozenset({PageStatus.DRIFT, PageStatus.PARTIAL})


def held_back(family: Family, now: str) -> str | None:
    """Why automatic healing must wait, or None. It costs nothing: no page is fetched and no model asked."""
    if not family.is_cooling(now):
        return None
    return (
        f"{family.name} was escalated and cools down until {family.cooldown_until}; `crawloop regen` runs at any time"
    )


async def crawl_and_heal(
    family: str, urls: Sequence[str], kit: CrawlKit, heal: Heal, tell: Callable[[str], None]
) -> AsyncIterator[PageReport]:
    """One report for each URL; those of pages that drifted come last, after they were served again.

    `heal` is given the URLs that drifted, and says whether it promoted a version. `tell` hears why it must wait.
    """
    crawl = Crawl(family, kit)
    waiting: list[PageReport] = []
    async for report in crawl.reports(urls):
        if report.status in _WAITS:
            waiting.append(report)
        else:
            yield report
    again = [report.url for report in waiting]
    if again and crawl.has_drifted and _may_heal(family, kit, tell) and await heal(again):
        async for report in Crawl(family, kit).reports(again):
            yield report
        return
    for report in waiting:
        yield report


def _may_heal(family: str, kit: CrawlKit, tell: Callable[[str], None]) -> bool:
    known = kit.store.family(family)
    why = held_back(known, kit.clock()) if known else None
    if why:
        tell(why)
    return known is not None and why is None
