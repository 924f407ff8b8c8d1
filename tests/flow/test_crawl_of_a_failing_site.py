"""Two thousand pages over real HTTP from a site that fails in every way: each page accounted for, none twice."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path

import pytest

from crawloop.crawl.fetch import HttpFetcher
from crawloop.crawl.fetch.patience import Timer
from crawloop.crawl.kit import CrawlKit
from crawloop.crawl.output import Output
from crawloop.crawl.report import PageReport, PageStatus
from crawloop.crawl.serve import crawl
from crawloop.model.events import VersionPromoted
from crawloop.model.family import Status
from crawloop.model.outcome import Promotion
from crawloop.model.policy import FetchRules
from crawloop.model.verdict import Verdict
from crawloop.registry import MemoryStore
from crawloop.sandbox import ProcessSandbox
from tests.fakes import kettles
from tests.fakes.bazaar import RETRY_AFTER, Bazaar, Fault
from tests.fakes.hourglass import Hourglass
from tests.fakes.loop import candidate

PAGES = 2000
AT_ONCE = 8
RATE = 20.0  # requests a second
BRAND = "Küferei – Söhne"  # its letters are others in every wrong charset
# A fault of each kind in forty pages; the rest is well.
PLAN = {n: fault for n in range(1, PAGES + 1) for k, fault in enumerate(Fault) if n % 40 == 3 * k}
ENDS = {
    Fault.CHALLENGE: PageStatus.BLOCKED,
    Fault.SOFT_404: PageStatus.GONE,
    Fault.BROKEN: PageStatus.ERROR,
    Fault.AWAY: PageStatus.ERROR,
    Fault.PRIVATE: PageStatus.BLOCKED,
}
# How often a page is asked for that is not had at once, and those that are not asked for at all.
TIMES = {
    Fault.BUSY: 2,
    Fault.DOWN: 3,
    Fault.RESET: 2,
    Fault.SHORT: 2,
    Fault.CUT: 2,
    Fault.BROKEN: 4,
    Fault.PRIVATE: 0,
}


def page(number: int) -> str:
    return kettles.old_page(number, brand=BRAND)


def store() -> MemoryStore:
    made = MemoryStore()
    winner = candidate(kettles.OLD, *kettles.SCHEMA.names, origin="dom")
    event = VersionPromoted(kettles.NAME, kettles.AT, "run", 0, "dom")
    family = kettles.family(status=Status.NEW, epoch=0)
    made.settle(family, Promotion(winner, Verdict(winner), ()), event, kettles.goldens(), kettles.AT)
    return made


async def crawled(shop: Bazaar, sandbox: ProcessSandbox, time: Hourglass, folder: Path) -> list[PageReport]:
    urls = [shop.url(n) for n in range(1, PAGES + 1)]
    rules = FetchRules(per_host=AT_ONCE, rate=RATE)
    reports = []
    timer = Timer(time.now, time.sleep)
    async with HttpFetcher(rules, urls, clock=lambda: kettles.AT, timer=timer) as fetcher:
        kit = CrawlKit(
            fetcher=fetcher,
            store=store(),
            sandbox=sandbox,
            schema=lambda ref: kettles.SCHEMA,
            clock=lambda: kettles.AT,
            batch=40,
        )
        with Output(folder / "items.jsonl", folder / "report.jsonl", kettles.SCHEMA, {}) as output:
            async for report in crawl(kettles.NAME, urls, kit):
                reports.append(report)
                output.add(report)
            output.finish()
    return reports


@pytest.mark.slow
def test_every_page_is_accounted_for(sandbox: ProcessSandbox, tmp_path: Path) -> None:
    time = Hourglass()
    stranger = Bazaar(page)

    async def run() -> tuple[Bazaar, list[PageReport]]:
        async with stranger, Bazaar(page, PLAN, away=stranger.root, now=time.now) as shop:
            return shop, await crawled(shop, sandbox, time, tmp_path)

    shop, told = asyncio.run(run())
    reports = {report.url: report for report in told}
    assert len(told) == PAGES
    assert list(reports) == [shop.url(n) for n in range(1, PAGES + 1)]
    for n in range(1, PAGES + 1):
        report, fault = reports[shop.url(n)], PLAN.get(n)
        assert (fault, report.status) == (fault, ENDS.get(fault, PageStatus.OK)), report
        assert report.records == ((kettles.record(n, brand=BRAND),) if report.status is PageStatus.OK else ())
    rows = [json.loads(line) for line in (tmp_path / "items.jsonl").read_text().splitlines()]
    served = [n for n in range(1, PAGES + 1) if PLAN.get(n) not in ENDS]
    assert Counter(row["link"] for row in rows) == Counter(kettles.url(n) for n in served)
    assert len((tmp_path / "report.jsonl").read_text().splitlines()) == PAGES
    _manners_were_kept(shop, stranger)


def _manners_were_kept(shop: Bazaar, stranger: Bazaar) -> None:
    """As the servers saw it."""
    assert stranger.asked == []
    assert shop.most_at_once <= AT_ONCE
    paths = Counter(asked.path for asked in shop.asked)
    assert shop.asked[0].path == "/robots.txt"
    assert paths["/robots.txt"] == 1
    for n in range(1, PAGES + 1):
        assert paths[shop.url(n).removeprefix(shop.root)] == TIMES.get(PLAN.get(n), 1), PLAN.get(n)
    at = [asked.at for asked in shop.asked]
    # Those under way may be late by any time, but they are few.
    assert all(later - earlier >= 10 / RATE for earlier, later in zip(at, at[10 + AT_ONCE :], strict=False))
    for refused in shop.refused_at:
        assert sum(refused < when < refused + RETRY_AFTER for when in at) <= AT_ONCE
