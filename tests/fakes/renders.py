"""Pages rendered from drawn records by drawn templates: what a template put on a page is known to the last sign."""

from __future__ import annotations

import datetime
import html
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Record
from tests.fakes.site import FILLER

HOST = "https://drawn.example"
SCHEMA = Schema(
    "Thing@1",
    (
        Field("title"),
        Field("price", Kind.MONEY),
        Field("released", Kind.DATE),
        Field("brand"),
        Field("weight", Kind.NUMBER),
        Field("colours", many=True),
        Field("manual", Kind.URL),
    ),
)
OPTIONAL = ("released", "brand", "weight", "colours", "manual")
LABELS = {
    "title": ("Product", "Name"),
    "price": ("Price", "Our price", "Costs"),
    "released": ("Released", "On sale since", "Date"),
    "brand": ("Brand", "Made by", "Manufacturer"),
    "weight": ("Weight", "Weight in kg", "Mass"),
    "colours": ("Colours", "Available in"),
    "manual": ("Manual", "Instructions"),
}
PROPS = {"title": "name", "released": "releaseDate", "colours": "color", "manual": "url"}
_WORDS = ("amber", "birch", "copper", "daisy", "elm", "felt", "granite", "hazel", "iron", "jade", "kelp", "linen")
_THINGS = ("lamp", "table", "kettle", "chair", "shelf", "rug", "bowl", "mirror", "stool", "basket")
_MAKERS = ("Nordhaus", "Lumen & Sons", "Deskwise", "Moor", "Atelier Brun", "Karlsson", "O'Hara", "Vetro")


def _money(thousands: str, decimal: str, form: str) -> Callable[[float], str]:
    def write(amount: float) -> str:
        whole = f"{amount:,.2f}".replace(",", "t").replace(".", decimal).replace("t", thousands)
        return form.format(whole)

    return write


def _dated(form: str) -> Callable[[str], str]:
    return lambda day: datetime.date.fromisoformat(day).strftime(form)


MONEY = (
    _money(",", ".", "${}"),
    _money(".", ",", "{} €"),
    _money(" ", ",", "{} kr"),
    _money("", ".", "EUR {}"),
    _money(",", ".", "£{} incl. VAT"),
    _money("'", ".", "CHF {}"),
)
DATES = tuple(map(_dated, ("%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%a, %d %b %Y")))
NUMBERS: tuple[Callable[[float], str], ...] = (
    lambda one: f"{one:g}",
    lambda one: f"{one:g} kg",
    lambda one: f"{one:g}".replace(".", ",") + " kg",
    lambda one: f"approx. {one:g}kg",
)


@st.composite
def records(draw: st.DrawFn, keep: str = "") -> Record:
    """One thing. Optional fields may be None, but for the one to `keep`."""
    words = draw(st.lists(st.sampled_from(_WORDS), min_size=1, max_size=2, unique=True))
    number = draw(st.integers(100, 9999))
    day = draw(st.dates(datetime.date(1995, 1, 1), datetime.date(2025, 12, 31))).isoformat()
    made = {
        "title": f"{' '.join(words)} {draw(st.sampled_from(_THINGS))} {number}".capitalize(),
        "price": draw(st.integers(100, 500_000)) / 100,
        "released": day,
        "brand": draw(st.sampled_from(_MAKERS)),
        "weight": draw(st.integers(1, 900)) / 10,
        "colours": draw(st.lists(st.sampled_from(_WORDS), min_size=1, max_size=4, unique=True)),
        "manual": f"{HOST}/manuals/{number}-{day[:4]}.pdf",
    }
    gone = draw(st.sets(st.sampled_from(OPTIONAL), max_size=2)) - {keep}
    return {name: None if name in gone else value for name, value in made.items()}


@dataclass(frozen=True, slots=True)
class Writing:
    """How values look on a site."""

    money: int
    date: int
    number: int
    between: str

    def of(self, name: str, value: Any) -> str:
        """The value as a visitor sees it, as HTML."""
        if name == "price":
            return html.escape(MONEY[self.money](value))
        if name == "released":
            return DATES[self.date](value)
        if name == "weight":
            return NUMBERS[self.number](value)
        if name == "colours":
            return html.escape(self.between.join(value))
        if name == "manual":
            return f'<a href="{value.removeprefix(HOST)}">Download</a>'
        return html.escape(str(value))


def writings() -> st.SearchStrategy[Writing]:
    sizes = (st.integers(0, len(forms) - 1) for forms in (MONEY, DATES, NUMBERS))
    return st.builds(Writing, *sizes, st.sampled_from((", ", " / ", " | ")))


def bare(name: str, value: Any) -> str:
    """The value as markup has it."""
    return f"{value:.2f}" if name == "price" else ", ".join(value) if isinstance(value, list) else str(value)


@dataclass(frozen=True, slots=True)
class Detail:
    """A template of pages of one thing. `carriers` says by field how it is shown; `island` what stands in JSON too."""

    carriers: Mapping[str, str]
    labels: Mapping[str, str]
    writing: Writing
    island: tuple[str, ...]
    heading: str
    related: str
    was: bool
    shop: str

    def page(self, one: Record, others: Sequence[Record]) -> str:
        """The page of `one`, with `others` as related things."""
        body = [f"<nav><a href='/'>Home</a> <a href='/all'>All things</a></nav>{self._heading(one)}"]
        blocks: dict[str, list[str]] = {"dl": [], "table": [], "p": [], "plain": []}
        for name in self.carriers:
            if one[name] is not None:
                block, markup = self._shown(name, one[name])
                blocks[block].append(markup)
        if self.was and int(one["price"]) % 2:
            old = self.writing.of("price", round(one["price"] * 1.25 + 1, 2))
            blocks["plain"].insert(0, f'<p class="before">instead of <s>{old}</s></p>')
        body.append("".join(blocks["plain"]))
        body.append(f"<dl>{''.join(blocks['dl'])}</dl><table>{''.join(blocks['table'])}</table>{''.join(blocks['p'])}")
        related = self._related(others)
        first, last = (related, "") if self.related == "before" else ("", related)
        head = f"<title>{html.escape(one['title'])} | {self.shop}</title>{self._metas(one)}{self._json(one)}"
        return (
            f"<!doctype html><html><head><meta charset=utf-8>{head}</head><body>{first}"
            f'<main itemscope itemtype="https://schema.org/Product">{"".join(body)}</main>{last}{FILLER}</body></html>'
        )

    def _heading(self, one: Record) -> str:
        return self.heading.format(html.escape(one["title"]))

    def _shown(self, name: str, value: Any) -> tuple[str, str]:
        """The block in which a field is shown, and its markup."""
        text, label = self.writing.of(name, value), self.labels[name]
        match self.carriers[name]:
            case "dl":
                return "dl", f"<dt>{label}</dt><dd>{text}</dd>"
            case "table":
                return "table", f"<tr><th>{label}</th><td>{text}</td></tr>"
            case "line":
                return "p", f"<p>{label}: {text}</p>"
            case "bold":
                return "p", f"<p><b>{label}:</b> {text}</p>"
            case "class":
                return "plain", f'<div class="{name}">{text}</div>'
            case "hashed":
                return "plain", f'<div class="{name}__x7Gk2">{text}</div>'
            case "itemprop" if name not in ("released", "manual"):
                return "plain", f'<span itemprop="{PROPS.get(name, name)}">{text}</span>'
            case "items" if name == "colours":
                return "plain", f'<ul class="{name}">{"".join(f"<li>{html.escape(one)}</li>" for one in value)}</ul>'
        return "plain", f'<p class="field-{name}">{text}</p>'

    def _metas(self, one: Record) -> str:
        names = [name for name, carrier in self.carriers.items() if carrier == "meta" and one[name] is not None]
        return "".join(f'<meta name="thing:{name}" content="{html.escape(bare(name, one[name]))}">' for name in names)

    def _json(self, one: Record) -> str:
        said = {PROPS.get(name, name): one[name] for name in self.island if one[name] is not None}
        if not said:
            return ""
        if "price" in said:
            said["offers"] = {"@type": "Offer", "price": f"{said.pop('price'):.2f}", "priceCurrency": "EUR"}
        island = {"@context": "https://schema.org", "@type": "Product", **said}
        return f'<script type="application/ld+json">{json.dumps(island)}</script>'

    def _related(self, others: Sequence[Record]) -> str:
        """Cards of other things, which look like the main one where the template is unkind."""
        if self.related == "none":
            return ""
        cards = "".join(
            f'<div class="card"><a class="title" href="/p/{n}">{html.escape(one["title"])}</a>'
            f'<div class="price">{self.writing.of("price", one["price"])}</div></div>'
            for n, one in enumerate(others)
        )
        return f"<aside><h2>You may also like</h2>{cards}</aside>"


_OF_LINKS = ("class", "hashed", "meta")


@dataclass(frozen=True, slots=True)
class Listing:
    """A template of pages of many things: the fields that are `shown`, in their order, beside the linked title."""

    form: str
    shown: tuple[str, ...]
    writing: Writing
    labels: Mapping[str, str]
    is_labelled: bool
    ads: bool
    aside: bool

    @property
    def schema(self) -> Schema:
        names = ("title", "manual", *self.shown)
        return Schema("Row@1", tuple(one for one in SCHEMA.fields if one.name in names))

    def kept(self, one: Record) -> Record:
        """What the template shows of a thing. It has a link always."""
        return {name: one[name] for name in self.schema.names}

    def page(self, rows: Sequence[Record], others: Sequence[Record]) -> str:
        """The page of `rows`; `others` are in a box beside them."""
        parts = [getattr(self, f"_{self.form}")(one) for one in rows]
        if self.ads and len(parts) > 1:
            parts.insert(len(parts) // 2, _ADS[self.form])
        head = "".join(f"<th>{self.labels[name]}</th>" for name in ("title", *self.shown))
        body = _AROUND[self.form].format(rows="".join(parts), head=head)
        links = "".join(f'<li><a href="/p/{n}">{html.escape(one["title"])}</a></li>' for n, one in enumerate(others))
        aside = f"<aside><h2>Popular</h2><ul>{links}</ul></aside>" if self.aside else ""
        return (
            f"<!doctype html><html><head><title>All things</title></head><body><nav><ul><li><a href='/'>Home</a></li>"
            f"<li><a href='/all'>All</a></li></ul></nav><main><h1>All things</h1>{body}</main>{aside}"
            f"{FILLER}</body></html>"
        )

    def _link(self, one: Record) -> str:
        return f'<a href="{one["manual"].removeprefix(HOST)}">{html.escape(one["title"])}</a>'

    def _facts(self, one: Record, form: str) -> str:
        """The shown fields that the thing has, each in an element of that form."""
        facts = []
        for name in self.shown:
            if one[name] is not None:
                label = f"{self.labels[name]}: " if self.is_labelled else ""
                facts.append(form.format(name=name, text=label + self.writing.of(name, one[name])))
        return "".join(facts)

    def _table(self, one: Record) -> str:
        cells = (self.writing.of(name, one[name]) if one[name] is not None else "" for name in self.shown)
        return f"<tr><td>{self._link(one)}</td>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"

    def _cards(self, one: Record) -> str:
        facts = self._facts(one, '<p class="{name}">{text}</p>')
        return f'<div class="card"><h3>{self._link(one)}</h3>{facts}</div>'

    def _terms(self, one: Record) -> str:
        return f"<dt>{self._link(one)}</dt>" + self._facts(one, '<dd class="{name}">{text}</dd>')

    def _nested(self, one: Record) -> str:
        facts = self._facts(one, '<li class="{name}">{text}</li>')
        return f'<li class="thing">{self._link(one)}<ul class="facts">{facts}</ul></li>'

    def _pairs(self, one: Record) -> str:
        facts = self._facts(one, '<span class="{name}">{text}</span> ')
        return f'<tr class="name"><td>{self._link(one)}</td></tr><tr class="more"><td>{facts}</td></tr>'


_AROUND = {
    "table": '<table class="things"><tr>{head}</tr>{rows}</table>',
    "cards": '<div class="grid">{rows}</div>',
    "terms": '<dl class="things">{rows}</dl>',
    "nested": '<ul class="things">{rows}</ul>',
    "pairs": '<table class="things">{rows}</table>',
}
_ADS = {
    "table": '<tr class="ad"><td colspan="9">Advertisement</td></tr>',
    "cards": '<div class="ad"><p>Advertisement</p></div>',
    "terms": '<dt class="ad">Advertisement</dt>',
    "nested": '<li class="ad">Advertisement</li>',
    "pairs": '<tr class="ad"><td>Advertisement</td></tr>',
}


@st.composite
def listings(draw: st.DrawFn) -> Listing:
    """A template of listings."""
    names = draw(st.permutations(("price", "released", "brand", "weight")))
    return Listing(
        draw(st.sampled_from(tuple(_AROUND))),
        tuple(names[: draw(st.integers(1, 4))]),
        draw(writings()),
        {name: draw(st.sampled_from(labels)) for name, labels in LABELS.items()},
        draw(st.booleans()),
        draw(st.booleans()),
        draw(st.booleans()),
    )


_CARRIERS = ("dl", "table", "line", "bold", "class", "hashed", "itemprop", "meta")


@st.composite
def details(draw: st.DrawFn) -> Detail:
    """A template of detail pages. A link has a carrier that names it: a label names the text beside it only."""
    names = [one for one in SCHEMA.names if one != "title"]
    carriers = {
        name: draw(st.sampled_from(_OF_LINKS if name == "manual" else _CARRIERS))
        for name in draw(st.permutations(names))
    }
    if draw(st.booleans()):
        carriers["colours"] = "items"
    writing = draw(writings())
    return Detail(
        carriers,
        {name: draw(st.sampled_from(labels)) for name, labels in LABELS.items()},
        writing,
        tuple(sorted(draw(st.sets(st.sampled_from(SCHEMA.names))))) if draw(st.booleans()) else (),
        draw(st.sampled_from(("<h1>{}</h1>", '<h1 class="title">{}</h1>', '<div class="title">{}</div>'))),
        draw(st.sampled_from(("none", "before", "after"))),
        draw(st.booleans()),
        draw(st.sampled_from(("Drawn Shop", "Things"))),
    )
