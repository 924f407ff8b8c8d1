"""Likeness proposes what stands under the labels of old and looks like the old values; alone it decides nothing."""

import asyncio

import pytest

from crawloop.errors import OracleRefused
from crawloop.model import truth
from crawloop.model.family import Family, Golden
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page, Record
from crawloop.registry import MemoryStore
from crawloop.witness.likeness import LikenessWitness
from crawloop.witness.reconcile import reconcile

SCHEMA = Schema("Product@1", (Field("sku"), Field("weight", Kind.NUMBER), Field("title")))
OLD = "<h1>{title}</h1><dl><dt>Article no.</dt><dd>{sku}</dd><dt>Weight</dt><dd>{weight} kg</dd></dl>"
NEW = "<main><b>{title}</b><table><tr><th>Article no.<td>{sku}<tr><th>Weight<td>{weight}</table></main>"
SHOWN = [("Red chair", "AB-1204", 4.5), ("Oak table", "KD-2210", 21.0), ("Blue stool", "AB-3377", 3.25)]


class Shelf(MemoryStore):
    """A store with a family of three golden pages."""

    def family(self, name: str) -> Family | None:
        return Family(name, "Product@1")

    def goldens(self, family: str, epoch: int | None = None) -> list[Golden]:
        return [
            Golden(family, "", f"https://shop.example/{n}", OLD.format(**one), (one,), 0, 1)
            for n, one in enumerate(records())
        ]


def records() -> list[Record]:
    return [{"title": title, "sku": sku, "weight": weight} for title, sku, weight in SHOWN]


def proposed(html: str, url: str = "https://shop.example/new") -> truth.Testimony | None:
    return asyncio.run(LikenessWitness(Shelf()).testify(Page(url, html), "shop/product", SCHEMA, None))


def test_what_stands_under_an_old_label_and_looks_like_its_values_is_proposed() -> None:
    said = proposed(NEW.format(title="Green desk", sku="KD-9081", weight="12.5"))
    assert said == truth.Testimony("likeness", ({"sku": "KD-9081", "weight": 12.5},), complete=False)


@pytest.mark.parametrize("sku", ["every part has one of its own, " * 30, ""], ids=["foreign", "empty"])
def test_what_does_not_look_like_it_is_not(sku: str) -> None:
    said = proposed(NEW.format(title="Green desk", sku=sku, weight="12.5"))
    assert said == truth.Testimony("likeness", ({"weight": 12.5},), complete=False)


def test_alone_it_is_refused_and_with_a_second_witness_believed() -> None:
    page = Page("https://shop.example/new", NEW.format(title="Green desk", sku="KD-9081", weight="12.5"))
    likeness = truth.Testimony("likeness", ({"sku": "KD-9081", "weight": 12.5},), complete=False)
    with pytest.raises(OracleRefused, match=r"likeness alone \(sku, weight\): a second witness"):
        reconcile(page, (likeness,), SCHEMA)
    markup = truth.Testimony("markup", ({"sku": "KD-9081", "title": "Green desk"},), complete=False)
    claims = reconcile(page, (markup, likeness), SCHEMA).records[0]
    assert claims["sku"].witnesses == ("markup", "likeness")
    assert claims["sku"].supported
    assert not claims["weight"].supported
