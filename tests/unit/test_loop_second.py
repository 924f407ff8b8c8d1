"""Which disputes a stronger model is asked about, and what its choice changes."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from crawloop.contract import Dispute
from crawloop.errors import CompletionError
from crawloop.loop.kit import Kit
from crawloop.loop.states import Round, Sampled
from crawloop.loop.steps import ground
from crawloop.loop.truth.second import SECOND
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page
from crawloop.model.policy import Policy
from crawloop.witness.reconcile import reconcile
from tests.fakes.loop import Says, attempt, kit, told
from tests.fakes.site import Site, document

LAMP = Schema("Lamp@1", (Field("title"), Field("price", Kind.MONEY), Field("shade")))
TIERS = Policy(models=("small", "large"), min_oracles=1)
HIDDEN, SHOWN = 12.5, 19.0
BODY = (
    '<script type="application/ld+json">{{"@type": "Product", "offers": {{"price": "12.50"}}}}</script>'
    '<h1>Lamp {0}</h1><p class="price">19.00 EUR</p><p class="shade">ivory {0}</p>'
)
PAGES = tuple(Page(f"https://lamps.example/{n}", document(BODY.format(n))) for n in (1, 2))


@dataclass
class Judge:
    """An arbiter that finds this value right; an exception is raised."""

    right: Any
    asked: list[tuple[tuple[Dispute, ...], str]] = field(default_factory=list)

    async def settle(self, disputes: Sequence[Dispute], model: str) -> tuple[Mapping[int, int], str]:
        self.asked.append((tuple(disputes), model))
        if isinstance(self.right, Exception):
            raise self.right
        return {n: one.values.index(self.right) for n, one in enumerate(disputes) if self.right in one.values}, "key"


def prices(judge: Judge, policy: Policy = TIERS, says: float = SHOWN, free: str = "markup") -> tuple[list[Any], Kit]:
    """The price that is held true of each page where the model says one thing and a free witness another."""
    marked = Says({page.url: {"title": f"Lamp {n}", "price": HIDDEN} for n, page in enumerate(PAGES, 1)}, free)
    read = {page.url: {"title": f"Lamp {n}", "price": says, "shade": f"ivory {n}"} for n, page in enumerate(PAGES, 1)}
    parts = kit(Site({}), witnesses=(marked, Says(read, "llm", needs_model=True)))
    parts = replace(parts, schema=lambda ref: LAMP, reconcile=reconcile, arbiter=judge)
    at = replace(attempt(parts, policy=policy), schema=LAMP)
    state = asyncio.run(ground(Sampled(PAGES), at))
    assert isinstance(state, Round)
    return [one.truth.values()[0].get("price") for one in state.samples if one.truth], parts


def test_the_next_tier_is_asked_once_about_just_what_is_in_dispute() -> None:
    judge = Judge(HIDDEN)
    assert prices(judge)[0] == [HIDDEN, HIDDEN]
    ((disputes, model),) = judge.asked
    assert model == "large"
    assert [(one.page, one.field.name, one.values) for one in disputes] == [
        (page, "price", (HIDDEN, SHOWN)) for page in PAGES
    ]


def test_what_it_confirms_stays_and_what_it_finds_nowhere_is_not_held() -> None:
    assert prices(Judge(SHOWN))[0] == [SHOWN, SHOWN]
    held, parts = prices(Judge("none of them"))
    assert held == [None, None]
    assert [
        (one.body()["url"], one.body()["fields"]) for one in told(parts, "WitnessSpoke") if one.witness == SECOND
    ] == [(page.url, ()) for page in PAGES]


@pytest.mark.parametrize(
    ("policy", "says", "free"),
    [
        (Policy(models=("small",), min_oracles=1), SHOWN, "markup"),
        (TIERS, HIDDEN, "markup"),
        (TIERS, SHOWN, "examples"),
    ],
)
def test_nobody_is_asked_without_a_stronger_tier_or_a_dispute_in_which_the_model_counts(
    policy: Policy, says: float, free: str
) -> None:
    judge = Judge(HIDDEN)
    prices(judge, policy, says, free)
    assert judge.asked == []


def test_without_its_answer_the_first_reading_stands_and_that_is_told() -> None:
    held, parts = prices(Judge(CompletionError("503")))
    assert held == [SHOWN, SHOWN]
    silent = [one.body() for one in told(parts, "WitnessSilent") if one.body()["witness"] == SECOND]
    assert [one["why"] for one in silent] == ["no answer: 503"] * 2
