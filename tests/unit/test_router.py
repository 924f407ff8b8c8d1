"""URLs find their family, and an escalated family costs nothing until it has cooled down."""

from __future__ import annotations

import pytest

from crawloop.crawl.healing import held_back
from crawloop.crawl.router import Router, routes
from crawloop.model.family import Family, Status
from crawloop.registry import MemoryStore

ROUTER = Router(
    [
        Family("shop/product", "P@1", urls=("https://shop.example/p/blue-shirt-1", "https://shop.example/item?id=3")),
        Family("shop/number", "P@1", urls=("https://shop.example/p/12",)),
        Family("shop/list", "L@1", urls=("https://shop.example/c/shirts?page=1",)),
    ]
)


@pytest.mark.parametrize(
    ("url", "family"),
    [
        ("https://shop.example/p/green-hat-7", "shop/product"),
        ("http://www.shop.example/p/77/", "shop/number"),
        ("https://shop.example/item?id=9&utm_source=x", "shop/product"),
        ("https://shop.example/item", None),
        ("https://shop.example/c/hats?page=4", "shop/list"),
        ("https://other.example/p/12", None),
        ("https://shop.example/about", None),
    ],
)
def test_a_url_finds_its_family(url: str, family: str | None) -> None:
    assert ROUTER.route(url) == family


def test_fault_13_every_seed_finds_its_own_family() -> None:
    for seed in ("https://shop.example/p?id=3", "https://shop.example/", "https://shop.example/a/b/c.html?x"):
        assert Router([Family("f", "P@1", urls=(seed,))]).route(seed) == "f"


def test_fault_07_an_escalated_family_is_left_alone_until_it_has_cooled_down() -> None:
    family = Family("shop", "P@1", Status.ESCALATED, active=1, cooldown_until="2026-01-02T00:00:00Z")
    why = held_back(family, "2026-01-01T23:59:59Z")
    assert why
    assert "cools down until 2026-01-02T00:00:00Z" in why
    assert held_back(family, "2026-01-02T00:00:00Z") is None
    assert held_back(Family("shop", "P@1", Status.BROKEN, active=1), "2026-01-01T00:00:00Z") is None


def test_a_family_without_a_version_takes_no_url_from_one_that_serves() -> None:
    store = MemoryStore()
    store.save_family(Family("shop/new", "P@1", urls=("https://shop.example/p/9",)))
    assert routes(store).route("https://shop.example/p/9") is None
    store.save_family(Family("shop/product", "P@1", active=1, urls=("https://shop.example/p/8",)))
    assert routes(store).route("https://shop.example/p/9") == "shop/product"
