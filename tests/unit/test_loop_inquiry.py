"""Who is asked about which page, and what becomes of what they say."""

import asyncio
from dataclasses import replace

import pytest

from crawloop.errors import BudgetSpent, CompletionError
from crawloop.loop.kit import Kit
from crawloop.loop.states import Round, Sampled
from crawloop.loop.steps import ground
from crawloop.model.candidate import Candidate
from crawloop.model.outcome import Escalation, Reason
from crawloop.model.page import Page
from crawloop.model.policy import Policy
from tests.fakes.loop import Programs, Says, attempt, kit, serve, told
from tests.fakes.site import Site, document

PAGES = tuple(Page(f"https://shop.example/{n}", document(str(n))) for n in range(3))
WHOLE = {page.url: {"title": page.url, "price": "1", "badge": "new"} for page in PAGES}
MODEL = Policy(models=("small", "large"), min_oracles=2)


def grounded(parts: Kit, policy: Policy = MODEL, tier: int = 0) -> Round | Escalation:
    return asyncio.run(ground(Sampled(PAGES, tier), attempt(parts, policy=policy)))


def test_a_model_is_not_asked_where_free_witnesses_know_every_field() -> None:
    model = Says(WHOLE, "llm", needs_model=True)
    state = grounded(kit(Site({}), witnesses=(model, Says(WHOLE))))
    assert isinstance(state, Round)
    assert len(state.samples) == 3
    assert model.asked == []


def test_a_model_is_asked_about_all_pages_where_a_field_is_known_on_none() -> None:
    model = Says(WHOLE, "llm", needs_model=True)
    partial = {url: {"title": row["title"]} for url, row in WHOLE.items()}
    state = grounded(kit(Site({}), witnesses=(Says(partial), model)))
    assert isinstance(state, Round)
    assert {name for one in state.samples if one.truth for name in one.truth.fields} == {"title", "price", "badge"}
    assert [asked for asked, _ in model.asked] == [page.url for page in PAGES]


def test_a_model_is_asked_only_about_pages_without_truth_where_these_are_too_many() -> None:
    model = Says(WHOLE, "llm", needs_model=True)
    one_known = {PAGES[0].url: WHOLE[PAGES[0].url]}
    state = grounded(kit(Site({}), witnesses=(Says(one_known), model)))
    assert isinstance(state, Round)
    assert model.asked == [(PAGES[1].url, "small"), (PAGES[2].url, "small")]


def test_a_stronger_tier_is_asked_about_every_page() -> None:
    model = Says(WHOLE, "llm", needs_model=True)
    grounded(kit(Site({}), witnesses=(Says(WHOLE), model)), tier=1)
    assert model.asked == [(page.url, "large") for page in PAGES]


def test_a_refused_page_is_dropped_with_its_slot_and_named() -> None:
    torn = WHOLE | {PAGES[1].url: {"title": "?"}}
    parts = kit(Site({}), witnesses=(Says(torn),))
    state = grounded(parts)
    assert isinstance(state, Round)
    assert [(one.page.url, one.truth.url) for one in state.samples if one.truth] == [
        (PAGES[0].url, PAGES[0].url),
        (PAGES[2].url, PAGES[2].url),
    ]
    assert [one.body() for one in told(parts, "PageDropped")] == [
        {"url": PAGES[1].url, "why": "no truth: nobody agrees on title"}
    ]


def test_too_few_oracles_say_how_many_there_are_and_how_many_are_needed() -> None:
    parts = kit(Site({}), witnesses=(Says({PAGES[0].url: {"title": "x"}}),))
    ending = grounded(parts, Policy(min_oracles=3))
    assert isinstance(ending, Escalation)
    assert str(ending) == "insufficient oracles: got 1, need 3"
    assert ending.reason.stronger_model_may_help


def test_a_broken_witness_does_not_silence_the_others_and_is_named() -> None:
    broken = Says({page.url: RuntimeError("no such column") for page in PAGES}, "history")
    parts = kit(Site({}), witnesses=(broken, Says(WHOLE)))
    assert isinstance(grounded(parts), Round)
    assert {one.body()["why"] for one in told(parts, "WitnessSilent")} == {"broke: RuntimeError: no such column"}


def test_a_dead_provider_is_an_error_where_too_little_is_known_without_it() -> None:
    dead = Says({page.url: CompletionError("401 wrong key") for page in PAGES}, "llm", needs_model=True)
    with pytest.raises(CompletionError, match="401 wrong key"):
        grounded(kit(Site({}), witnesses=(dead,)))


def test_a_dead_provider_is_remembered_where_free_witnesses_know_enough_and_no_other_can_be_asked() -> None:
    dead = Says({page.url: CompletionError("401 wrong key") for page in PAGES}, "llm", needs_model=True)
    partial = {url: {"title": row["title"]} for url, row in WHOLE.items()}
    parts = kit(Site({}), witnesses=(Says(partial), dead))
    with pytest.raises(CompletionError, match="401 wrong key"):
        grounded(parts)
    state = grounded(parts, replace(MODEL, models=("only",)))
    assert isinstance(state, Round)
    assert state.dead == "401 wrong key"


def test_a_spent_budget_escalates_as_such() -> None:
    spent = Says({page.url: BudgetSpent("0.50 of 0.50 USD") for page in PAGES}, "llm", needs_model=True)
    ending = grounded(kit(Site({}), witnesses=(spent,)))
    assert isinstance(ending, Escalation)
    assert ending.reason is Reason.BUDGET_SPENT


@pytest.mark.parametrize(("program", "redesigned"), [("reads", False), ("misses", True)])
def test_an_active_version_that_fails_on_the_samples_means_a_redesign(program: str, redesigned: bool) -> None:
    programs = Programs({"reads": lambda page: [WHOLE[page.url]], "misses": lambda page: [{}]})
    parts = kit(Site({}), programs, witnesses=(Says(WHOLE),))
    serve(parts, Candidate(program, "dom", frozenset({"title", "price", "badge"})))
    state = asyncio.run(ground(Sampled(PAGES), attempt(parts)))
    assert isinstance(state, Round)
    assert state.redesigned is redesigned
