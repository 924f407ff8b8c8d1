"""What the sandbox costs, beside the same programs in this process, interleaved in one run; and the bars it must meet.

python benchmarks/sandbox.py [--rounds N]     milliseconds a page

On a busy machine processes wait for each other; there read processor time: of this process, the template and its jobs.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from crawloop.contract import Sandbox, Source
from crawloop.crawl.kit import CrawlKit
from crawloop.crawl.serve import crawl
from crawloop.extract.view import PageView
from crawloop.model.candidate import Candidate, Run
from crawloop.model.events import VersionPromoted
from crawloop.model.family import Family, Golden, Status
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.outcome import Promotion
from crawloop.model.page import Page
from crawloop.model.verdict import Verdict
from crawloop.registry import MemoryStore
from crawloop.sandbox import ProcessSandbox

DETAIL = """
def extract(page):
    return [{
        "title": page.json("@Product.name"),
        "price": page.json("@Product.offers.price"),
        "sku": page.labelled("SKU"),
        "link": page.absolute(page.attr("a.product", "href")),
    }]
"""
LISTING = """
import re
def extract(page):
    return [{
        "title": row.text("h2"),
        "price": float(re.sub(r"[^0-9.]", "", row.text(".price") or "0")),
        "link": page.absolute(row.attr("a.product", "href")),
    } for row in page.css("li.card")]
"""
BY_HAND = """
import re
from urllib.parse import urljoin
from selectolax.lexbor import LexborHTMLParser
def extract(html, url):
    out = []
    for card in LexborHTMLParser(html).css("li.card"):
        price = re.sub(r"[^0-9.]", "", card.css_first(".price").text())
        link = card.css_first("a.product")
        out.append({"title": card.css_first("h2").text(strip=True), "price": float(price),
                    "link": urljoin(url, link.attributes["href"])})
    return out
"""
PROGRAMS = {
    "detail, by page.json": DETAIL,
    "listing, by page.css": LISTING,
    "listing, by hand": BY_HAND,
}
SIZES = {"10 KB": 10_000, "100 KB": 100_000, "1 MB": 1_000_000}
BATCH = 16
SERVED = 64
AT = "2026-01-01T00:00:00Z"
NAME = "shop.example/list"
SCHEMA = Schema(
    "Product@1",
    (
        Field("title"),
        Field("price", Kind.NUMBER),
        Field("sku"),
        Field("link", Kind.URL),
    ),
)


def page(size: int, number: int = 0) -> Page:
    island = json.dumps(
        {
            "@type": "Product",
            "name": "Thing",
            "offers": {"@type": "Offer", "price": "12.50"},
        }
    )
    head = f'<html><head><script type="application/ld+json">{island}</script></head><body><!-- {number} -->'
    head += "<dl><dt>SKU</dt><dd>X1</dd></dl><ul>"
    card = (
        '<li class="card" data-id="{0}"><a class="product" href="/p/{0}"><h2>Thing number {0}</h2></a>'
        '<span class="price">€ {0}.50</span><p class="text">Some words about the thing, as shops have them. '
        '<b>New</b> <i>in stock</i></p><div class="more"><span>one</span><span>two</span><span>three</span></div></li>'
    )
    count = (size - len(head)) // len(card.format(100)) + 1
    cards = "".join(card.format(one) for one in range(count))
    return Page(
        url=f"https://shop.example/list/{number}",
        html=f"{head}{cards}</ul></body></html>",
    )


class InProcess:
    """A Sandbox that protects from nothing: what the same work costs without one."""

    def admit(self, source: str) -> None:
        compile(source, "program", "exec")

    def run(self, source: str, pages: Sequence[Page], *, deadline: float = 5.0) -> tuple[Run, ...]:
        space: dict[str, Any] = {"__name__": "program"}
        exec(compile(source, "program", "exec"), space)
        extract = space["extract"]
        if extract.__code__.co_argcount == 2:
            return tuple(Run(one.url, tuple(extract(one.html, one.base))) for one in pages)
        return tuple(Run(one.url, tuple(extract(PageView(one.html, one.base)))) for one in pages)

    def close(self) -> None:
        pass


def timed(work: Callable[[], object], count: int) -> float:
    """Milliseconds for each of `count` pages."""
    gc.collect()
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000 / count


def processor() -> float:
    """Milliseconds of processor time of this process, and of its template with all jobs that have ended."""
    ticks = 0
    me = os.getpid()
    for child in Path(f"/proc/{me}/task/{me}/children").read_text().split():
        fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
        ticks += sum(map(int, fields[11:15]))
    return ticks * 1000 / os.sysconf("SC_CLK_TCK") + time.process_time() * 1000


def told(bar: str, holds: bool) -> None:
    print(f"    {'met   ' if holds else 'MISSED'}  {bar}")


def batches(sandbox: Sandbox, rounds: int) -> None:
    """Batches of one program, beside the same in this process."""
    plain = InProcess()
    for size, length in SIZES.items():
        pages = [page(length, number) for number in range(BATCH)]
        for name, source in PROGRAMS.items():
            assert [one.records for one in sandbox.run(source, pages)] == [
                one.records for one in plain.run(source, pages)
            ]
            inside, jailed, burnt = [], [], [0.0, 0.0]
            count = max(5, rounds * 100_000 // max(length, 100_000))
            for _ in range(count):
                start = processor()
                inside.append(timed(lambda: plain.run(source, pages), BATCH))  # noqa: B023 - called at once
                burnt[0] += (between := processor()) - start
                jailed.append(timed(lambda: sandbox.run(source, pages), BATCH))  # noqa: B023
                burnt[1] += processor() - between
            here, there = statistics.median(inside), statistics.median(jailed)
            print(
                f"{size}, {name}: in process p50 {here:.2f} min {min(inside):.2f}",
                end="",
            )
            print(f"   {BATCH} pages a job p50 {there:.2f} min {min(jailed):.2f}   {there / here:.2f} x")
            told("p50 within 1.3 x in process + 1 ms", there <= 1.3 * here + 1)
            told("the same of minima", min(jailed) <= 1.3 * min(inside) + 1)
            mine, theirs = (one / count / BATCH for one in burnt)
            told(
                f"the same of processor time: {mine:.2f} and {theirs:.2f}",
                theirs <= 1.3 * mine + 1,
            )


def alone(sandbox: Sandbox, rounds: int) -> None:
    """One page a job, as for a single URL."""
    plain, pages = InProcess(), [page(SIZES["100 KB"])]
    for name, source in PROGRAMS.items():
        inside, jailed = [], []
        for _ in range(rounds * 3):
            inside.append(timed(lambda: plain.run(source, pages), 1))  # noqa: B023 - called at once
            jailed.append(timed(lambda: sandbox.run(source, pages), 1))  # noqa: B023
        there = statistics.median(jailed)
        print(
            f"100 KB, {name}: in process p50 {statistics.median(inside):.2f} min {min(inside):.2f}",
            end="",
        )
        print(f"   one page a job p50 {there:.2f} min {min(jailed):.2f}")
        told("p50 below 8 ms", there < 8)
        told("minimum below 8 ms", min(jailed) < 8)


class Pages(Source):
    """A Source that has them all."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self._pages = {one.url: one for one in pages}

    async def fetch(self, url: str) -> Page:
        return self._pages[url]


def serving(sandbox: Sandbox, pages: Sequence[Page], source: str) -> CrawlKit:
    store = MemoryStore()
    fields = frozenset(("title", "price", "link"))
    goldens = [
        Golden(
            NAME,
            f"case-{one.url}",
            one.url,
            one.html,
            InProcess().run(source, [one])[0].records or (),
            0,
            1,
            AT,
        )
        for one in pages[:3]
    ]
    winner = Candidate(source, "dom", fields)
    event = VersionPromoted(NAME, AT, "run", 0, "dom")
    family = Family(NAME, schema_ref="Product@1", status=Status.NEW, epoch=0, urls=(pages[0].url,))
    store.settle(family, Promotion(winner, Verdict(winner), ()), event, goldens, AT)
    return CrawlKit(
        fetcher=Pages(pages),
        store=store,
        sandbox=sandbox,
        schema=lambda ref: SCHEMA,
        clock=lambda: AT,
    )


async def served(kit: CrawlKit, urls: Sequence[str]) -> int:
    return len([one async for one in crawl(NAME, urls, kit) if one.records])


def throughput(sandbox: Sandbox, rounds: int) -> None:
    """Whole crawls over pages in memory: fetching, checking, running, judging, remembering."""
    for size in ("10 KB", "100 KB"):
        pages = [page(SIZES[size], number) for number in range(SERVED)]
        urls = [one.url for one in pages]
        for name, source in PROGRAMS.items():
            rates: dict[str, list[float]] = {"in process": [], "sandbox": []}
            for _ in range(max(3, rounds // 4)):
                for label, one in (("in process", InProcess()), ("sandbox", sandbox)):
                    kit = serving(one, pages, source)
                    start = time.perf_counter()
                    assert asyncio.run(served(kit, urls)) == SERVED
                    rates[label].append(SERVED / (time.perf_counter() - start))
            here, there = (
                statistics.median(rates["in process"]),
                statistics.median(rates["sandbox"]),
            )
            print(f"{size}, {name}: served in process {here:.0f} pages/s, sandbox {there:.0f}   {there / here:.2f} x")
            told("at least 0.8 of in process", there >= 0.8 * here)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    start = time.perf_counter()
    with ProcessSandbox() as sandbox:
        sandbox.run(DETAIL, [page(SIZES["10 KB"])])
        print(f"first run, with the start of the template: {(time.perf_counter() - start) * 1000:.0f} ms")
        print(f"layers: {sandbox.layers()}")
        batches(sandbox, rounds)
        alone(sandbox, rounds)
        throughput(sandbox, rounds)


if __name__ == "__main__":
    main()
