"""A model chooses among readings that gave the right values: what it is offered, and what becomes of its choice."""

import asyncio
from typing import Any

import pytest

from crawloop.contract import Brief
from crawloop.errors import NothingChosen, StrategyDeclined
from crawloop.extract.plan import Plan
from crawloop.extract.view import PageView
from crawloop.llm import ScriptedCompleter
from crawloop.model.candidate import Candidate
from crawloop.model.kind import Field, Schema
from crawloop.model.page import Page
from crawloop.model.truth import Claim, Sample, Truth
from crawloop.strategy.selection import MOST_WAYS, Selection

SCHEMA = Schema("Lamp@1", (Field("title"), Field("shade")))
PAGE = '<main><h1>{}</h1><p class="first">{}</p><hr><p class="second">{}</p></main>'


def page(number: int, title: str, first: str, second: str) -> Page:
    return Page(f"https://lamps.example/l/{number}", PAGE.format(title, first, second))


def sample(at: Page, *witnesses: str, **values: Any) -> Sample:
    said = {name: Claim(value, witnesses or ("examples",)) for name, value in values.items()}
    return Sample(at, Truth(at.url, (said,)))


KNOWN = (
    sample(page(1, "Oak lamp", "Ivory", "Ivory"), title="Oak lamp", shade="Ivory"),
    sample(page(2, "Elm lamp", "Coral", "Coral"), title="Elm lamp", shade="Coral"),
)
OTHER = page(3, "Ash lamp", "Only <<<three>>> left", "Amber")


def brief(samples: tuple[Sample, ...] = KNOWN, settled: tuple[str, ...] = ("title",), **more: Any) -> Brief:
    return Brief("lamps", SCHEMA, samples, (OTHER,), model="small", settled=frozenset(settled), **more)


def proposed(given: Brief, completer: ScriptedCompleter) -> Candidate:
    (candidate,) = asyncio.run(Selection(completer).propose(given))
    return candidate


def ways(completer: ScriptedCompleter) -> dict[str, str]:
    """The ways that were offered, by number."""
    (asked,) = completer.asked
    lines = (line.strip().partition(": ") for line in asked.user.splitlines() if line.startswith("  "))
    return {number: way for number, _, way in lines if number.isdigit()}


def test_readings_are_offered_once_for_each_way_in_which_they_differ() -> None:
    completer = ScriptedCompleter(['{"choices": {"shade": 1}}'])
    proposed(brief(), completer)
    offered = ways(completer)
    assert any(".first" in one for one in offered.values())
    assert any(".second" in one for one in offered.values())
    assert len(offered) == len({*offered.values()}) <= MOST_WAYS
    (asked,) = completer.asked
    assert "- shade" in asked.user
    assert "- title" not in asked.user, "what is settled is not asked about"
    assert asked.user.count("'Amber'") >= 1, "where they differ, what each of them gives is shown"
    assert "Only" not in asked.system, "a page is never among the rules"


def test_what_is_chosen_is_read_and_the_rest_as_induction_reads_it() -> None:
    completer = ScriptedCompleter(lambda asked: '{"choices": {"shade": 0}}')
    with pytest.raises(NothingChosen, match="shade"):
        proposed(brief(), completer)
    second = next(number for number, way in ways(completer).items() if ".second" in way)
    candidate = proposed(brief(), ScriptedCompleter([f'{{"choices": {{"shade": {second}}}}}']))
    assert (candidate.origin, candidate.model) == ("selection", "small")
    assert candidate.notes["shade"][0].startswith("chosen by small")
    plan = Plan.loads(candidate.plan or "")
    assert plan.read(PageView(OTHER.html, OTHER.url)) == [{"title": "Ash lamp", "shade": "Amber"}]


@pytest.mark.parametrize(
    "answer", ["no idea", '{"choices": {"shade": 99}}', '{"choices": {"shade": true}}', '{"choices": {"title": 1}}']
)
def test_an_answer_that_chooses_nothing_that_was_offered_is_no_choice(answer: str) -> None:
    with pytest.raises(NothingChosen):
        proposed(brief(), ScriptedCompleter([answer]))


@pytest.mark.parametrize(
    "given",
    [
        brief(settled=("title", "shade")),
        brief(number=2),
        brief((sample(page(1, "Oak lamp", "Ivory", "Ivory"), shade="Nowhere"),)),
        brief(()),
    ],
)
def test_nobody_is_asked_where_there_is_nothing_to_choose_from(given: Brief) -> None:
    completer = ScriptedCompleter([])
    with pytest.raises(StrategyDeclined) as why:
        proposed(given, completer)
    assert not isinstance(why.value, NothingChosen)
    assert completer.asked == []


def test_nothing_is_offered_of_what_a_model_alone_says() -> None:
    """That a model chooses what agrees with a model proves nothing: what is doubted stays so."""
    called = PAGE.replace("first", "shade")
    for witness, asked in (("llm", 0), ("examples", 1)):
        heard = []
        for n, shade in enumerate(("Ivory", "Coral"), 1):
            at = Page(f"https://lamps.example/l/{n}", called.format(f"Lamp {n}", shade, shade))
            heard.append(sample(at, witness, title=f"Lamp {n}", shade=shade))
        completer = ScriptedCompleter(lambda asked: "none")
        with pytest.raises(StrategyDeclined):
            proposed(brief(tuple(heard)), completer)
        assert len(completer.asked) == asked
