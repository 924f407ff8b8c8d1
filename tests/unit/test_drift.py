"""What pages say together: a field that some pages lose is noticed, and what changes for good reason is not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from random import Random
from typing import Any

import pytest

from crawloop.contract import Known
from crawloop.crawl.drift import Watch
from crawloop.crawl.report import PageStatus
from crawloop.crawl.verdict.expect import Expectation
from crawloop.crawl.verdict.judge import Judgement, judge
from crawloop.crawl.verdict.reading import Markup, Reading
from crawloop.model.candidate import Run
from crawloop.model.page import Page, Record
from crawloop.shape import marks
from tests.fakes import kettles as shop

EXPECTED = Expectation(shop.version(), shop.SCHEMA, shop.goldens((1, 2, 3, 4, 5)))
NAMES = frozenset(shop.SCHEMA.names)


@cache
def page_marks() -> Any:
    return marks(shop.old_page(1))


def verdict(
    record: Record, known: Record | None = None, markup: Record | None = None, *, is_sample: bool = True
) -> Judgement:
    """Of a page of the learnt layout that says what `record` has; `known` is its past."""
    html, url = shop.old_page(1, **record), record["link"]
    run = Run(url, (record,), None)
    past = () if known is None else (known,)
    said = Markup((markup,), NAMES, is_sample=is_sample) if markup is not None else Markup()
    return judge(Reading(Page(url, html), run, EXPECTED, page_marks(), past, said))


def seen(watch: Watch, judgements: Iterable[Judgement]) -> list[Judgement]:
    return [verdict for one in judgements for verdict in watch.together([one])]


def news(judgements: Iterable[Judgement]) -> list[str]:
    return [name for one in judgements for name in one.news]


def trained(pages: int = 600, record: Callable[[int], Record] = shop.record) -> Watch:
    watch = Watch(EXPECTED)
    assert news(seen(watch, (verdict(record(n)) for n in range(pages)))) == []
    return watch


def test_a_field_that_vanishes_for_good_reason_is_no_alarm() -> None:
    """Half of the products have no badge, and here and there one has no brand."""
    dice = Random(1)

    def record(number: int) -> Record:
        badge = "New" if dice.random() < 0.5 else None
        return shop.record(number, badge=badge, brand=None if dice.random() < 0.02 else f"House {dice.randrange(9)}")

    watch = trained(1_200, record)
    assert not watch.is_sure


def test_a_field_that_one_in_ten_lacks_and_no_golden_page_is_no_alarm() -> None:
    """By chance all golden pages have a brand, and so has what history knows: pages without one are not all right."""
    others = [Known(shop.url(n), (shop.record(n),), shop.AT) for n in range(20, 40)]
    expected = Expectation(shop.version(), shop.SCHEMA, shop.goldens((1, 2, 3, 4, 5)), others)
    dice, watch = Random(6), Watch(expected)
    html = shop.old_page(1)
    for number in range(1_200):
        row = shop.record(number, brand=None if dice.random() < 0.1 else "Nordhaus")
        run = Run(shop.url(1), (row,), None)
        (told,) = watch.together([judge(Reading(Page(shop.url(1), html), run, expected, page_marks()))])
        assert told.news == ()


def test_pages_may_come_in_any_order() -> None:
    """By price, by brand, by the length of the name, and without badges at the end."""

    def record(number: int) -> Record:
        title = f"Kettle number {number}" + " of many" * (number // 400)
        return shop.record(number, price=1.1**number / 1e20, brand=f"House {number // 100}", title=title, badge="New")

    watch = Watch(EXPECTED)
    assert news(seen(watch, (verdict(record(400 + n // 4)) for n in range(400)))) == []


def test_one_page_in_ten_that_loses_one_field_is_noticed_within_a_hundred_pages() -> None:
    watch = trained()
    pages = seen(watch, (verdict(shop.record(n, brand=None if n % 10 == 0 else "Nordhaus")) for n in range(600, 700)))
    assert news(pages) == ["brand: missing"]
    assert watch.is_sure
    last = pages[90]
    assert last.status is PageStatus.PARTIAL
    assert last.lines[-1].startswith("brand: is missing")
    assert pages[91].status is PageStatus.OK


def test_the_same_text_on_some_pages_is_noticed_and_not_served() -> None:
    watch = trained()
    junk = shop.record(0)["title"]
    some = (verdict(shop.record(n, title=junk if n % 5 == 0 else f"Kettle number {n}")) for n in range(600, 800))
    pages = seen(watch, some)
    assert news(pages) == ["title: repeated"]
    assert pages[195].records == (shop.record(795, title=None),)
    assert pages[195].lines[0].startswith("title: is the same as in other records, on about ")
    assert pages[194].records == (shop.record(794),)


def test_a_volatile_field_may_change_and_another_may_not() -> None:
    watch = trained()
    dearer = [verdict(shop.record(n, price=3_000.0 + n), shop.record(n)) for n in range(100)]
    assert news(seen(watch, dearer)) == []
    renamed = [verdict(shop.record(n, brand=f"Quill and {'Sons' * n}"), shop.record(n)) for n in range(100)]
    assert "brand: changed" in news(seen(watch, renamed))


def test_a_record_that_was_known_without_a_badge_says_nothing_of_badges() -> None:
    watch = trained(600, lambda n: shop.record(n, badge="New"))
    bare = [shop.record(n, badge=None) for n in range(100)]
    assert news(seen(watch, (verdict(one, one) for one in bare))) == []
    assert news(seen(watch, map(verdict, bare))) == ["badge: missing"]


def test_markup_counts_where_it_was_asked_whatever_the_page_looks_like() -> None:
    pages = [shop.record(n) for n in range(200)]
    other = [one | {"price": 3.0} for one in pages]
    for is_sample, told in ((True, ["price: markup"]), (False, [])):
        watch = Watch(EXPECTED)
        agreed = (verdict(one, None, one) for one in pages)
        assert news(seen(watch, agreed)) == []
        assert not watch.is_wary
        contradicted = (verdict(one, None, said, is_sample=is_sample) for one, said in zip(pages, other, strict=True))
        assert [one for one in news(seen(watch, contradicted)) if "markup" in one] == told
        assert watch.is_wary is is_sample


def test_what_was_seen_goes_on_with_the_next_crawl() -> None:
    watch = trained()
    night = 0
    while not watch.is_sure:
        night += 1
        watch = Watch(EXPECTED, watch.numbers())
        lost = verdict(shop.record(0, brand=None))
        seen(watch, [*(verdict(shop.record(n)) for n in range(9)), lost])
    assert 3 < night < 20
    assert not Watch(EXPECTED, watch.numbers(), acquitted=True).is_sure


def test_new_pages_after_nights_of_known_ones_are_no_alarm() -> None:
    """Known pages keep their badges, and most new ones have none."""
    dice = Random(5)
    watch = trained(300, lambda n: shop.record(n, badge="New" if dice.random() < 0.3 else None))
    assert not watch.is_sure
    for number in range(3_000):
        one = shop.record(number, badge="New")
        assert news(seen(watch, [verdict(one, one)])) == []
    fresh = (shop.record(n, badge="New" if dice.random() < 0.3 else None) for n in range(5_000, 5_300))
    assert news(seen(watch, map(verdict, fresh))) == []


def test_what_an_older_program_knew_is_taken_up() -> None:
    """It took pages known and new for one sort; what it found broken stays so."""
    share = [500.0, 100.0, 0.0, 0.0, 0.0, 0.0]
    kept = {
        "badge: missing": [*share, 0.0, 3.0, 9.0, 9.0, 9.0, 9.0],
        "brand: missing": [*share, 0.3, 0.0, 9.0, 9.0, 9.0, 9.0],
        "brand: changed": [*share, 0.0, 3.0, 9.0, 9.0, 9.0, 9.0],
    }
    watch = Watch(EXPECTED, kept)
    assert watch.is_sure
    assert watch.numbers().keys() & kept.keys() == {"brand: missing", "brand: changed"}
    again = Watch(EXPECTED, watch.numbers() | {"badge: missing": kept["badge: missing"]})
    assert again.numbers()["badge: missing"] == kept["badge: missing"]


def test_numbers_of_another_program_are_left_alone() -> None:
    watch = Watch(EXPECTED, {"page: drift": [1.0, 2.0]})
    assert news(seen(watch, [verdict(shop.record(9))])) == []


def test_a_text_in_place_of_known_ones_is_noticed_within_a_hundred_pages() -> None:
    """Half of the pages are known, and a new brand stands on many new ones."""
    dice, watch = Random(3), Watch(EXPECTED)

    def page(number: int, title: str | None = None, brand: str = "Nordhaus") -> Judgement:
        now = shop.record(number, brand=brand)
        return verdict(now | {"title": title or now["title"]}, now if number % 2 else None)

    assert news(seen(watch, (page(n) for n in range(600)))) == []
    brands = (page(n, brand="Westhaus" if not n % 2 and dice.random() < 0.4 else "Nordhaus") for n in range(600, 700))
    assert news(seen(watch, brands)) == []
    some = (page(n, "Welcome to our shop" if dice.random() < 0.1 else None) for n in range(700, 800))
    assert news(seen(watch, some))[0] == "title: spread"


@pytest.mark.parametrize("count", [1, 2])
def test_a_page_or_two_that_drift_are_odd(count: int) -> None:
    watch = trained()
    failed = judge(Reading(Page(shop.url(1), ""), Run(shop.url(1), None, None), EXPECTED, page_marks()))
    assert failed.status is PageStatus.DRIFT
    assert news(seen(watch, [failed] * count)) == []
    assert news(seen(watch, [failed] * 2)) == ["page: drift"]


def test_history_is_no_measure_of_how_often_a_field_is_missing() -> None:
    """History knows only pages that were all right: of those that lack a field it would say too little."""
    others = [Known(shop.url(n), (shop.record(n),), shop.AT) for n in range(20, 60)]
    with_others = Expectation(shop.version(), shop.SCHEMA, shop.goldens((1, 2, 3)), others)
    watches = [Watch(one) for one in (EXPECTED, with_others)]
    for watch in watches:
        seen(watch, [verdict(shop.record(9))])
    alone, beside = (watch.numbers()["badge: missing"][:2] for watch in watches)
    assert (alone, beside) == ([5.0, 2.0], [3.0, 1.0])


def test_values_that_come_round_again_are_no_break() -> None:
    """Forty names in turn: none is repeated at first, and beside all pages so far each of them is later."""
    watch = Watch(EXPECTED)
    pages = (verdict(shop.record(n, brand=f"Maker {n % 40}")) for n in range(300))
    assert news(seen(watch, pages)) == []
