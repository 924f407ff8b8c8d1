"""A small shop in two layouts: an old one with JSON-LD, and a redesign without any island, under the same URLs."""

from __future__ import annotations

import html
import json
from typing import Any

from tests.fakes.site import document

HOST = "https://shop.example"
FAMILY = "shop.example/product"
SCHEMA = """
from typing import ClassVar
from pydantic import BaseModel, Field


class Product(BaseModel):
    VOLATILE: ClassVar[set[str]] = {"price"}

    title: str = Field(description="The product's name")
    price: float | None = Field(None, description="What it costs, in euros")
    sku: str | None = Field(None, description="The number of the article")
    material: str | None = Field(None, description="What it is made of")
"""
_NAMES = [
    "Brass Kettle",
    "Oak Table",
    "Wool Blanket",
    "Copper Pan",
    "Linen Towel",
    "Cork Tray",
    "Iron Hook",
    "Clay Bowl",
]
_MADE_OF = ["brass", "oak", "wool", "copper", "linen", "cork", "iron", "clay"]


def url(number: int) -> str:
    return f"{HOST}/p/{number}"


def product(number: int) -> dict[str, Any]:
    """The right record of a page."""
    return {
        "title": f"{_NAMES[number % 8]} No. {number}",
        "price": 19.9 + 7 * number,
        "sku": f"KX-{4100 + 37 * number}",
        "material": f"solid {_MADE_OF[number % 8]}, batch {number}",
    }


def old_page(number: int) -> str:
    """The first layout: JSON-LD, and the same values in the markup beside other products."""
    one = product(number)
    island = {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": one["title"],
        "sku": one["sku"],
        "material": one["material"],
        "offers": {"@type": "Offer", "price": f"{one['price']:.2f}", "priceCurrency": "EUR"},
    }
    text = {name: html.escape(str(value)) for name, value in one.items()}
    return document(
        f'<script type="application/ld+json">{json.dumps(island)}</script>'
        f'<article class="product"><h1 class="product-title">{text["title"]}</h1>'
        f'<p class="cost">{one["price"]:.2f} EUR</p>'
        f"<table><tr><th>Article</th><td>{text['sku']}</td></tr>"
        f"<tr><th>Material</th><td>{text['material']}</td></tr></table></article>{_others(number)}"
    )


def new_page(number: int) -> str:
    """The redesign: no island, other tags, other classes, other labels."""
    one = product(number)
    text = {name: html.escape(str(value)) for name, value in one.items()}
    return document(
        f'<section id="detail"><h2 class="headline">{text["title"]}</h2>'
        f"<dl><dt>Made of</dt><dd>{text['material']}</dd><dt>Ref.</dt><dd>{text['sku']}</dd></dl>"
        f'<div class="buy"><span class="amount">€ {one["price"]:.2f}</span><button>Add to basket</button></div>'
        f"</section>{_others(number)}"
    )


def _others(number: int) -> str:
    """Links to other products with their prices: siblings for discovery, traps for induction."""
    rows = "".join(
        f'<li><a href="/p/{other}">{product(other)["title"]}</a> <b>{product(other)["price"]:.2f}</b></li>'
        for other in range(number + 1, number + 4)
    )
    return f'<aside><h3>Also bought</h3><ul class="also">{rows}</ul></aside>'
