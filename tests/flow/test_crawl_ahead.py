"""Batches ahead: the next one runs in the sandbox while one is judged; who stops early leaves nothing running."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence

import pytest

from crawloop.crawl.kit import CrawlKit
from crawloop.crawl.report import PageStatus
from crawloop.crawl.serve import crawl
from crawloop.model.candidate import Run
from crawloop.model.events import VersionPromoted
from crawloop.model.outcome import Promotion
from crawloop.model.page import Page
from crawloop.model.verdict import Verdict
from crawloop.registry import MemoryStore
from crawloop.sandbox import ProcessSandbox
from tests.fakes import kettles as shop
from tests.fakes.loop import candidate
from tests.fakes.site import Site

PAGES = {shop.url(n): shop.old_page(n) for n in range(1, 9)}


class Meeting(ProcessSandbox):
    """A sandbox in which a run of the first pages waits until one of the next has begun."""

    def __init__(self) -> None:
        super().__init__()
        self.runs = 0
        self._next = threading.Event()
        self._count = threading.Lock()

    def run(self, source: str, pages: Sequence[Page], *, deadline: float = 5.0) -> tuple[Run, ...]:
        with self._count:
            self.runs += 1
            if self.runs == 2:
                self._next.set()
        assert self._next.wait(60), "no other batch was run meanwhile"
        return super().run(source, pages, deadline=deadline)


@pytest.fixture
def sandbox() -> Iterator[Meeting]:
    with Meeting() as made:
        yield made


def kit(sandbox: ProcessSandbox) -> CrawlKit:
    store = MemoryStore()
    winner = candidate(shop.OLD, *shop.SCHEMA.names, origin="dom")
    event = VersionPromoted(shop.NAME, shop.AT, "run", 0, "dom")
    store.settle(shop.family(epoch=0), Promotion(winner, Verdict(winner), ()), event, shop.goldens(), shop.AT)
    return CrawlKit(
        fetcher=Site(PAGES),
        store=store,
        sandbox=sandbox,
        schema=lambda ref: shop.SCHEMA,
        clock=lambda: shop.AT,
        batch=2,
    )


def test_batches_run_beside_each_other_and_are_told_in_order(sandbox: Meeting) -> None:
    async def collect() -> list[tuple[str, PageStatus]]:
        return [(report.url, report.status) async for report in crawl(shop.NAME, list(PAGES), kit(sandbox))]

    assert asyncio.run(collect()) == [(url, PageStatus.OK) for url in PAGES]
    assert sandbox.runs == 4


def test_who_stops_early_leaves_no_task(sandbox: Meeting) -> None:
    async def stop() -> set[asyncio.Task[object]]:
        reports = crawl(shop.NAME, list(PAGES), kit(sandbox))
        assert (await anext(reports)).status is PageStatus.OK
        await reports.aclose()
        return asyncio.all_tasks() - {asyncio.current_task()}  # type: ignore[arg-type]

    assert asyncio.run(stop()) == set()
    assert sandbox.runs < 4
