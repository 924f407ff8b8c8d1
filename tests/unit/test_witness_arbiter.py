"""What a stronger model is asked about values on which witnesses differ, and how its choice is read."""

import asyncio
from typing import Any

import pytest

from crawloop.contract import Dispute
from crawloop.llm import ScriptedCompleter
from crawloop.model.kind import Field, Kind
from crawloop.model.page import Page
from crawloop.witness.arbiter import SecondReading

PRICE = Field("price", Kind.MONEY, description="in euros")
PAGE = Page(
    "https://lamps.example/l/1",
    '<h1>Oak lamp</h1><p>Was</p><s class="old">19.00</s><p>Now</p><b class="now">12.50</b>'
    "<p>one</p><p>two</p><p>three</p><footer>Imprint</footer>",
)
DISPUTES = (Dispute(PAGE, PRICE, (12.5, 19.0)), Dispute(PAGE, Field("tags", many=True), (["Now"], ["Was", "Now"])))


def settled(answer: str) -> tuple[dict[int, int], str]:
    completer = ScriptedCompleter([answer])
    found, _ = asyncio.run(SecondReading(completer).settle(DISPUTES, "large"))
    (asked,) = completer.asked
    assert asked.model == "large"
    return dict(found), asked.user


def test_a_dispute_is_shown_with_the_places_of_each_value_and_nothing_else_of_the_page() -> None:
    _, user = settled("{}")
    assert "dispute 1: price on https://lamps.example/l/1" in user
    assert "1: 12.5" in user
    assert "b.now" in user or " b: 12.50" in user
    assert "amid: " in user
    assert "Now | 12.50" in user
    assert "Imprint" not in user.partition("dispute 2")[0]
    assert "in euros" in user


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('{"choices": {"1": 2, "2": 1}}', {0: 1, 1: 0}),
        ('{"choices": {"1": 0, "2": 2}}', {1: 1}),
        ('{"choices": {"1": 3, "2": "1", "9": 1}}', {}),
        ("I cannot tell", {}),
    ],
)
def test_its_choice_is_that_of_one_of_the_values_or_of_none(answer: str, expected: dict[int, Any]) -> None:
    assert settled(answer)[0] == expected
