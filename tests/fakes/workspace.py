"""A workspace on disk with a family that was promoted by hand, and its pages as a folder archive."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from crawloop.app import open_workspace
from crawloop.model.events import VersionPromoted
from crawloop.model.family import Family, Golden, Status
from crawloop.model.outcome import Promotion
from crawloop.model.page import Record
from crawloop.model.verdict import Verdict
from crawloop.registry import SqlStore
from tests.fakes import kettles as shop
from tests.fakes.loop import candidate
from tests.fakes.site import document as document

SHELVES = "shop.example/list"
SCHEMA = """
from typing import ClassVar
from pydantic import BaseModel, Field

class Product(BaseModel):
    VOLATILE: ClassVar[set[str]] = {"price"}

    title: str
    price: float | None = None
    badge: str | None = None
    brand: str | None = None
    link: str | None = Field(None, json_schema_extra={"format": "uri-reference"})
"""
NEW = """def extract(page):
    return [{
        "title": page.text("h2.headline"),
        "price": float(page.text(".cost").split()[0]),
        "badge": None,
        "brand": page.text(".maker"),
        "link": page.url,
    }]
"""


def workspace(folder: Path) -> Path:
    """Only the schema: that is enough to be a workspace."""
    (folder / "schemas").mkdir(parents=True)
    (folder / "schemas" / "product.py").write_text(SCHEMA)
    return folder


def promote(
    folder: Path, source: str = shop.OLD, *, numbers: Sequence[int] = (1, 2, 3), new_epoch: bool = False
) -> None:
    """Promotes the next version of the shop's family, with golden pages of its layout."""
    store = SqlStore(f"sqlite:///{folder / 'registry.db'}", folder / "fixtures")
    page = shop.new_page if new_epoch else shop.old_page
    changes = {"badge": None} if new_epoch else {}
    goldens = [replace(shop.golden(n, page(n), [shop.record(n, **changes)]), case="", version=0) for n in numbers]
    winner = replace(candidate(source, *shop.SCHEMA.names, origin="dom"), notes={"title": ("h1.title: 3 of 3 pages",)})
    family = store.family(shop.NAME) or shop.family(active=1, epoch=0)
    family = replace(family, active=family.active if store.family(shop.NAME) else None)
    event = VersionPromoted(shop.NAME, shop.AT, "run", 0, "dom", {"winner": {"source": source}})
    store.settle(family, Promotion(winner, Verdict(winner), (), new_epoch=new_epoch), event, goldens, shop.AT)
    store.close()


def promote_shelves(
    folder: Path, schema: str, source: str, shelves: Sequence[tuple[str, str, Sequence[Record]]]
) -> None:
    """Gives the workspace a second family: its schema module, its program, its golden pages as (URL, HTML, records)."""
    (folder / "schemas" / "shelf.py").write_text(schema)
    goldens = [Golden(SHELVES, "", url, html, tuple(rows), 0, 0, shop.AT) for url, html, rows in shelves]
    family = Family(SHELVES, "Shelf@1", Status.NEW, epoch=0, urls=(shelves[0][0],))
    event = VersionPromoted(SHELVES, shop.AT, "run", 0, "dom")
    with open_workspace(folder) as made:
        winner = candidate(source, *made.schema("Shelf@1").names, origin="dom")
        made.store.settle(family, Promotion(winner, Verdict(winner), ()), event, goldens, shop.AT)


def archive(folder: Path, pages: dict[str, str]) -> Path:
    """Saves pages by URL, as --archive takes them."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, (url, html) in enumerate(pages.items()):
        (folder / f"{number}.html").write_text(html)
        (folder / f"{number}.json").write_text(json.dumps({"url": url}))
    return folder


def old_pages(*numbers: int) -> dict[str, str]:
    return {shop.url(n): shop.old_page(n) for n in numbers}


def new_pages(*numbers: int) -> dict[str, str]:
    return {shop.url(n): shop.new_page(n) for n in numbers}
