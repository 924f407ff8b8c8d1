"""Hundreds of pages over real HTTP from a site that fails in every way: each page accounted for, none twice."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path

from crawloop.crawl.fetch import HttpFetcher
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
from tests.fakes.bazaar import Bazaar, Fault
from tests.fakes.hourglass import Hourglass
from tests.fakes.loop import candidate

PAGES = 400
BRAND = "Küferei – Söhne"  # its letters are others in every wrong charset
FAULTS = [fault for fault in Fault if fault not in (Fault.CUT, Fault.AWAY, Fault.PRIVATE)]
# A fault of each kind in forty pages; the rest is well.
PLAN = {n: fault for n in range(1, PAGES + 1) for k, fault in enumerate(FAULTS) if n % 40 == 3 * k}
ENDS = {
    Fault.CHALLENGE: PageStatus.BLOCKED,
    Fault.SOFT_404: PageStatus.GONE,
    Fault.BROKEN: PageStatus.ERROR,
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
    rules = FetchRules(per_host=8)
    reports = []
    async with HttpFetcher(rules, clock=lambda: kettles.AT, sleep=time.sleep) as fetcher:
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


def test_every_page_is_accounted_for(sandbox: ProcessSandbox, tmp_path: Path) -> None:
    time = Hourglass()
    shop = Bazaar(page, PLAN, now=time.now)

    async def run() -> list[PageReport]:
        async with shop:
            return await crawled(shop, sandbox, time, tmp_path)

    reports = {report.url: report for report in asyncio.run(run())}
    assert list(reports) == [shop.url(n) for n in range(1, PAGES + 1)]
    for n in range(1, PAGES + 1):
        report, fault = reports[shop.url(n)], PLAN.get(n)
        assert (fault, report.status) == (fault, ENDS.get(fault, PageStatus.OK)), report
        assert report.records == ((kettles.record(n, brand=BRAND),) if report.status is PageStatus.OK else ())
    rows = [json.loads(line) for line in (tmp_path / "items.jsonl").read_text().splitlines()]
    served = [n for n in range(1, PAGES + 1) if PLAN.get(n) not in ENDS]
    assert Counter(row["link"] for row in rows) == Counter(kettles.url(n) for n in served)
    assert len((tmp_path / "report.jsonl").read_text().splitlines()) == PAGES
