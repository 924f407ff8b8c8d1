"""The detector keeps its word: no false alarm sooner than said, however often it is looked at, and breaks are seen."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from statistics import mean, median

import pytest

from crawloop.values.detector import Detector, Tally, Usual, of, restored

KNOWN = Tally(10_000, 0)


def told(rate: float) -> Detector:
    """A detector that tolerates `rate` and goes on doing so."""
    pages = 1e9
    found = Detector([Usual(Tally(pages, rate * pages))])
    assert found.tolerated() == pytest.approx(rate, rel=0.01)
    return found


def run_length(detector: Detector, rate: float, bar: float, dice: Random, most: int = 100_000) -> int:
    """Pages until the alarm."""
    for page in range(1, most):
        if detector.see(float(dice.random() < rate), bar):
            return page
    return most


@pytest.mark.parametrize("rate", [0.01, 0.1, 0.5])
def test_the_mean_run_without_a_change_is_at_least_the_bar(rate: float) -> None:
    """At the very share that is tolerated, the worst that is healthy."""
    dice, bar = Random(20), 200
    runs = [run_length(told(rate), rate, bar, dice) for _ in range(150)]
    assert mean(runs) >= bar


def test_shares_of_lists_keep_the_bar_too() -> None:
    dice, bar, lengths = Random(5), 200, []
    for _ in range(100):
        detector, page = told(0.25), 0
        while not detector.broken and page < 20_000:
            page += 1
            detector.see(dice.choice((0.0, 0.05, 0.2, 0.75)), bar)
        lengths.append(page)
    assert mean(lengths) >= bar


def test_a_share_that_was_learnt_from_few_pages_keeps_the_bar() -> None:
    """Five golden pages and then the family's own: what is tolerated is estimated, and lags."""
    dice, bar = Random(7), 80_000
    alarms = pages = 0
    for rate in (0.0, 0.02, 0.3, 0.6, 0.97):
        detector = of(Tally(), [float(dice.random() < rate) for _ in range(5)])
        for _ in range(12_000):
            pages += 1
            alarms += detector.see(float(dice.random() < rate), bar)
    assert alarms == 0, f"{alarms} in {pages}"


def test_a_full_break_is_seen_at_once_and_a_half_one_within_a_hundred_pages() -> None:
    dice, bar = Random(3), 80_000
    detector = of(Tally(), [0.0] * 5)
    for _ in range(2_000):
        detector.see(0.0, bar)
    assert run_length(deepcopy(detector), 1.0, bar, dice) <= 4
    assert median(run_length(deepcopy(detector), 0.1, bar, dice) for _ in range(40)) <= 60


def test_a_slow_decay_is_seen_against_what_was_long_ago() -> None:
    dice, bar = Random(4), 80_000
    detector = of(Tally(), [0.0] * 5)
    for page in range(8_000):
        if detector.see(float(dice.random() < 0.02 + 0.05 * page / 1_000), bar):
            break
    assert detector.broken
    assert page < 4_000


def test_nothing_is_tolerated_less_than_what_chance_may_bring() -> None:
    assert Tally().at_most == 1
    assert Tally(5, 0).at_most > 0.3
    assert 0.45 < Tally(10, 3).at_most < 0.6
    assert Tally(1e9, 0).at_most < 0.001 < Usual(Tally(1e9, 0)).tolerated


def test_after_an_alarm_it_learns_nothing_until_many_pages_in_a_row_were_good() -> None:
    detector = of(KNOWN)
    while not detector.see(1.0, 80_000):
        pass
    healthy = detector.usual[0].healthy
    for x in (1.0, 0.0, 0.0, 1.0, *[0.0] * 19):
        detector.see(x, 80_000)
        assert detector.broken
    detector.see(0.0, 80_000)
    assert (detector.broken, detector.usual[0].healthy) == (0.0, healthy)
    assert sum(detector.evidence) == 0


def test_what_was_found_to_be_well_is_the_measure_from_then_on() -> None:
    detector = of(KNOWN)
    while not detector.see(1.0, 80_000):
        pass
    detector.acquit()
    for _ in range(5_000):
        detector.see(1.0, 80_000)
        assert not detector.broken


def test_where_more_than_the_ceiling_is_usual_it_only_learns() -> None:
    detector = of(Tally(), [1.0, 0.0, 1.0])
    for _ in range(5_000):
        detector.see(1.0, 80_000, ceiling=0.25)
        assert not detector.broken
    assert detector.tolerated() > 0.9


def test_it_is_stored_as_numbers() -> None:
    detector = of(Tally(3, 1), [0.5])
    for sort in (0, 2, 1):
        for x in (0.1, 0.0, 1.0):
            detector.see(x, 80_000, sort=sort)
        assert restored(detector.numbers()) == detector
    assert restored([1.0, 2.0]) is None
