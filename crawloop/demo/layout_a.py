"""The shop before its redesign: server-rendered, with schema.org markup and its state as JSON in the page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape

from crawloop.demo.catalogue import CURRENCY, Product


def amount(cents: int) -> str:
    """As this layout writes money: € 1.299,00."""
    return f"€ {cents / 100:,.2f}".translate(str.maketrans(",.", ".,"))


def product(one: Product, others: Sequence[Product], site: str) -> str:
    """The page of one product."""
    url = f"{site}/p/{one.slug}"
    was = f'<del class="price-was">{amount(one.was)}</del>' if one.was else ""
    badge = f'<span class="badge">{escape(one.badge)}</span>' if one.badge else ""
    stars = f'<div class="stars" title="{one.rating} of 5">{one.reviews} reviews</div>' if one.rating else ""
    features = "".join(f"<li>{escape(feature)}</li>" for feature in one.features)
    body = f"""
<ol class="breadcrumbs"><li><a href="/">Home</a></li><li><a href="/c/{one.path[0].lower()}">{one.path[0]}</a></li>
<li><a href="/c/{one.path[0].lower()}/{one.path[1].lower().replace(" ", "-")}">{one.path[1]}</a></li></ol>
<article class="product" data-id="{one.number}"><img class="main" src="{one.image}" alt="">{badge}
<h1 class="title">{escape(one.name)}</h1><p class="by">by <a href="/b">{escape(one.brand)}</a></p>{stars}
<p class="price"><b class="price-now">{amount(one.cents)}</b> {was}</p>
<p class="stock">{one.stock}</p>
<p class="lead">{escape(one.description)}</p><h2>Good to know</h2><ul class="features">{features}</ul>
<dl class="facts"><dt>Article number</dt><dd>{one.sku}</dd>
<dt>In our shop since</dt><dd>{one.released:%d.%m.%Y}</dd></dl></article>
<section class="related"><h2>You may also like</h2>{"".join(map(_card, others))}</section>"""
    islands = _linked_data(one, url, site) + _state(one, others)
    return _frame(f"{one.name} – Hearth &amp; Hollow", islands, body)


def listing(some: Sequence[Product], page: int, pages: int) -> str:
    """One page of the catalogue."""
    links = "".join(f'<a class="page" href="/catalogue?page={n}">{n}</a>' for n in range(1, pages + 1))
    rows = "".join(map(_card, some))
    return _frame(
        "Catalogue – Hearth &amp; Hollow", "", f'<h1>Catalogue, page {page}</h1><div class="grid">{rows}</div>{links}'
    )


def _card(one: Product) -> str:
    was = f"<del>{amount(one.was)}</del>" if one.was else ""
    return (
        f'<div class="card"><a class="card-link" href="/p/{one.slug}">{escape(one.name)}</a>'
        f'<span class="card-brand">{escape(one.brand)}</span>'
        f'<span class="card-price">{amount(one.cents)}</span>{was}</div>'
    )


def _linked_data(one: Product, url: str, site: str) -> str:
    about: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": one.name,
        "sku": one.sku,
        "brand": {"@type": "Brand", "name": one.brand},
        "image": [site + one.image],
        "description": one.description,
        "releaseDate": one.released.isoformat(),
        "offers": {
            "@type": "Offer",
            "url": url,
            "price": f"{one.cents / 100:.2f}",
            "priceCurrency": CURRENCY,
            "availability": "https://schema.org/" + ("InStock" if one.stock == "In stock" else "OutOfStock"),
        },
    }
    if one.rating:
        about["aggregateRating"] = {
            "@type": "AggregateRating",
            "ratingValue": one.rating,
            "bestRating": 5,
            "reviewCount": one.reviews,
        }
    trail = [{"@type": "ListItem", "position": n, "name": name} for n, name in enumerate(("Home", *one.path), 1)]
    graph = [about, {"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": trail}]
    return "".join(f'<script type="application/ld+json">{_script(part)}</script>' for part in graph)


def _state(one: Product, others: Sequence[Product]) -> str:
    def short(some: Product) -> dict[str, object]:
        return {"id": some.number, "name": some.name, "cents": some.cents, "was": some.was}

    own = short(one) | {"badge": one.badge, "features": one.features, "category": one.path[-1]}
    state = {"locale": "en-IE", "product": own, "related": [short(other) for other in others]}
    return f"<script>window.__SHOP__ = {_script(state)};</script>"


def _script(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).replace("</", "<\\/")


def _frame(title: str, head: str, body: str) -> str:
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>{head}</head>
<body class="shop"><header class="top"><a class="logo" href="/">Hearth &amp; Hollow</a><nav>
<a href="/catalogue?page=1">Catalogue</a><a href="/about">About</a><a href="/login">Log in</a></nav></header>
<main>{body}</main><footer class="end">All prices with VAT. Delivery from € 4,90.</footer></body></html>"""
