"""Promotions and golden pages of a small shop, as a run would hand them to a store."""

from __future__ import annotations

import dataclasses
from typing import Any

from crawloop.contract import Store
from crawloop.model.candidate import Candidate
from crawloop.model.events import VersionPromoted
from crawloop.model.family import Family, Golden
from crawloop.model.outcome import Promotion
from crawloop.model.page import Page
from crawloop.model.truth import Claim, Sample, Truth
from crawloop.model.verdict import Verdict

SHOP = Family("shop.example/product", "Product@1", urls=("https://shop.example/p/1",))
T1, T2, T3 = "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z"


def sample(url: str = "https://shop.example/p/1", **values: Any) -> Sample:
    claims = {name: Claim(value, ("examples",)) for name, value in values.items()}
    return Sample(Page(url, "<h1>x</h1>"), Truth(url, (claims,)))


def promotion(*samples: Sample, source: str = "def extract(page): return []", **changes: Any) -> Promotion:
    winner = Candidate(source, "value-path", frozenset({"title", "price"}), plan="{}", notes={"title": ("doubt",)})
    return Promotion(winner, Verdict(winner), samples, **changes)


def golden(case: str, url: str = "https://shop.example/p/1", **changes: Any) -> Golden:
    made = Golden(SHOP.name, case, url, "<h1>Käse\r\n\x00</h1>", ({"title": "Käse", "tags": ["a", "b"]},), 0, 0)
    return dataclasses.replace(made, **changes)


def promote(store: Store, *goldens: Golden, run: str = "r1", at: str = T1, **changes: Any) -> int:
    """Settles a promotion of the shop and returns its number."""
    family = store.family(SHOP.name) or SHOP
    event = VersionPromoted(SHOP.name, at, run, version=0, origin="value-path", evidence={"pages": ["a"]})
    version = store.settle(family, promotion(sample(title="Käse"), **changes), event, goldens, at)
    assert version is not None
    return version.number
