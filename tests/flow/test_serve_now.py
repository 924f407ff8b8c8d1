"""A family is broken: what its extractor leaves null is filled by who knows it, marked, checked, and never learnt."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from crawloop.crawl.fill import ModelFiller
from crawloop.crawl.kit import CrawlKit
from crawloop.crawl.report import PageReport, PageStatus
from crawloop.crawl.serve import crawl
from crawloop.llm import LiteLLMCompleter, Metered
from crawloop.model.events import VersionPromoted
from crawloop.model.family import Status
from crawloop.model.kind import Schema
from crawloop.model.outcome import Promotion
from crawloop.model.page import Page, Record
from crawloop.model.policy import Budget
from crawloop.model.verdict import Verdict
from crawloop.registry import MemoryStore
from crawloop.sandbox import ProcessSandbox
from crawloop.witness.llm import LLMWitness
from crawloop.witness.markup import MarkupWitness
from tests.fakes import kettles as shop
from tests.fakes.loop import candidate
from tests.fakes.openai_server import Fault, chat_server
from tests.fakes.site import Site

NUMBERS = (4, 5, 6)
NOW = "2026-02-01T00:00:00Z"


@pytest.fixture
def store(sandbox: ProcessSandbox) -> MemoryStore:
    """The shop's family, whose pages 4 to 6 were crawled while all was well."""
    made = MemoryStore()
    winner = candidate(shop.OLD, *shop.SCHEMA.names, origin="dom")
    event = VersionPromoted(shop.NAME, shop.AT, "run", 0, "dom")
    family = shop.family(active=1, status=Status.NEW, epoch=0)
    made.settle(family, Promotion(winner, Verdict(winner), ()), event, shop.goldens(), shop.AT)
    crawled(made, sandbox, {shop.url(n): shop.old_page(n) for n in NUMBERS})
    return made


def crawled(store: MemoryStore, sandbox: ProcessSandbox, pages: dict[str, str], **parts: Any) -> list[PageReport]:
    kit = CrawlKit(
        fetcher=Site(pages),
        store=store,
        sandbox=sandbox,
        schema=lambda ref: shop.SCHEMA,
        clock=lambda: NOW,
        markup=MarkupWitness(),
        **parts,
    )

    async def whole() -> list[PageReport]:
        return [report async for report in crawl(shop.NAME, list(pages), kit)]

    return asyncio.run(whole())


def with_markup(html: str, **said: Any) -> str:
    island = {"@context": "https://schema.org", "@type": "Product", **said}
    return html.replace("</head>", f'<script type="application/ld+json">{json.dumps(island)}</script></head>')


class Model:
    """Reads what it is asked for, and counts."""

    def __init__(self, **values: Any) -> None:
        self.values = values
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    async def __call__(
        self, page: Page, records: tuple[Record, ...], fields: tuple[str, ...], schema: Schema
    ) -> tuple[Record, ...]:
        self.asked.append((page.url, fields))
        return tuple({**row, **{name: self.values.get(name) for name in fields}} for row in records)


def test_history_fills_what_the_page_still_carries_and_nothing_that_moves(
    store: MemoryStore, sandbox: ProcessSandbox
) -> None:
    before = store.known(shop.NAME, shop.url(5))
    (report,) = crawled(store, sandbox, {shop.url(5): shop.new_page(5)}, evidence=True)
    assert report.status is PageStatus.DRIFT
    record = report.records[0]
    assert (record["title"], record["brand"]) == ("Kettle number 5", "Nordhaus")
    assert record["price"] is None, "it stands there, and moves by nature: the old one proves nothing"
    assert record["badge"] is None, "the page has none any more"
    assert report.filled == {"brand": "history", "title": "history"}
    assert report.evidence
    evidence = report.evidence[0]["title"]
    assert (evidence["by"], evidence["snippet"]) == ("history", "Kettle number 5")
    assert store.known(shop.NAME, shop.url(5)) == before, "what was filled is not history"


def test_history_says_nothing_of_another_item_under_the_same_url(store: MemoryStore, sandbox: ProcessSandbox) -> None:
    other = shop.new_page(5).replace("Kettle number 5", "A brass lamp").replace("Nordhaus", "Quill and Sons")
    (report,) = crawled(store, sandbox, {shop.url(5): other})
    assert (report.records, report.filled) == ((), {})


def test_markup_comes_before_history_and_is_held_to_the_same_checks(
    store: MemoryStore, sandbox: ProcessSandbox
) -> None:
    page = with_markup(shop.new_page(5), name="Kettle number 5", offers={"@type": "Offer", "price": "17.25"})
    (report,) = crawled(store, sandbox, {shop.url(5): page})
    assert report.records[0]["price"] == 17.25
    assert report.filled["price"] == "markup"
    mad = with_markup(shop.new_page(5), name="Kettle number 5", offers={"@type": "Offer", "price": "1725000000"})
    (report,) = crawled(store, sandbox, {shop.url(5): mad})
    assert report.records[0]["price"] is None
    assert "price" not in report.filled


def test_what_the_report_does_not_name_is_no_gap(store: MemoryStore, sandbox: ProcessSandbox) -> None:
    """Page 5 had a badge, and has none today, on a page of the old layout: that is no break."""
    page = with_markup(shop.old_page(4), name="Kettle number 4")
    (report,) = crawled(store, sandbox, {shop.url(4): page})
    assert (report.status, report.records, report.filled) == (PageStatus.OK, (shop.record(4),), {})


def test_a_model_reads_the_rest_of_a_broken_family_where_its_cost_is_bounded(
    store: MemoryStore, sandbox: ProcessSandbox
) -> None:
    pages = {shop.url(n): shop.new_page(n) for n in NUMBERS}
    model = Model(price=15.5, badge="New")
    unbounded = crawled(store, sandbox, pages, fill=model)
    assert model.asked == []
    assert {one.records[0]["price"] for one in unbounded} == {None}
    reports = crawled(store, sandbox, pages, fill=model, direct=True)
    assert {one.records[0]["price"] for one in reports} == {15.5}
    assert {one.filled["price"] for one in reports} == {"model"}
    assert {one.records[0]["title"] for one in reports} == {f"Kettle number {n}" for n in NUMBERS}
    assert {fields for _, fields in model.asked} == {("badge", "link", "price")}, (
        "only what free witnesses did not know"
    )


def test_where_the_first_model_is_dead_the_next_one_reads_the_gaps(store: MemoryStore, sandbox: ProcessSandbox) -> None:
    """Over HTTP and through the ledger: the dead one is asked once, the other about each page, and paid once a page."""
    pages = {shop.url(n): shop.new_page(n) for n in NUMBERS}
    crawled(store, sandbox, pages)

    def answer(body: dict[str, Any]) -> str | Fault:
        if body["model"] == "small":
            return Fault(401, "no such key")
        user = body["messages"][1]["content"]
        line = next(one for one in user.splitlines() if one.startswith("[") and "EUR" in one)
        number, price = int(line[1 : line.index("]")]), float(line.split()[1])
        return json.dumps({"records": [{"price": {"value": price, "line": [number], "snippet": None}}]})

    with chat_server() as server:
        server.answer = answer
        meter = Metered(LiteLLMCompleter(base_url=server.url), store, Budget(calls=10), lambda: NOW)
        meter.begin(shop.NAME, "crawl")
        model = ModelFiller(LLMWitness(meter.of("residual")), ("openai/small", "openai/large"), shop.NAME)
        reports = crawled(store, sandbox, pages, fill=model, direct=True)
    assert [one.records[0]["price"] for one in reports] == [shop.record(n)["price"] for n in NUMBERS]
    asked = [body["model"] for body, _ in server.asked]
    assert asked.count("large") == len(NUMBERS)
    assert asked.count("small") < len(NUMBERS)
    assert store.spend(run="crawl")[0] == len(NUMBERS)


def test_an_escalated_family_asks_no_model_while_it_rests(store: MemoryStore, sandbox: ProcessSandbox) -> None:
    family = store.family(shop.NAME)
    assert family
    store.save_family(replace(family, status=Status.ESCALATED, cooldown_until="2026-02-01T01:00:00Z"))
    model = Model(price=15.5)
    reports = crawled(store, sandbox, {shop.url(n): shop.new_page(n) for n in NUMBERS}, fill=model, direct=True)
    assert model.asked == []
    assert {one.records[0]["title"] for one in reports} == {f"Kettle number {n}" for n in NUMBERS}


def test_a_report_says_who_filled_and_comes_back_as_it_was(store: MemoryStore, sandbox: ProcessSandbox) -> None:
    broken, well = crawled(store, sandbox, {shop.url(5): shop.new_page(5), shop.url(4): shop.old_page(4)})
    assert json.loads(broken.dumps())["filled"]["title"] == "history"
    assert "filled" not in json.loads(well.dumps())
    assert [PageReport.loads(one.dumps()) for one in (broken, well)] == [broken, well]
