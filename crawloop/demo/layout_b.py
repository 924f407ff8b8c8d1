"""The shop after its redesign: no JSON at all, other tags, other names, other ways to write money and dates."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from crawloop.demo.catalogue import Product

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def amount(cents: int) -> str:
    """As this layout writes money: 1,299.00 EUR."""
    return f"{cents / 100:,.2f} EUR"


def product(one: Product, others: Sequence[Product], site: str) -> str:
    """The page of one product."""
    badge = f'<em class="ribbon">{escape(one.badge)}</em>' if one.badge else ""
    mean, count = (f'<span class="score-{part}">' for part in ("mean", "count"))
    stars = f'<p class="score">{mean}{one.rating}</span>{count}({one.reviews})</span></p>' if one.rating else ""
    since = f"{one.released.day} {_MONTHS[one.released.month - 1]} {one.released.year}"
    facts = {"Maker": escape(one.brand), "Art. no.": one.sku, "Sold since": since}
    if one.was:
        facts["Before the sale"] = amount(one.was)
    rows = "".join(f"<tr><th>{label}</th><td>{value}</td></tr>" for label, value in facts.items())
    features = "".join(f'<div class="tick">{escape(feature)}</div>' for feature in one.features)
    body = f"""
<p class="trail"><a href="/">Start</a><a href="/s">{one.path[0]}</a><span class="here">{one.path[1]}</span></p>
<div class="sheet"><div class="sheet-media">
<picture><img src="{site}{one.image}" alt="{escape(one.name)}"></picture></div>
<div class="sheet-info">{badge}<h2 class="headline">{escape(one.name)}</h2>
<strong class="cost">{amount(one.cents)}</strong>{stars}
<span class="supply">{one.stock}</span><button class="buy">Add to basket</button>
<div class="story"><p>{escape(one.description)}</p></div><div class="ticks">{features}</div>
<table class="specs">{rows}</table></div></div>
<aside class="more"><h3>More like this</h3><ul>{"".join(map(_tile, others))}</ul></aside>"""
    return _frame(f"Buy {one.name} | Hearth &amp; Hollow", body)


def listing(some: Sequence[Product], page: int, pages: int) -> str:
    """One page of the catalogue."""
    links = "".join(f'<li><a href="/catalogue?page={n}">{n}</a></li>' for n in range(1, pages + 1))
    tiles = "".join(map(_tile, some))
    return _frame(
        "Everything | Hearth &amp; Hollow",
        f'<h2 class="headline">Everything</h2><ul class="tiles">{tiles}</ul><ul class="pager">{links}</ul>',
    )


def _tile(one: Product) -> str:
    was = f"<s>{amount(one.was)}</s>" if one.was else ""
    return (
        f'<li class="tile"><a href="/p/{one.slug}"><span class="tile-name">{escape(one.name)}</span></a>'
        f'<span class="tile-maker">{escape(one.brand)}</span>{was}'
        f'<span class="tile-cost">{amount(one.cents)}</span></li>'
    )


def _frame(title: str, body: str) -> str:
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title></head><body>
<div class="bar"><a href="/">Hearth &amp; Hollow</a> <a href="/catalogue?page=1">Everything</a>
<a href="/login">Sign in</a></div><div class="page">{body}</div>
<div class="fineprint">VAT included. Delivery from 4.90 EUR.</div></body></html>"""
