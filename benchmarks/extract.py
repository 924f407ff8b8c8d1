"""What reading a page costs beside parsing it: synthetic pages of 10 KB, 100 KB and 1 MB, read by JSON and by elements.

python benchmarks/extract.py [--runs N]     prints milliseconds a page (the best of N) and multiples of the bare parse
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from crawloop.extract.bounds import guard
from crawloop.extract.transforms import duration, first, money, number
from crawloop.extract.view import PageView

URL = "https://shop.example/kettle"


def page(size: int) -> str:
    """A product page with ld+json, an assigned state, a table of facts and as many related products as fit the size."""
    product = {"@type": "Product", "name": "Kettle", "sku": "K-1", "offers": {"@type": "Offer", "price": "12.50"}}
    graph = {"@context": "https://schema.org", "@graph": [{"@type": "WebPage", "name": "Shop"}, product]}
    state = {"product": {"name": "Kettle", "stock": 4, "tags": ["blue", "steel"]}}
    head = (
        f'<!doctype html><html><head><title>Kettle</title><meta property="og:title" content="Kettle">'
        f'<script type="application/ld+json">{json.dumps(graph)}</script>'
        f"<script>window.STATE = {json.dumps(state)};</script></head><body><main><h1>Kettle</h1>"
        '<p class="price">€ <b>12</b>.50</p><table class="facts"><tr><th>Weight</th><td>1.2 kg</td></tr>'
        "<tr><th>Time to boil</th><td>4 min</td></tr></table>"
    )
    card = (
        '<div class="card" data-id="{0}"><a class="link" href="/p/{0}"><img src="/i/{0}.jpg" alt="Product {0}"></a>'
        '<h3 class="name">Product {0}</h3><p class="about">Made of steel, holds {0} litres &amp; more.</p>'
        '<span class="price">{0}.99 €</span></div>\n'
    )
    cards: list[str] = []
    while sum(map(len, cards[-1:])) * len(cards) + len(head) < size:
        cards.append(card.format(len(cards)))
    return f"{head}</main><section>{''.join(cards)}</section></body></html>"


def by_json(html: str) -> Any:
    view = PageView(html, URL)
    return {
        "name": first(view.json("@Product.name"), view.text("h1")),
        "price": money(view.json("@Product.offers.price")),
        "sku": view.json("@Product.sku"),
        "stock": view.json("window.STATE.product.stock"),
    }


def by_elements(html: str) -> Any:
    view = PageView(html, URL)
    return {
        "name": view.text("h1"),
        "title": view.attr('meta[property="og:title"]', "content"),
        "price": money(view.text("p.price")),
        "boils": duration(view.text("table.facts tr:nth-child(2) td")),
    }


def by_selectolax(html: str) -> Any:
    tree = LexborHTMLParser(html)
    found = [tree.css_first(css) for css in ("h1", 'meta[property="og:title"]', "p.price")]
    return [*found, tree.css_first("table.facts tr:nth-child(2) td")]


def by_label(html: str) -> Any:
    return number(PageView(html, URL).labelled("Weight"))


def listing(html: str) -> Any:
    view = PageView(html, URL)
    return [{"name": row.text("h3"), "url": row.attr("a", "href")} for row in view.css("div.card")]


def check(html: str) -> None:
    """The guard on a page it has not seen: a space more makes it another one."""
    check.turn += 1  # type: ignore[attr-defined]
    guard.check(html + " " * check.turn)  # type: ignore[attr-defined]


check.turn = 0  # type: ignore[attr-defined]

READS: dict[str, Callable[[str], Any]] = {
    "bare parse": LexborHTMLParser,
    "4 fields by JSON": by_json,
    "4 fields by elements": by_elements,
    "the same in selectolax": by_selectolax,
    "one labelled value": by_label,
    "2 fields of each card": listing,
    "all islands by name": lambda html: PageView(html, URL).islands().names(),
    "guard": check,
}


def milliseconds(html: str, runs: int) -> dict[str, float]:
    """The best of several rounds for each way to read, taken in turn so that a busy machine slows all alike."""
    best = dict.fromkeys(READS, float("inf"))
    for _ in range(runs):
        for label, read in READS.items():
            began = time.perf_counter()
            read(html)
            best[label] = min(best[label], 1000 * (time.perf_counter() - began))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=30)
    runs = parser.parse_args().runs
    sizes = {"10 KB": 10_000, "100 KB": 100_000, "1 MB": 1_000_000}
    taken = {name: milliseconds(page(size), runs) for name, size in sizes.items()}
    print(f"{'':24}" + "".join(f"{name:>18}" for name in taken))
    for label in READS:
        cells = (f"{ms[label]:9.3f} ms{ms[label] / ms['bare parse']:6.2f}" for ms in taken.values())
        print(f"{label:24}" + "".join(cells))


if __name__ == "__main__":
    main()
