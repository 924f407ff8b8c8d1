"""A family of product pages in two layouts, its golden pages and its store: what crawls are tested on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from crawloop.model.family import Family, Golden, Status, Version
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Record
from tests.fakes.site import document

NAME = "shop.example/product"
AT = "2026-01-01T00:00:00Z"
SCHEMA = Schema(
    "Product@1",
    (
        Field("title", required=True),
        Field("price", Kind.MONEY, volatile=True),
        Field("badge"),
        Field("brand"),
        Field("link", Kind.URL),
    ),
)
OLD = """def extract(page):
    return [{
        "title": page.text("h1.title"),
        "price": float(page.text(".price").split()[0]),
        "badge": page.text(".badge"),
        "brand": page.text(".brand"),
        "link": page.attr("a.self", "href"),
    }]
"""


def url(number: int) -> str:
    return f"https://shop.example/p/{number}"


def record(number: int, **changes: Any) -> Record:
    made = {
        "title": f"Kettle number {number}",
        "price": 10.5 + number,
        "badge": "New" if number % 2 else None,
        "brand": "Nordhaus",
        "link": f"https://shop.example/p/{number}",
    }
    return made | changes


def old_page(number: int, **changes: Any) -> str:
    """The layout that was learnt. A value of None leaves its element out."""
    said = record(number, **changes)
    parts = [
        f'<h1 class="title">{said["title"]}</h1>' if said["title"] else "",
        f'<b class="price">{said["price"]:.2f} €</b>' if said["price"] else "",
        f'<i class="badge">{said["badge"]}</i>' if said["badge"] else "",
        f'<p class="brand">{said["brand"]}</p>' if said["brand"] else "",
        f'<a class="self" href="{said["link"]}">here</a>',
    ]
    return document(f'<article class="product">{"".join(parts)}</article>')


def new_page(number: int, **changes: Any) -> str:
    """A redesign: `h1.title` now holds the shop's name, the rest has moved."""
    said = record(number, **changes)
    return document(
        f'<h1 class="title">Welcome to our shop</h1><section class="sheet"><h2 class="headline">{said["title"]}</h2>'
        f'<span class="cost">{said["price"]:.2f} EUR</span><em class="maker">{said["brand"]}</em>'
        '<ul class="facts"><li class="fact">Holds 1.2 l</li></ul><div class="footer-note">All with VAT</div></section>'
    )


def version(number: int = 1, source: str = OLD, **changes: Any) -> Version:
    said = {"origin": "dom", "schema_ref": "Product@1", "epoch": number - 1, "created_at": AT} | changes
    return Version(NAME, number, source, fields=said.pop("fields", SCHEMA.names), **said)


def golden(number: int, html: str, records: Sequence[Record], *, of: int = 1) -> Golden:
    return Golden(NAME, f"case-{of}-{number}", url(number), html, tuple(records), of - 1, of, AT)


def goldens(numbers: Sequence[int] = (1, 2, 3), of: int = 1, page: Callable[[int], str] = old_page) -> list[Golden]:
    return [golden(n, page(n), [record(n)], of=of) for n in numbers]


def family(active: int = 1, **changes: Any) -> Family:
    said = {"schema_ref": "Product@1", "status": Status.HEALTHY, "epoch": active - 1, "urls": (url(1),)} | changes
    return Family(NAME, active=active, **said)
