"""The bundled shop as a real web server on a local port, with the right values of its pages for comparison."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, cast

from crawloop.demo import layout_a, layout_b
from crawloop.demo.catalogue import Product, products, related

Layout = Literal["a", "b"]
Render = Callable[[Product, Sequence[Product], str], str]

PER_PAGE = 10
_LAYOUTS: dict[Layout, tuple[Render, Callable[[Sequence[Product], int, int], str]]] = {
    "a": (layout_a.product, layout_a.listing),
    "b": (layout_b.product, layout_b.listing),
}


class Shop:
    """`with Shop() as shop:` serves at `shop.url` until the block ends. Layout "b" is the redesign."""

    def __init__(self, layout: Layout = "a") -> None:
        self._layout: Layout = layout
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._http.daemon_threads = True
        cast(Any, self._http).shop = self
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    def __enter__(self) -> Shop:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """Where the shop is, without a slash at the end."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    @property
    def products(self) -> tuple[Product, ...]:
        """What it sells now: the redesign brings a new season."""
        return products(season=0 if self._layout == "a" else 1)

    @property
    def product_urls(self) -> tuple[str, ...]:
        """The addresses of all product pages, the same in both layouts."""
        return tuple(f"{self.url}/p/{one.slug}" for one in self.products)

    def switch(self, layout: Layout) -> None:
        """From now on all pages have this layout."""
        self._layout = layout

    def truth(self, url: str) -> dict[str, Any]:
        """The right values of a product page as it is now, as a record of ShopItem."""
        return record(self._product(url.removeprefix(self.url)), self.url)

    def page(self, path: str) -> str | None:
        """The HTML at a path, None where there is nothing."""
        product, listing = _LAYOUTS[self._layout]
        if found := re.fullmatch(r"/(?:catalogue(?:\?page=(\d+))?)?", path):
            number = int(found[1] or 1)
            some = self._slice(number)
            return listing(some, number, self._pages) if some else None
        try:
            one = self._product(path)
        except KeyError:
            return None
        return product(one, related(one, self.products), self.url)

    @property
    def _pages(self) -> int:
        return -(-len(self.products) // PER_PAGE)

    def _slice(self, number: int) -> tuple[Product, ...]:
        return self.products[(number - 1) * PER_PAGE : number * PER_PAGE] if number > 0 else ()

    def _product(self, path: str) -> Product:
        slugs = {f"/p/{one.slug}": one for one in self.products}
        return slugs[path]


def record(one: Product, site: str) -> dict[str, Any]:
    """A product as a record of ShopItem; null where its page says nothing."""
    return {
        "name": one.name,
        "brand": one.brand,
        "sku": one.sku,
        "price": one.cents / 100,
        "regular_price": one.was / 100 if one.was else None,
        "stock": one.stock,
        "rating": one.rating,
        "reviews": one.reviews,
        "badge": one.badge,
        "category": one.path[-1],
        "released": one.released.isoformat(),
        "description": one.description,
        "features": list(one.features),
        "image": site + one.image,
    }


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        shop: Shop = cast(Any, self.server).shop
        html = shop.page(self.path)
        body = (html if html is not None else "<title>Page not found</title><h1>Page not found</h1>").encode()
        self.send_response(200 if html is not None else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """The demo's output is a table, not a server's log."""
