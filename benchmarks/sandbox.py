"""What the sandbox costs: one program on one page of 100 KB, in the warm sandbox and, beside it, in this process.

python benchmarks/sandbox.py [--runs N]
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from typing import Any

from crawloop.extract.view import PageView
from crawloop.model.page import Page
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
PROGRAMS = {"detail, by page.json": DETAIL, "listing, by page.css": LISTING, "listing, by hand": BY_HAND}


def page(size: int = 100_000) -> Page:
    island = json.dumps({"@type": "Product", "name": "Thing", "offers": {"@type": "Offer", "price": "12.50"}})
    head = f'<html><head><script type="application/ld+json">{island}</script></head><body>'
    head += "<dl><dt>SKU</dt><dd>X1</dd></dl><ul>"
    card = (
        '<li class="card" data-id="{0}"><a class="product" href="/p/{0}"><h2>Thing number {0}</h2></a>'
        '<span class="price">€ {0}.50</span><p class="text">Some words about the thing, as shops have them. '
        '<b>New</b> <i>in stock</i></p><div class="more"><span>one</span><span>two</span><span>three</span></div></li>'
    )
    cards: list[str] = []
    while sum(map(len, cards)) < size - len(head):
        cards.append(card.format(len(cards)))
    return Page(url="https://shop.example/list", html=head + "".join(cards) + "</ul></body></html>")


def in_process(source: str, pages: list[Page]) -> Any:
    (subject,) = pages
    space: dict[str, Any] = {"__name__": "program"}
    exec(compile(source, "program", "exec"), space)
    extract = space["extract"]
    if extract.__code__.co_argcount == 2:
        return extract(subject.html, subject.url)
    return extract(PageView(subject.html, subject.url))


def timed(work: Callable[[str, list[Page]], Any], source: str, pages: list[Page], runs: int) -> str:
    """Median, 95th percentile and minimum for each page, in milliseconds."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work(source, pages)
        times.append((time.perf_counter() - start) * 1000 / len(pages))
    p95 = statistics.quantiles(times, n=20)[-1]
    return f"p50 {statistics.median(times):6.2f} ms   p95 {p95:6.2f} ms   min {min(times):6.2f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=200)
    runs = parser.parse_args().runs
    one = [page()]
    start = time.perf_counter()
    with ProcessSandbox() as sandbox:
        sandbox.run(DETAIL, one)
        print(f"first run, with the start of the template: {(time.perf_counter() - start) * 1000:.0f} ms")
        print(f"page of {len(one[0].html) // 1000} KB; layers: {sandbox.layers()}")
        for name, source in PROGRAMS.items():
            (run,) = sandbox.run(source, one)
            assert run.records == tuple(in_process(source, one)), name
            print(f"{name} ({len(run.records)} records)")
            print("  in this process, parse and extract      ", timed(in_process, source, one, runs))
            print("  sandbox, one page a job                 ", timed(sandbox.run, source, one, runs))
            print(
                "  sandbox, 32 pages a job, for each page  ", timed(sandbox.run, source, one * 32, max(2, runs // 32))
            )
            print("  sandbox, the static check alone         ", timed(lambda s, _: sandbox.admit(s), source, one, runs))


if __name__ == "__main__":
    main()
