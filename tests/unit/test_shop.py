"""The bundled shop: a real server whose pages really hold the values that it claims to be right."""

import re
import urllib.error
import urllib.request
from html import unescape
from urllib.parse import urljoin

import pytest

from crawloop.crawl.charset import decode
from crawloop.demo.catalogue import products
from crawloop.demo.shop import Layout, Shop
from crawloop.demo.shop_item import ShopItem
from crawloop.model.page import Page
from crawloop.shape import likeness, marks, siblings
from crawloop.triage import PageKind, triage


def get(url: str) -> str:
    with urllib.request.urlopen(url) as answer:
        return decode(answer.read(), answer.headers["Content-Type"])


@pytest.mark.parametrize("look", ["a", "b"])
def test_every_page_holds_its_right_values(look: Layout) -> None:
    with Shop(look) as shop:
        assert len(shop.product_urls) == 40
        for url in shop.product_urls:
            html = get(url)
            text = unescape(re.sub(r"<[^<>]*>", " ", html))
            truth = shop.truth(url)
            ShopItem.model_validate(truth)
            for name in ("name", "brand", "sku", "category", "description", "badge", "stock"):
                assert truth[name] is None or truth[name] in text
            assert all(feature in text for feature in truth["features"])
            decimals = f"{truth['price']:,.2f}"
            assert (decimals if look == "b" else decimals.translate(str.maketrans(",.", ".,"))) in text
            assert triage(Page(url, html)) == (PageKind.REAL, "")


def test_catalogue_pages_lead_to_all_products() -> None:
    with Shop() as shop:
        first, *others = [f"{shop.url}/catalogue?page={n}" for n in range(1, 5)]
        pages = [get(url) for url in (first, *others)]
        links = [url for page in pages for url in dict.fromkeys(re.findall(r'href="([^"]*/p/[^"]+)"', page))]
        assert [urljoin(first, link) for link in links] == list(shop.product_urls)
        assert siblings(first, pages[0], 10) == others


def test_a_product_page_leads_to_its_siblings_only() -> None:
    with Shop() as shop:
        found = siblings(shop.product_urls[0], get(shop.product_urls[0]), 10)
        assert len(found) == 3
        assert set(found) < set(shop.product_urls)


def test_the_redesign_keeps_addresses_and_changes_all_else() -> None:
    with Shop() as shop:
        urls = shop.product_urls
        before, was = get(urls[3]), [shop.truth(url) for url in urls]
        shop.switch("b")
        after, now = get(urls[3]), [shop.truth(url) for url in urls]
        assert shop.product_urls == urls
        assert "application/ld+json" in before
        assert "<script" not in after
        assert likeness(marks(before), marks(after)) < 0.1
        changed = {name for old, new in zip(was, now, strict=True) for name in old if old[name] != new[name]}
        assert changed <= ShopItem.VOLATILE
        assert 3 < sum(old["price"] != new["price"] for old, new in zip(was, now, strict=True)) < 12


def test_what_is_not_there_is_a_404() -> None:
    with Shop() as shop:
        for path in ("/p/no-such-lamp-1", "/catalogue?page=99", "/login"):
            with pytest.raises(urllib.error.HTTPError, match="404"):
                get(shop.url + path)


def test_some_have_no_badge_rating_or_sale() -> None:
    some = products()
    assert products() == some
    for name in ("badge", "rating", "was"):
        assert 5 <= sum(getattr(one, name) is None for one in some) < 35
