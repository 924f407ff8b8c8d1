"""Values that come back: one that stands in for others is noticed, and what comes back by nature is not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count
from random import Random

import pytest

from crawloop.crawl.recurring import Recurring
from crawloop.crawl.verdict.moved import Beside


class Shop:
    """Pages one after the other; `is_followed` ones that are known from before come between them."""

    def __init__(self) -> None:
        self.recurring = Recurring({})
        self._urls = count()

    def page(self, brand: str, past: str | None = None, url: str | None = None) -> dict[str, float]:
        beside = [] if past is None else [Beside("brand", past != brand)]
        number = next(self._urls)
        row = {"brand": brand, "number": number}
        return dict(self.recurring.symptoms(url or f"https://shop.example/p/{number}", [row], beside))

    def told(self, brands: Iterable[str]) -> list[float | None]:
        return [self.page(brand).get("brand: repeated") for brand in brands]

    def filled(self) -> Shop:
        assert self.told(f"House {number}" for number in range(64)) == [None] * 64
        return self

    def followed(self) -> Shop:
        """Half of the pages are known."""
        self.filled()
        for number in range(32):
            self.page(f"Home {number}", f"Home {number}")
            self.page(f"Hall {number}")
        return self


def test_the_third_page_with_one_value_says_that_it_comes_back() -> None:
    shop = Shop().filled()
    assert shop.told(["A", "x", "A", "y", "A", "z", "A"]) == [0, 0, 0, 0, 1, 0, 1]


@pytest.mark.parametrize("after", [33, 40, 64, 90])
def test_values_that_come_round_after_many_pages_do_not_come_back(after: int) -> None:
    assert not any(Shop().told(f"House {number % after}" for number in range(400)))


def test_where_values_come_round_sooner_they_always_did() -> None:
    """So that it is known to be usual: nothing is said before."""
    assert set(Shop().told(f"House {number % 20}" for number in range(400))) == {None, 1.0}


def test_a_row_of_pages_counts_as_one_until_it_is_long() -> None:
    shop = Shop().filled()
    assert shop.told(["New"] * 24) == [0, *[None] * 23]
    assert shop.told(["New"] * 3) == [1, 1, 1]
    assert shop.told(["x", "New"]) == [0, 0], "it is the second row"


def test_a_page_that_is_seen_again_is_no_other_page() -> None:
    shop = Shop().filled()
    for _ in range(5):
        assert shop.page("A", url="https://shop.example/a")["brand: repeated"] == 0
        shop.page(f"House {_}")


def test_values_of_new_pages_say_nothing_where_pages_are_known() -> None:
    """A new brand: it took no other one's place."""
    shop = Shop().followed()
    for number in range(40):
        assert shop.page("New" if number % 2 else f"House {number}")["brand: spread"] == 0
        assert shop.page(f"Home {number}", f"Home {number}")["brand: spread"] == 0


def test_a_value_that_takes_the_place_of_others_spreads() -> None:
    shop = Shop().followed()
    assert shop.page("Welcome", "Home 1")["brand: spread"] == 0
    assert shop.page("Hall 1", "Hall 1")["brand: spread"] == 0
    assert shop.page("Welcome")["brand: spread"] == 1
    shop.page("x")
    assert shop.page("Welcome", "Home 2")["brand: spread"] == 1


def test_a_value_that_is_confirmed_on_other_pages_does_not_spread() -> None:
    shop = Shop().followed()
    assert shop.page("Nordhaus", "Nordhaus")["brand: spread"] == 0
    for number in range(9):
        shop.page(f"x {number}")
        assert shop.page("Nordhaus", f"Home {number}")["brand: spread"] == 0


def test_one_correction_convicts_few_pages() -> None:
    """A known page got a brand that new pages have here and there."""
    shop, dice = Shop().followed(), Random(1)
    shop.page("Nordhaus", "Home 1")
    spread = 0.0
    for number in range(60):
        shop.page(f"Home {number}", f"Home {number}")
        spread += shop.page("Nordhaus" if dice.random() < 0.3 else f"x {number}").get("brand: spread", 0)
    assert spread <= 4


def rows(brands: Sequence[str | None]) -> dict[str, float]:
    records = [{"brand": brand, "number": n} for n, brand in enumerate(brands)]
    return dict(Recurring({}).symptoms("https://shop.example/all", records, ()))


def test_a_page_of_several_records_is_looked_at_by_itself() -> None:
    assert rows(["A", "B", "C", None]) == {"brand: repeated": 0, "number: repeated": 0, "page: identical": 0}
    assert rows(["A", "A", "A", "B"])["brand: repeated"] == 0.5
    assert dict(Recurring({}).symptoms("u", [{"a": 1}, {"a": 1}], ())) == {"a: repeated": 0.5, "page: identical": 0.5}
    assert dict(Recurring({}).symptoms("u", [], ())) == {}


def test_what_was_seen_goes_on_with_the_next_crawl() -> None:
    brands = [f"House {number % 50}" for number in range(90)] + ["A", "b", "A", "c", "A"]
    shop, nightly = Shop(), Shop()
    for brand in brands:
        nightly.recurring = Recurring(nightly.recurring.numbers())
        assert shop.page(brand) == nightly.page(brand)
    assert shop.recurring.numbers() == nightly.recurring.numbers()
