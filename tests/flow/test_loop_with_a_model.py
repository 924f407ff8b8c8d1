"""The loop with programs that a model wrote: tiers, feedback, and programs that must never be promoted."""

from pathlib import Path

import pytest

from crawloop.llm.scripted import Asked, ScriptedCompleter
from crawloop.model.family import Status
from crawloop.model.outcome import Escalation, Promotion, Reason
from crawloop.model.policy import Policy
from crawloop.registry import MemoryStore
from crawloop.sandbox import ProcessSandbox
from tests.fakes import shop
from tests.fakes.house import House, Scribe, writer
from tests.fakes.site import Site

RIGHT = """
def extract(page):
    return [{
        "title": page.text("h1.product-title"),
        "price": number(page.text(".cost")),
        "sku": page.labelled("Article"),
        "material": page.labelled("Material"),
    }]
"""
RAISES = """
def extract(page):
    row = {"title": page.text("h1.product-title")}
    row["price"] = float(page.text(".no-such-place"))
    return [row]
"""
TIERS = Policy(models=("small", "large"), max_rounds=2)


def site(numbers: range = range(1, 7)) -> Site:
    return Site({shop.url(n): shop.old_page(n) for n in numbers})


def house(tmp_path: Path, sandbox: ProcessSandbox, completer: ScriptedCompleter) -> House:
    parts = writer(Scribe(completer))
    return House(tmp_path, site(), MemoryStore(tmp_path / "fixtures"), sandbox, parts=parts)


def test_fault_09_a_cheap_tier_fails_and_the_strong_one_promotes(tmp_path: Path, sandbox: ProcessSandbox) -> None:
    completer = ScriptedCompleter(lambda asked: RIGHT if asked.model == "large" else RAISES)
    place = house(tmp_path, sandbox, completer)
    ending = place.run(1, 2, 3, 4, 5, policy=TIERS)
    assert isinstance(ending, Promotion)
    assert place.family.status is Status.HEALTHY
    assert [asked.model for asked in completer.asked] == ["small", "small", "large"]
    assert [one["model"] for one in place.told("TierFailed")] == ["small"]
    assert place.told("FamilyEscalated") == []
    assert isinstance(place.fetcher, Site)
    assert set(place.fetcher.fetched.values()) == {1}, "a second tier fetches nothing"
    assert place.active.model == "large"


def test_fault_12_the_next_round_is_told_the_exception_with_its_line(tmp_path: Path, sandbox: ProcessSandbox) -> None:
    completer = ScriptedCompleter([RAISES, RIGHT])
    ending = house(tmp_path, sandbox, completer).run(1, 2, 3, 4, 5, policy=TIERS)
    assert isinstance(ending, Promotion)
    assert ending.rounds == 2
    assert "TypeError" in completer.asked[1].user
    assert "line 4" in completer.asked[1].user


def test_fault_12_the_next_round_is_told_field_expected_and_got(tmp_path: Path, sandbox: ProcessSandbox) -> None:
    wrong = RIGHT.replace('page.labelled("Material")', 'page.text(".also a")').replace('page.text(".cost")', '"1"')
    completer = ScriptedCompleter([wrong.replace('page.labelled("Article")', '"KX"'), RIGHT])
    ending = house(tmp_path, sandbox, completer).run(1, 2, 3, 4, 5, policy=TIERS)
    assert isinstance(ending, Promotion)
    told = completer.asked[1].user
    assert "price: " in told
    assert "expected 26.9, got 1" in told
    assert shop.url(1) in told


def hard_coded(numbers: range) -> str:
    """The right answers of these pages, by URL; of others it reads nothing."""
    answers = {shop.url(number): shop.product(number) for number in numbers}
    return f"def extract(page):\n    answers = {answers!r}\n    return [answers.get(page.url, {{}})]\n"


@pytest.mark.parametrize("count", [2, 3, 5])
def test_fault_14_answers_by_url_are_never_promoted(tmp_path: Path, sandbox: ProcessSandbox, count: int) -> None:
    strategy = Scribe(ScriptedCompleter(lambda asked: ""))
    place = House(tmp_path, site(), MemoryStore(), sandbox, parts=writer(strategy))

    def from_what_it_was_shown(asked: Asked) -> str:
        shown = [one.page.url for one in strategy.briefs[-1].samples]
        return hard_coded(range(1, 1 + len(shown)))

    strategy.completer = ScriptedCompleter(from_what_it_was_shown)
    policy = Policy(models=("small",), max_rounds=1, min_oracles=2, samples=count)
    ending = place.run(*range(1, count + 1), policy=policy)
    assert isinstance(ending, Escalation)
    assert ending.reason is Reason.ROUNDS_EXHAUSTED
    assert len(strategy.briefs[0].samples) < count


def test_fault_14_with_one_page_no_program_of_a_model_is_promoted(tmp_path: Path, sandbox: ProcessSandbox) -> None:
    completer = ScriptedCompleter([RIGHT])
    policy = Policy(models=("small",), min_oracles=1, samples=1)
    ending = house(tmp_path, sandbox, completer).run(1, policy=policy)
    assert isinstance(ending, Escalation)
    assert completer.asked == []
