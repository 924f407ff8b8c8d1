"""Whole crawls with real programs in the real sandbox, over a site in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from crawloop.crawl.healing import Healer, crawl_and_heal
from crawloop.crawl.kit import CrawlKit
from crawloop.crawl.ladder import nearest
from crawloop.crawl.report import PageReport, PageStatus
from crawloop.crawl.serve import Crawl, crawl
from crawloop.errors import UnknownFamily, UserError
from crawloop.model.events import PAGE_BY_PAGE, DriftNoticed, Event, VersionPromoted
from crawloop.model.family import Family, Golden, Status
from crawloop.model.kind import Schema
from crawloop.model.outcome import Promotion
from crawloop.model.page import Page, Record
from crawloop.model.verdict import Verdict
from crawloop.registry import MemoryStore
from crawloop.sandbox import ProcessSandbox
from tests.fakes import kettles as shop
from tests.fakes.loop import candidate
from tests.fakes.site import Site, document

NEW = """def extract(page):
    return [{
        "title": page.text("h2.headline"),
        "price": float(page.text(".cost").split()[0]),
        "badge": None,
        "brand": page.text(".maker"),
        "link": page.url,
    }]
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[ProcessSandbox]:
    with ProcessSandbox() as one:
        yield one


def all_of(reports: AsyncIterator[PageReport]) -> list[PageReport]:
    async def collect() -> list[PageReport]:
        return [report async for report in reports]

    return asyncio.run(collect())


class Bench:
    """A store with the shop's family, and crawls of it."""

    def __init__(self, sandbox: ProcessSandbox) -> None:
        self.store = MemoryStore()
        self.sandbox = sandbox
        self.events: list[Event] = []
        self.told: list[str] = []
        self.site = Site({})
        self.promote(shop.OLD, shop.goldens())

    def promote(self, source: str, goldens: Sequence[Golden], **changes: Any) -> None:
        family = self.store.family(shop.NAME) or shop.family(active=1, status=Status.NEW, epoch=0)
        winner = candidate(source, *shop.SCHEMA.names, origin="dom")
        event = VersionPromoted(shop.NAME, shop.AT, "run", 0, "dom")
        self.store.settle(family, Promotion(winner, Verdict(winner), (), **changes), event, goldens, shop.AT)

    def kit(self, pages: Mapping[str, str], **parts: Any) -> CrawlKit:
        self.site = Site(pages)
        return CrawlKit(
            fetcher=parts.pop("fetcher", self.site),
            store=self.store,
            sandbox=self.sandbox,
            schema=lambda ref: shop.SCHEMA,
            clock=lambda: "2026-02-01T00:00:00Z",
            observer=self._observe,
            **parts,
        )

    def _observe(self, event: Event) -> None:
        if not isinstance(event, PAGE_BY_PAGE):
            self.events.append(event)

    def crawl(self, pages: Mapping[str, str], **parts: Any) -> list[PageReport]:
        urls = parts.pop("urls", list(pages))
        return all_of(crawl(shop.NAME, urls, self.kit(pages, **parts)))

    def heal(self, pages: Mapping[str, str], **parts: Any) -> tuple[list[PageReport], list[Sequence[str]]]:
        """A crawl with --heal, and what healing was asked for; it promotes the extractor of the redesign."""
        asked: list[Sequence[str]] = []

        async def heal(family: str, urls: Sequence[str]) -> None:
            asked.append(urls)
            goldens = [shop.golden(n, shop.new_page(n), [shop.record(n, badge=None)], of=2) for n in (1, 2, 3)]
            self.promote(NEW, goldens, new_epoch=True)

        async def crawled() -> list[PageReport]:
            kit = self.kit(pages, **parts)
            healer = Healer(self.store, kit.clock, heal, self.told.append, rest=24)
            return [report async for report in crawl_and_heal(shop.NAME, list(pages), kit, healer)]

        return asyncio.run(crawled()), asked

    @property
    def status(self) -> Status:
        family = self.store.family(shop.NAME)
        assert family
        return family.status


@pytest.fixture
def bench(sandbox: ProcessSandbox) -> Bench:
    return Bench(sandbox)


def old(*numbers: int, **changes: Any) -> dict[str, str]:
    return {shop.url(n): shop.old_page(n, **changes) for n in numbers}


def new(*numbers: int, **changes: Any) -> dict[str, str]:
    return {shop.url(n): shop.new_page(n, **changes) for n in numbers}


def test_pages_of_the_learnt_layout_are_ok_in_order_and_written_to_history(bench: Bench) -> None:
    reports = bench.crawl(old(*range(1, 41)), batch=7)
    assert [report.url for report in reports] == [shop.url(n) for n in range(1, 41)]
    assert {report.status for report in reports} == {PageStatus.OK}
    assert [report.records for report in reports] == [(shop.record(n),) for n in range(1, 41)]
    known = bench.store.known(shop.NAME, shop.url(33))
    assert known
    assert known.records == (shop.record(33),)
    assert bench.events == []
    assert bench.status is Status.HEALTHY


def test_fault_06_after_an_exception_the_older_versions_are_tried(bench: Bench) -> None:
    """The active version, made for the redesign, raises on a page that still has the old layout."""
    bench.promote(
        NEW, [shop.golden(n, shop.new_page(n), [shop.record(n, badge=None)], of=2) for n in (1, 2, 3)], new_epoch=True
    )
    reports = bench.crawl({**new(4, 5), **old(6)})
    assert [(r.status, r.version) for r in reports] == [
        (PageStatus.OK, 2),
        (PageStatus.OK, 2),
        (PageStatus.VARIANT, 1),
    ]
    assert reports[2].records == (shop.record(6),)
    assert bench.store.known(shop.NAME, shop.url(6)) is None


def test_after_a_rollback_pages_that_a_newer_version_fits_are_served_by_it(bench: Bench) -> None:
    bench.promote(
        NEW, [shop.golden(n, shop.new_page(n), [shop.record(n, badge=None)], of=2) for n in (1, 2, 3)], new_epoch=True
    )
    bench.store.rollback(shop.NAME, 1, shop.AT)
    reports = bench.crawl({**new(4), **old(6)})
    assert [(r.status, r.version) for r in reports] == [(PageStatus.VARIANT, 2), (PageStatus.OK, 1)]
    assert reports[0].records == (shop.record(4, badge=None),)
    assert bench.status is Status.HEALTHY


def test_the_ladder_is_tried_from_the_active_version_on() -> None:
    assert nearest([1, 2, 3, 4, 5], 5) == [4, 3, 2, 1]
    assert nearest([1, 2, 3, 4, 5], 2) == [1, 3, 4, 5]


def test_fault_06_an_exception_on_every_version_is_drift_and_noticed(bench: Bench) -> None:
    reports = bench.crawl(new(4, 5, 6))
    assert {(r.status, r.records) for r in reports} == {(PageStatus.DRIFT, ())}
    assert "the extractor failed: exception: AttributeError" in reports[0].problems[0]
    assert bench.status is Status.BROKEN
    (event,) = bench.store.entries(shop.NAME, kinds=("DriftNoticed",))
    assert isinstance(event.event, DriftNoticed)
    assert (event.event.version, event.event.url) == (1, shop.url(6))
    assert event.event.causes == ("failed exception",)


def test_a_drift_is_sure_by_its_third_page_and_told_once_also_by_later_crawls(bench: Bench) -> None:
    bench.crawl(new(1, 2))
    assert (bench.status, bench.events) == (Status.HEALTHY, [])
    bench.crawl(new(1, 3))
    assert bench.status is Status.BROKEN
    bench.crawl(new(*range(1, 9)))
    assert len(bench.store.entries(shop.NAME, kinds=("DriftNoticed",))) == 1
    assert len(bench.events) == 1


def test_a_few_pages_a_night_add_up_to_a_field_that_is_lost_on_some(bench: Bench) -> None:
    bench.crawl(old(*range(1, 401)))
    for night in range(1, 30):
        first = 400 + 10 * night
        lost = {url: html.replace('class="brand"', 'class="maker"') for url, html in old(first).items()}
        bench.crawl({**old(*range(first + 1, first + 10)), **lost})
        if bench.status is Status.BROKEN:
            break
    assert 3 <= night <= 20
    (event,) = bench.events
    assert isinstance(event, DriftNoticed)
    assert event.causes == ("brand: missing",)
    assert event.problems[-1].startswith("brand: is missing")


def test_a_page_that_drifted_writes_no_history(bench: Bench) -> None:
    bench.crawl(old(1))
    bench.crawl(new(1))
    known = bench.store.known(shop.NAME, shop.url(1))
    assert known
    assert known.records == (shop.record(1),)
    bench.crawl({shop.url(1): shop.old_page(1).replace(">Nordhaus<", "><b>Nordhaus</b>" + "x" * 999 + "<")})
    assert bench.store.known(shop.NAME, shop.url(1)) == known


def test_one_odd_page_among_many_is_no_drift_of_the_family(bench: Bench) -> None:
    reports = bench.crawl({**old(*range(1, 20)), **new(20)})
    assert [report.status for report in reports].count(PageStatus.DRIFT) == 1
    assert bench.status is Status.HEALTHY
    assert bench.events == []


def test_a_family_is_healthy_again_after_many_good_pages_in_a_row(bench: Bench) -> None:
    bench.crawl(new(1, 2, 3))
    assert bench.status is Status.BROKEN
    bench.crawl(old(1, 2))
    assert bench.status is Status.BROKEN
    bench.crawl(old(*range(1, 30)))
    assert bench.status is Status.HEALTHY
    bench.crawl(new(1, 2, 3))
    assert bench.status is Status.BROKEN
    assert len(bench.events) == 2


def test_what_a_run_has_kept_is_no_drift_any_more(bench: Bench) -> None:
    bench.crawl(new(1, 2, 3))
    family = bench.store.family(shop.NAME)
    assert family
    bench.store.save_family(replace(family, status=Status.HEALTHY))
    bench.crawl(new(4, 5))
    assert bench.status is Status.HEALTHY


def test_an_escalated_family_stays_escalated_and_serves(bench: Bench) -> None:
    family = bench.store.family(shop.NAME)
    assert family
    bench.store.save_family(shop.family(status=Status.ESCALATED, epoch=family.epoch))
    assert bench.crawl(new(1))[0].status is PageStatus.DRIFT
    assert bench.crawl(old(1))[0].status is PageStatus.OK
    assert bench.status is Status.ESCALATED


def test_fault_17_an_optional_field_gone_from_page_after_page_is_named(bench: Bench) -> None:
    """No page had history, so no single page shows it; together they do."""
    bench.crawl(old(*range(1, 121, 2)))
    pages = {url: html.replace('class="badge"', 'class="ribbon"') for url, html in old(*range(201, 221)).items()}
    reports = bench.crawl(pages)
    assert {report.status for report in reports} == {PageStatus.PARTIAL}
    assert reports[-1].problems[0].startswith("badge: is missing, on about 95% of the pages, where at most ")
    assert bench.status is Status.BROKEN


def test_a_sure_drift_is_healed_once_and_its_pages_are_served_again(bench: Bench) -> None:
    reports, asked = bench.heal({**old(9), **new(4, 5, 6, 7)})
    assert list(map(list, asked)) == [[shop.url(n) for n in (4, 5, 6)]], "as soon as it is sure"
    assert {(r.status, r.version) for r in reports if r.url != shop.url(9)} == {(PageStatus.OK, 2)}
    assert [r.url for r in reports] == [shop.url(n) for n in (9, 4, 5, 6, 7)]
    assert bench.status is Status.HEALTHY


def test_a_crawl_goes_on_with_the_version_that_healing_gave_it(bench: Bench) -> None:
    reports, asked = bench.heal({**old(9), **new(*range(10, 60))}, batch=5)
    assert len(asked) == 1
    assert {(r.status, r.version) for r in reports if r.url != shop.url(9)} == {(PageStatus.OK, 2)}
    assert sorted(r.url for r in reports) == sorted(bench.site.pages)
    twice = [url for url, count in bench.site.fetched.items() if count > 1]
    assert set(twice) <= {shop.url(n) for n in range(10, 20)}, "only pages that failed are fetched again"


def test_the_first_page_of_a_crawl_may_be_the_odd_one(bench: Bench) -> None:
    reports, asked = bench.heal({**new(20), **old(*range(1, 12))}, batch=1)
    assert asked == []
    assert [report.status for report in reports].count(PageStatus.DRIFT) == 1


def test_a_single_odd_page_starts_no_healing(bench: Bench) -> None:
    reports, asked = bench.heal({**old(*range(1, 12)), **new(20)})
    assert asked == []
    assert reports[-1].status is PageStatus.DRIFT


def test_fault_07_during_the_cool_down_a_drift_starts_no_healing(bench: Bench) -> None:
    bench.store.save_family(shop.family(status=Status.ESCALATED, cooldown_until="2026-02-01T00:00:01Z"))
    reports, asked = bench.heal(new(4, 5, 6, 7))
    assert asked == []
    assert {report.status for report in reports} == {PageStatus.DRIFT}
    assert "cools down until 2026-02-01T00:00:01Z" in bench.told[0]
    assert bench.site.fetched.total() == 4  # each page once, for its report, and nothing more


def test_what_is_no_page_of_the_family_is_told_by_its_kind(bench: Bench) -> None:
    class Odd(Site):
        async def fetch(self, url: str) -> Page:
            page = await super().fetch(url)
            return Page(url, page.html, int(url.rpartition("/")[2]))

    pages = {f"https://shop.example/s/{status}": document("<p>page") for status in (403, 404, 500, 200)}
    pages["https://shop.example/s/200"] = '<div id="root"></div>'
    reports = bench.crawl(pages, fetcher=Odd(pages))
    assert [report.status for report in reports] == [
        PageStatus.BLOCKED,
        PageStatus.GONE,
        PageStatus.ERROR,
        PageStatus.ERROR,
    ]
    assert [report.problems for report in reports[:3]] == [
        ("blocked: HTTP 403",),
        ("gone: HTTP 404",),
        ("transient: HTTP 500",),
    ]
    assert bench.status is Status.HEALTHY
    assert bench.store.detectors(shop.NAME, 1) == {}
    assert [url for url in pages if bench.store.known(shop.NAME, url)] == []


def test_a_page_that_cannot_be_had_is_an_error_and_the_rest_goes_on(bench: Bench) -> None:
    reports = bench.crawl(old(1), urls=[shop.url(2), shop.url(1), shop.url(2)])
    assert [(r.url, r.status) for r in reports] == [(shop.url(2), PageStatus.ERROR), (shop.url(1), PageStatus.OK)]
    assert "no such host" in reports[0].problems[0]


def test_a_list_that_says_that_it_is_empty_is_ok(bench: Bench) -> None:
    (report,) = bench.crawl({shop.url(1): "<title>Kettles</title><h1>Kettles</h1><p>No products found.</p>"})
    assert (report.status, report.records) == (PageStatus.OK, ())
    assert bench.store.known(shop.NAME, shop.url(1)) is None


def test_pages_that_all_say_that_they_are_empty_are_noticed(bench: Bench) -> None:
    nothing = "<title>Kettles</title><h1>Kettles</h1><p>No products found.</p>"
    bench.crawl(old(*range(1, 101)))
    assert {report.status for report in bench.crawl({shop.url(n): nothing for n in range(101, 103)})} == {PageStatus.OK}
    assert bench.status is Status.HEALTHY
    reports = bench.crawl({shop.url(n): nothing for n in range(103, 120)})
    assert bench.status is Status.BROKEN
    assert reports[-1].status is PageStatus.PARTIAL
    assert reports[-1].problems[0].startswith("page: it says that there is nothing, on about 95% of the pages")
    assert bench.store.known(shop.NAME, shop.url(110)) is None


def test_one_page_that_hangs_the_program_takes_no_other_with_it(bench: Bench) -> None:
    hang = shop.OLD.replace("    return", '    while "HANG" in page.html: pass\n    return', 1)
    bench.promote(hang, shop.goldens())
    pages = {**old(1, 2), shop.url(3): shop.old_page(3) + "HANG", **old(4, 5)}
    reports = bench.crawl(pages, deadline=0.5)
    assert [report.status for report in reports][:2] == [PageStatus.OK] * 2
    assert [report.status for report in reports][3:] == [PageStatus.OK] * 2
    assert reports[2].version == 1  # the older version has no such loop
    assert reports[2].status is PageStatus.VARIANT


def test_residual_fields_are_filled_where_somebody_can(bench: Bench) -> None:
    async def fill(page: Page, rows: tuple[Record, ...], names: tuple[str, ...], schema: Schema) -> tuple[Record, ...]:
        return tuple(row | dict.fromkeys(names, "by model") for row in rows)

    source = shop.OLD.replace('page.text(".brand")', "None")
    bench.promote(source, [shop.golden(1, shop.old_page(1), [shop.record(1, brand=None)])], residual=("brand",))
    (report,) = bench.crawl(old(1), fill=fill)
    assert (report.status, report.residual) == (PageStatus.OK, ("brand",))
    assert report.records == (shop.record(1, brand="by model"),)


def test_who_cannot_serve_is_told_what_to_do(bench: Bench) -> None:
    kit = CrawlKit(
        fetcher=bench.site, store=bench.store, sandbox=bench.sandbox, schema=lambda ref: shop.SCHEMA, clock=lambda: ""
    )
    with pytest.raises(UnknownFamily, match="crawloop bootstrap"):
        Crawl("nobody", kit)
    bench.store.save_family(Family("young", "Product@1"))
    with pytest.raises(UserError, match="young has no version that could serve: run `crawloop regen young`"):
        Crawl("young", kit)
