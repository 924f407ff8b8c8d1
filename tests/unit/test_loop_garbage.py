"""The garbage collector while runs last: rarer, and as before when the last one ends."""

import asyncio
import gc
from collections.abc import Iterator
from typing import Any

import pytest

from crawloop.loop.driver import Loop
from crawloop.loop.garbage import YOUNG, rarely_collected
from crawloop.loop.states import Task
from crawloop.model.policy import Policy
from tests.fakes.loop import SHOP, Programs, Proposes, Says, candidate, kit
from tests.fakes.site import Site, document

URL = "https://shop.example/1"
RECORD = {"title": "Lamp"}


@pytest.fixture(autouse=True)
def usual() -> Iterator[None]:
    """The thresholds of these tests: not those that the tests are run with."""
    before = gc.get_threshold()
    gc.set_threshold(500, 9, 8)
    yield
    gc.set_threshold(*before)


def test_runs_that_overlap_give_the_collector_back_once() -> None:
    first, second = rarely_collected(), rarely_collected()
    first.__enter__()
    second.__enter__()
    assert gc.get_threshold() == (YOUNG, 9, 8)
    first.__exit__(None, None, None)
    assert gc.get_threshold() == (YOUNG, 9, 8)
    second.__exit__(None, None, None)
    assert gc.get_threshold() == (500, 9, 8)


def test_a_run_that_breaks_gives_it_back() -> None:
    with pytest.raises(ValueError, match="broken"), rarely_collected():
        raise ValueError("broken")
    assert gc.get_threshold() == (500, 9, 8)


@pytest.mark.parametrize("young", [0, YOUNG + 1])
def test_a_collector_that_is_off_or_rarer_stays_so(young: int) -> None:
    gc.set_threshold(young, 9, 8)
    with rarely_collected():
        assert gc.get_threshold() == (young, 9, 8)
    assert gc.get_threshold() == (young, 9, 8)


def test_thresholds_of_someone_else_stay() -> None:
    with rarely_collected():
        gc.set_threshold(300, 3, 3)
    assert gc.get_threshold() == (300, 3, 3)


def test_strategies_propose_under_it() -> None:
    seen: list[int] = []

    def offer(_: Any) -> list[Any]:
        seen.append(gc.get_threshold()[0])
        return [candidate("right", "title")]

    programs = Programs({"right": lambda page: [RECORD]})
    parts = kit(Site({URL: document(URL)}), programs, witnesses=(Says({URL: RECORD}),), strategies=(Proposes(offer),))
    asyncio.run(Loop(parts, Policy(samples=1, min_oracles=1)).run(Task(SHOP, "Product@1", (URL,))))
    assert set(seen) == {YOUNG}
    assert gc.get_threshold() == (500, 9, 8)
