"""A crawl of a local server, beside a bare loop of httpx and selectolax: same pages, queries and connections at once.

python benchmarks/serving.py [rate|memory] [--pages N] [--size KB] [--rounds N]

`rate` crawls pages whose history is known, in turns with the bare loop, and takes the median of the ratios; `memory`
crawls 20,000 pages once and looks at what the crawl and its sandbox hold as it goes on. Ends with code 1 where a bar is
missed. Neither asks for robots.txt or waits between pages.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import httpx
from selectolax.lexbor import LexborHTMLParser

from crawloop.crawl.fetch import HttpFetcher
from crawloop.crawl.kit import CrawlKit
from crawloop.crawl.serve import crawl
from crawloop.model import moment
from crawloop.model.candidate import Candidate
from crawloop.model.events import VersionPromoted
from crawloop.model.family import Family, Golden, Status
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.outcome import Promotion
from crawloop.model.policy import FetchRules
from crawloop.model.verdict import Verdict
from crawloop.registry import SqlStore
from crawloop.sandbox import ProcessSandbox

NAME = "shop.example/product"
AT = "2026-01-01T00:00:00Z"
AT_ONCE = 16
RATIO, SHARE, GROWTH = 0.7, 0.10, 8_000  # of pages a second, of time in the database, in KB
SCHEMA = Schema(
    "Product@1",
    (
        Field("title", required=True),
        Field("price", Kind.MONEY),
        Field("sku"),
        Field("brand"),
        Field("stock"),
        Field("text"),
        Field("link", Kind.URL),
    ),
)
PROGRAM = """
def extract(page):
    return [{
        "title": page.text("h1.title"),
        "price": number(page.text("span.price")),
        "sku": page.text("dd.sku"),
        "brand": page.text("a.brand"),
        "stock": page.text("p.stock"),
        "text": page.text("div.description"),
        "link": page.attr("a.self", "href"),
    }]
"""
TEXTS = {
    "title": "h1.title",
    "price": "span.price",
    "sku": "dd.sku",
    "brand": "a.brand",
    "stock": "p.stock",
    "text": "div.description",
}


class Shop:
    """Pages of one template, of `size` bytes each."""

    def __init__(self, size: int) -> None:
        # About as many tags in a kilobyte as real pages of shops, courts and papers have.
        card = (
            '<li class="card card--small" data-id="{0}" data-list="more-of-this-sort" data-position="{0}">'
            '<a class="other" href="/p/{0}" title="Another thing, number {0}"><b>Another thing, number {0}</b></a>'
            '<img class="thumb" src="/images/things/{0}-small.jpg" alt="A picture of thing number {0}" width="120" '
            'height="90" loading="lazy"><span class="amount">{0}.50 EUR</span><p class="words">Some words about that '
            "thing, as shops have them. It is new, it is in stock..</p></li>"
        )
        count = max(0, size - 1_500) // len(card.format(100))
        self._rest = f'<ul class="more">{"".join(map(card.format, range(count)))}</ul>'

    def page(self, number: int) -> str:
        row = self.row(number)
        return (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{row["title"]}</title></head><body>'
            f'<main class="product"><h1 class="title">{row["title"]}</h1><span class="price">{row["price"]:.2f}</span>'
            f'<dl class="facts"><dt>SKU</dt><dd class="sku">{row["sku"]}</dd></dl><a class="brand" href="/b">'
            f'{row["brand"]}</a><p class="stock">{row["stock"]}</p><div class="description">{row["text"]}</div>'
            f'<a class="self" href="{row["link"]}">here</a></main>{self._rest}</body></html>'
        )

    def row(self, number: int) -> dict[str, Any]:
        return {
            "title": f"Kettle number {number}",
            "price": 10 + number % 90 + 0.5,
            "sku": f"KN-{number:06}",
            "brand": ("Nordhaus", "Sudhaus", "Westhaus")[number % 3],
            "stock": f"{number % 40 + 1} in stock",
            "text": f"Kettle number {number} holds {number % 7 + 1} litres. " + "It is made to last and tested. " * 6,
            "link": f"/p/{number}",
        }


def serve(size: int, told: Connection) -> None:
    """A server of the shop in a process of its own; it tells its port."""
    shop = Shop(size)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                number = int(head.split(b" ", 2)[1].rpartition(b"/")[2])
                body = shop.page(number).encode()
                said = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n"
                writer.write(said % len(body) + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def run() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        told.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


@contextmanager
def server(size: int) -> Iterator[str]:
    """The URL of a running server."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=serve, args=(size, there), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{here.recv()}"
    finally:
        process.terminate()
        process.join()


async def bare(urls: Sequence[str]) -> int:
    """What a script without any care does: fetch, parse, query."""
    gate, rows = asyncio.Semaphore(AT_ONCE), 0

    async def one(client: httpx.AsyncClient, url: str) -> dict[str, Any]:
        async with gate:
            answer = await client.get(url)
        tree = LexborHTMLParser(answer.text)
        row: dict[str, Any] = {}
        for name, selector in TEXTS.items():
            node = tree.css_first(selector)
            row[name] = node.text(strip=True) if node else None
        row["price"] = float(row["price"])
        link = tree.css_first("a.self")
        row["link"] = link.attributes["href"] if link else None
        return row

    async with httpx.AsyncClient(limits=httpx.Limits(max_connections=AT_ONCE)) as client:
        for start in range(0, len(urls), 1_000):
            rows += len(await asyncio.gather(*(one(client, url) for url in urls[start : start + 1_000])))
    return rows


class Timed:
    """A store that counts the seconds spent in it."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self.seconds = 0.0

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)

        def call(*args: Any, **said: Any) -> Any:
            start = time.perf_counter()
            try:
                return method(*args, **said)
            finally:
                self.seconds += time.perf_counter() - start

        return call

    @contextmanager
    def batch(self) -> Iterator[None]:
        batch = self._store.batch()
        start = time.perf_counter()
        batch.__enter__()
        self.seconds += time.perf_counter() - start
        try:
            yield
        finally:
            start = time.perf_counter()
            batch.__exit__(None, None, None)
            self.seconds += time.perf_counter() - start


def promoted(store: Any, shop: Shop, url: str) -> None:
    goldens = [Golden(NAME, f"case-{n}", f"{url}/p/{n}", shop.page(n), (shop.row(n),), 0, 1, AT) for n in range(5)]
    winner = Candidate(PROGRAM, "dom", frozenset(SCHEMA.names))
    family = Family(NAME, schema_ref=SCHEMA.ref, status=Status.NEW, epoch=0, urls=(goldens[0].url,))
    event = VersionPromoted(NAME, AT, "run", 0, "dom")
    store.settle(family, Promotion(winner, Verdict(winner), ()), event, goldens, AT)


@asynccontextmanager
async def kit(store: Any, sandbox: ProcessSandbox, urls: Sequence[str]) -> AsyncIterator[CrawlKit]:
    rules = FetchRules(per_host=AT_ONCE, at_once=AT_ONCE, robots=False)
    async with HttpFetcher(rules, urls, clock=moment.now) as fetcher:
        yield CrawlKit(fetcher=fetcher, store=store, sandbox=sandbox, schema=lambda ref: SCHEMA, clock=moment.now)


async def crawled(store: Any, sandbox: ProcessSandbox, urls: Sequence[str]) -> int:
    async with kit(store, sandbox, urls) as parts:
        reports = [report async for report in crawl(NAME, urls, parts)]
    odd = [report for report in reports if report.status != "ok"]
    assert not odd, odd[0]
    return len(reports)


def rate(url: str, store: Any, sandbox: ProcessSandbox, pages: int, rounds: int) -> bool:
    urls = [f"{url}/p/{n}" for n in range(pages)]
    asyncio.run(crawled(store, sandbox, urls))
    asyncio.run(bare(urls))
    ratios, shares = [], []
    for number in range(rounds):
        timed = Timed(store)
        seconds: dict[str, float] = {}
        burnt: dict[str, float] = {}
        runs: list[tuple[str, Callable[[], Any]]] = [
            ("bare", lambda: bare(urls)),
            ("crawloop", lambda timed=timed: crawled(timed, sandbox, urls)),
        ]
        for label, run in runs if number % 2 else reversed(runs):
            start, processor = time.perf_counter(), time.process_time()
            assert asyncio.run(run()) == pages
            seconds[label], burnt[label] = time.perf_counter() - start, time.process_time() - processor
        ratios.append(seconds["bare"] / seconds["crawloop"])
        shares.append(timed.seconds / seconds["crawloop"])
        print(f"bare {pages / seconds['bare']:.0f} pages/s, crawloop {pages / seconds['crawloop']:.0f}", end="")
        print(f"   {ratios[-1]:.2f} x, in the database {shares[-1]:.1%}", end="")
        print(f"   processor time of this process alone {burnt['bare'] / burnt['crawloop']:.2f} x", flush=True)
    ratio, share = statistics.median(ratios), statistics.median(shares)
    return all(
        [
            told(f"{ratio:.2f} of the pages a second of the bare loop; the bar is {RATIO}", ratio >= RATIO),
            told(f"{share:.1%} of the time in the database; the bar is {SHARE:.0%}", share <= SHARE),
        ]
    )


async def memory(url: str, store: Any, sandbox: ProcessSandbox, pages: int) -> bool:
    """Crawls once, and compares what is held at the end with what is held after a tenth of the way."""
    held = []
    urls = [f"{url}/p/{n}" for n in range(pages)]
    async with kit(store, sandbox, urls) as parts:
        served, start = 0, time.monotonic()
        async for _ in crawl(NAME, urls, parts):
            served += 1
            if served % (pages // 10) == 0:
                held.append(sum(map(resident, family_of(os.getpid()))))
                print(f"{served} pages, {time.monotonic() - start:.0f} s, {held[-1]} KB", flush=True)
    grown = max(held[1:]) - held[0]
    return told(f"{grown} KB more at most than after a tenth of {pages} pages; the bar is {GROWTH}", grown <= GROWTH)


def family_of(process: int) -> list[int]:
    """The process and all that it has begun, but for the server."""
    listed = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    children = [int(one) for one in listed if b"serving.py" not in Path(f"/proc/{one}/cmdline").read_bytes()]
    return [process, *(one for child in children for one in family_of(child))]


def resident(process: int) -> int:
    """In KB; 0 for one that has ended just now."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except FileNotFoundError:
        return 0
    return int(status.partition("VmRSS:")[2].split()[0])


def told(bar: str, holds: bool) -> bool:
    print(f"    {'met   ' if holds else 'MISSED'}  {bar}")
    return holds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=("rate", "memory"), nargs="?", default="rate")
    parser.add_argument("--pages", type=int)
    parser.add_argument("--size", type=int, default=50, help="of a page, in KB")
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    size = asked.size * 1_000
    with server(size) as url, tempfile.TemporaryDirectory(prefix="crawloop-serving-") as folder:
        store = SqlStore(f"sqlite:///{folder}/registry.db", Path(folder, "fixtures"))
        promoted(store, Shop(size), url)
        with ProcessSandbox() as sandbox:
            if asked.mode == "rate":
                holds = rate(url, store, sandbox, asked.pages or 500, asked.rounds)
            else:
                holds = asyncio.run(memory(url, store, sandbox, asked.pages or 20_000))
        store.close()
    return int(not holds)


if __name__ == "__main__":
    sys.exit(main())
