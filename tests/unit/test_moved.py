"""Fields that moved on every page of a crawl are doubted: selectors that a redesign kept may hold something else."""

from __future__ import annotations

from typing import Any

from crawloop.crawl.drift import Watch
from crawloop.crawl.report import PageStatus
from crawloop.crawl.verdict.expect import Expectation
from crawloop.crawl.verdict.judge import Judgement, judge
from crawloop.crawl.verdict.reading import Markup, Reading
from crawloop.model.candidate import Run
from crawloop.model.page import Page
from crawloop.shape import marks
from tests.fakes import kettles as shop

EXPECTED = Expectation(shop.version(), shop.SCHEMA, shop.goldens(), ())


def verdicts(*numbers: int, **changes: Any) -> list[Judgement]:
    """What a crawl says of pages whose past is known; `changes` map a field to a function of its old value."""
    found = []
    for number in numbers:
        old = shop.record(number)
        new = old | {name: change(old[name]) for name, change in changes.items()}
        html = shop.old_page(number, **new)
        run = Run(shop.url(number), (new,), None)
        found.append(judge(Reading(Page(shop.url(number), html), run, EXPECTED, marks(html), (old,), Markup())))
    return Watch(EXPECTED).together(found)


def renamed(name: str) -> str:
    return f"Welcome to the house of {name}"


def test_a_name_that_changed_on_every_known_page_is_doubted_and_served() -> None:
    for one in verdicts(11, 12, 13, 14, 15, title=renamed):
        assert one.status is PageStatus.PARTIAL
        assert one.lines == ("title: may be another value: on none of 5 known pages is it what it was",)
        assert str(one.records[0]["title"]).startswith("Welcome")


def test_a_few_pages_or_one_that_kept_its_name_are_no_ground_for_doubt() -> None:
    assert {one.status for one in verdicts(11, 12, 13, title=renamed)} == {PageStatus.OK}
    kept = lambda name: name if name.endswith("13") else renamed(name)  # noqa: E731
    assert {one.status for one in verdicts(11, 12, 13, 14, 15, title=kept)} == {PageStatus.OK}


def test_one_factor_on_all_prices_is_doubted_and_prices_that_move_freely_are_not() -> None:
    for one in verdicts(11, 12, 13, 14, 15, price=lambda price: round(price / 1.19, 2)):
        assert one.status is PageStatus.PARTIAL
        assert one.lines == ("price: may be another value: it is 0.8404 times what was known, on all pages",)
        assert one.records[0]["price"] is not None
    assert {one.status for one in verdicts(11, 12, 13, 14, 15, price=lambda price: price + 2)} == {PageStatus.OK}
