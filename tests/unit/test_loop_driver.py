"""The driver: tiers, one settle, a journal that a killed run resumes from, the cool-down."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from crawloop.errors import CompletionError, FamilyBusy
from crawloop.gauntlet import judge
from crawloop.loop.driver import Loop
from crawloop.loop.kit import Kit
from crawloop.loop.states import Task
from crawloop.model.candidate import Candidate
from crawloop.model.family import Status
from crawloop.model.outcome import Escalation, Outcome, Promotion, Reason
from crawloop.model.page import Page, Record
from crawloop.model.policy import Policy
from crawloop.registry import MemoryStore
from tests.fakes.loop import NOW, SHOP, Programs, Proposes, Says, candidate, kit, told
from tests.fakes.site import Site, document

URLS = tuple(f"https://shop.example/{n}" for n in range(4))
RIGHT = {url: {"title": f"title {url}", "price": f"price {url}", "badge": "new"} for url in URLS}
FIELDS = ("title", "price", "badge")
TASK = Task(SHOP, "Product@1", URLS)
FREE = Policy(samples=4, min_oracles=2)
TIERS = replace(FREE, models=("small", "large"), max_rounds=2)


def right(page: Page) -> list[Record]:
    return [RIGHT[page.url]]


def wrong(page: Page) -> list[Record]:
    return [dict.fromkeys(FIELDS, "0")]


PROGRAMS = Programs({"right": right, "wrong": wrong})


def site() -> Site:
    return Site({url: document(url) for url in URLS})


def run(parts: Kit, policy: Policy = FREE, task: Task = TASK) -> Outcome:
    return asyncio.run(Loop(parts, policy).run(task))


def codegen(by_model: dict[str, str]) -> Proposes:
    """A strategy that writes the program `by_model` says, and names the model."""

    def offer(brief: Any) -> list[Candidate]:
        return [candidate(by_model[brief.model], *FIELDS, origin="codegen", model=brief.model)]

    return Proposes(offer, "codegen", needs_model=True)


def test_a_new_family_takes_the_same_path_and_becomes_healthy() -> None:
    parts = kit(
        site(), PROGRAMS, witnesses=(Says(RIGHT),), strategies=(Proposes(lambda b: [candidate("right", *FIELDS)]),)
    )
    assert isinstance(run(parts), Promotion)
    family = parts.store.family(SHOP)
    assert family is not None
    assert (family.status, family.active, family.urls) == (Status.HEALTHY, 1, URLS)
    assert {golden.url for golden in parts.store.goldens(SHOP, 0)} == set(URLS)
    known = parts.store.known(SHOP, URLS[0])
    assert known is not None
    assert known.records == (RIGHT[URLS[0]],)
    version = parts.store.version(SHOP, 1)
    assert version is not None
    assert version.profile["title"]["fill"] == 1.0


def test_fault_09_a_cheap_tier_that_fails_is_an_event_and_the_strong_one_promotes() -> None:
    shop, writer = site(), codegen({"small": "wrong", "large": "right"})
    parts = kit(shop, PROGRAMS, witnesses=(Says(RIGHT),), strategies=(writer,))
    ending = run(parts, TIERS)
    assert isinstance(ending, Promotion)
    assert ending.winner.model == "large"
    nearest = "the nearest, by codegen, stopped at agreement with badge, price, title wrong"
    assert [one.body() for one in told(parts, "TierFailed")] == [
        {
            "model": "small",
            "reason": f"max rounds exhausted: {nearest}",
        }
    ]
    assert told(parts, "FamilyEscalated") == []
    family = parts.store.family(SHOP)
    assert family is not None
    assert family.status is Status.HEALTHY
    assert set(shop.fetched.values()) == {1}


def test_nothing_escalates_before_the_last_tier_and_then_once_with_all_verdicts() -> None:
    parts = kit(site(), PROGRAMS, witnesses=(Says(RIGHT),), strategies=(codegen({"small": "wrong", "large": "wrong"}),))
    ending = run(parts, TIERS)
    assert isinstance(ending, Escalation)
    assert len(ending.verdicts) == 4
    assert len(told(parts, "FamilyEscalated")) == 1
    assert [one.body()["model"] for one in told(parts, "TierFailed")] == ["small"]


def dying(by_model: dict[str, str | Exception]) -> Proposes:
    """A strategy whose provider of some models is dead."""

    def offer(brief: Any) -> list[Candidate]:
        said = by_model[brief.model]
        if isinstance(said, Exception):
            raise said
        return [candidate(said, *FIELDS, origin="codegen", model=brief.model)]

    return Proposes(offer, "codegen", needs_model=True)


def test_a_dead_provider_is_passed_over_for_the_next_tier_which_is_no_verdict_on_the_family() -> None:
    reader = Says(RIGHT, "llm", needs_model=True)
    writer = dying({"small": CompletionError("503"), "large": "right"})
    parts = kit(site(), PROGRAMS, witnesses=(Says(RIGHT), reader), strategies=(writer,))
    ending = run(parts, TIERS)
    assert isinstance(ending, Promotion)
    assert ending.winner.model == "large"
    assert [one.body() for one in told(parts, "TierFailed")] == [{"model": "small", "reason": "cannot be asked: 503"}]
    assert {one.body()["witness"] for one in told(parts, "WitnessSpoke")} == {"examples"}, "known truth stands"


def test_where_the_last_provider_is_dead_too_it_is_an_error_and_the_next_run_begins_with_the_first() -> None:
    shop, by_model = site(), {"small": CompletionError("401"), "large": CompletionError("503")}
    parts = kit(shop, PROGRAMS, witnesses=(Says(RIGHT),), strategies=(dying(by_model),))
    with pytest.raises(CompletionError, match="503"):
        run(parts, TIERS)
    assert told(parts, "FamilyEscalated") == []
    ending = run(replace(parts, strategies=(dying({"small": "right"}),)), TIERS)
    assert isinstance(ending, Promotion)
    assert ending.winner.model == "small"
    assert set(shop.fetched.values()) == {1}


def test_a_provider_that_dies_after_a_tier_failed_leaves_what_was_tried() -> None:
    parts = kit(
        site(),
        PROGRAMS,
        witnesses=(Says(RIGHT),),
        strategies=(dying({"small": "wrong", "middle": CompletionError("503"), "large": "wrong"}),),
    )
    ending = run(parts, replace(TIERS, models=("small", "middle", "large")))
    assert isinstance(ending, Escalation)
    assert [one.body()["model"] for one in told(parts, "TierFailed")] == ["small", "middle"]
    assert len(ending.verdicts) == 4


def test_no_samples_never_asks_a_stronger_model() -> None:
    parts = kit(Site({}), PROGRAMS)
    ending = run(parts, TIERS)
    assert isinstance(ending, Escalation)
    assert ending.reason is Reason.NO_SAMPLES
    assert told(parts, "TierFailed") == []
    family = parts.store.family(SHOP)
    assert family is not None
    assert (family.status, family.active) == (Status.ESCALATED, None)


def test_fault_07_an_escalated_family_costs_nothing_until_its_cool_down_is_over() -> None:
    shop = Site({})
    time = [NOW]
    parts = kit(shop, PROGRAMS, clock=lambda: time[0])
    loop = Loop(parts, replace(FREE, cooldown_hours=2))
    assert isinstance(asyncio.run(loop.heal(TASK)), Escalation)
    family = parts.store.family(SHOP)
    assert family is not None
    assert family.cooldown_until == "2026-01-01T02:00:00Z"
    fetched, entries = dict(shop.fetched), len(parts.store.entries())
    time[0] = "2026-01-01T01:59:59Z"
    assert asyncio.run(loop.heal(TASK)) is None
    assert (dict(shop.fetched), len(parts.store.entries())) == (fetched, entries)
    assert isinstance(asyncio.run(loop.run(TASK)), Escalation), "a person's run is never held back"
    time[0] = "2026-01-01T04:00:00Z"
    assert isinstance(asyncio.run(loop.heal(TASK)), Escalation)


def test_fault_18_the_golden_set_is_that_of_the_last_promotion() -> None:
    is_worn = False

    def worn(page: Page) -> list[Record]:
        return [{}] if is_worn and page.url == URLS[3] else right(page)

    programs = Programs({"right": right, "worn": worn})
    strategies = (Proposes(lambda b: [candidate("right" if b.active else "worn", *FIELDS)]),)
    parts = kit(site(), programs, witnesses=(Says(RIGHT),), strategies=strategies)
    run(parts)
    is_worn = True
    shop = Site({url: document(url) for url in URLS[:2]})
    run(replace(parts, fetcher=shop), task=replace(TASK, urls=URLS[:2]))
    assert [one.source for one in parts.store.versions(SHOP)] == ["worn", "right"]
    assert {golden.url for golden in parts.store.goldens(SHOP, 0)} == set(URLS[:2])


def test_one_run_of_a_family_at_a_time() -> None:
    parts = kit(site(), PROGRAMS)
    with parts.store.hold(SHOP), pytest.raises(FamilyBusy):
        run(parts)


class Killed(BaseException):
    """The process dies."""


@dataclass
class Mortal:
    """A store that dies after so many steps were journalled; everything else is the store's own."""

    store: MemoryStore
    steps: int
    done: int = field(default=0)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    def journal(self, run: str, step: int, name: str, state: str) -> None:
        self.store.journal(run, step, name, state)
        self.done += 1
        if self.done == self.steps:
            raise Killed(name)


def machinery(shop: Site) -> tuple[Kit, Proposes]:
    writer = codegen({"small": "wrong", "large": "right"})
    return kit(shop, PROGRAMS, witnesses=(Says(RIGHT),), strategies=(writer,)), writer


@pytest.mark.parametrize("step", range(1, 7))
def test_a_run_that_is_killed_after_any_step_resumes_to_the_same_result(step: int) -> None:
    whole, _ = machinery(site())
    expected = run(whole, TIERS)
    shop = site()
    parts, writer = machinery(shop)
    assert isinstance(parts.store, MemoryStore)
    with pytest.raises(Killed):
        run(replace(parts, store=Mortal(parts.store, step)), TIERS)
    ending = run(parts, TIERS)
    assert isinstance(ending, Promotion)
    assert isinstance(expected, Promotion)
    assert replace(ending, spend=expected.spend) == expected
    assert set(shop.fetched.values()) == {1}
    assert len(writer.briefs) == 3
    assert [one.kind for one in told(parts)] == [one.kind for one in told(whole)]
    assert len({one.run for one in told(parts)}) == 1


def test_six_steps_are_the_whole_run() -> None:
    parts, _ = machinery(site())
    assert isinstance(parts.store, MemoryStore)
    mortal = Mortal(parts.store, 99)
    run(replace(parts, store=mortal), TIERS)
    assert mortal.done == 6


@pytest.mark.parametrize(
    "later",
    [
        lambda task, policy: (replace(task, inputs="other examples"), policy),
        lambda task, policy: (task, replace(policy, candidates=3)),
    ],
    ids=["other inputs", "another policy"],
)
def test_a_journal_of_another_task_is_not_resumed(later: Callable[[Task, Policy], tuple[Task, Policy]]) -> None:
    shop = site()
    parts, _ = machinery(shop)
    assert isinstance(parts.store, MemoryStore)
    with pytest.raises(Killed):
        run(replace(parts, store=Mortal(parts.store, 2)), TIERS)
    task, policy = later(TASK, TIERS)
    assert isinstance(run(parts, policy, task), Promotion)
    assert set(shop.fetched.values()) == {2}
    assert parts.store.unfinished(SHOP) is None


def test_a_stale_journal_is_not_resumed() -> None:
    shop = site()
    parts, _ = machinery(shop)
    assert isinstance(parts.store, MemoryStore)
    with pytest.raises(Killed):
        run(replace(parts, store=Mortal(parts.store, 2)), TIERS)
    run(replace(parts, clock=lambda: "2026-01-03T00:00:00Z"), TIERS)
    assert set(shop.fetched.values()) == {2}


def test_a_dead_provider_settles_nothing_and_the_next_run_takes_up_there() -> None:
    shop = site()
    dead = Proposes(CompletionError("no key"), "codegen", needs_model=True)
    parts = kit(shop, PROGRAMS, witnesses=(Says(RIGHT),), strategies=(dead,))
    with pytest.raises(CompletionError, match="no key"):
        run(parts, TIERS)
    assert parts.store.family(SHOP) is None
    assert told(parts, "FamilyEscalated") == []
    alive = replace(parts, strategies=(codegen({"small": "right"}),))
    assert isinstance(run(alive, TIERS), Promotion)
    assert set(shop.fetched.values()) == {1}


def test_fault_02_a_redesign_opens_a_new_epoch_and_old_golden_pages_do_not_block() -> None:
    def old(page: Page) -> list[Record]:
        return right(page) if "old" in page.html else [{}]

    def new(page: Page) -> list[Record]:
        return right(page) if "new" in page.html else [{}]

    programs = Programs({"old": old, "new": new})
    before = Site({url: document(f"old {url}") for url in URLS})
    after = Site({url: document(f"new {url}") for url in URLS})
    first = Proposes(lambda b: [candidate("old", *FIELDS)])
    parts = kit(before, programs, witnesses=(Says(RIGHT),), strategies=(first,))
    run(parts)
    healed = run(replace(parts, fetcher=after, strategies=(Proposes(lambda b: [candidate("new", *FIELDS)]),)))
    assert isinstance(healed, Promotion)
    assert healed.new_epoch
    family = parts.store.family(SHOP)
    assert family is not None
    assert (family.active, family.epoch) == (2, 1)
    assert all("old" in one.html for one in parts.store.goldens(SHOP, 0))
    assert all("new" in one.html for one in parts.store.goldens(SHOP, 1))


def test_golden_pages_of_the_same_layout_do_block() -> None:
    def without_badge(page: Page) -> list[Record]:
        return [{"title": RIGHT[page.url]["title"], "price": RIGHT[page.url]["price"]}]

    def forgetful(page: Page) -> list[Record]:
        return right(page) if page.url != URLS[3] else [{}]

    programs = Programs({"without badge": without_badge, "forgetful": forgetful})
    first = Proposes(lambda b: [candidate("without badge", "title", "price")])
    parts = kit(site(), programs, witnesses=(Says(RIGHT),), strategies=(first,))
    run(parts)
    later = Proposes(lambda b: [candidate("forgetful", *FIELDS, origin="dom")], "dom")
    shop = Site({url: document(url) for url in URLS[:3]})
    ending = run(replace(parts, fetcher=shop, strategies=(later,)), task=replace(TASK, urls=URLS[:3]))
    assert isinstance(ending, Promotion)
    assert {one.candidate.source: one.stopped_at for one in ending.verdicts} == {
        "without badge": None,
        "forgetful": "golden",
    }
    assert (ending.winner.source, ending.winner.origin) == ("without badge", "value-path")


def test_what_a_person_wrote_in_a_golden_page_is_never_read_otherwise(tmp_path: Path) -> None:
    def short(page: Page) -> list[Record]:
        return [{"title": RIGHT[page.url]["title"], "price": RIGHT[page.url]["price"]}]

    proposed = Proposes(lambda b: [candidate("right", *FIELDS) if b.active else candidate("short", *FIELDS[:2])])
    parts = kit(site(), Programs({"right": right, "short": short}), witnesses=(Says(RIGHT),), strategies=(proposed,))
    parts = replace(parts, store=MemoryStore(tmp_path), judge=judge)
    run(parts)
    for file in tmp_path.rglob("records.json"):
        rows = json.loads(file.read_text())
        file.write_text(json.dumps([row | {"badge": "as a person wrote it"} for row in rows]))
    ending = run(parts)
    assert not isinstance(ending, Promotion) or ending.winner.source != "right"
    assert [one.source for one in parts.store.versions(SHOP)] == ["short"]


def test_what_a_golden_page_holds_beyond_the_active_version_blocks_nothing(tmp_path: Path) -> None:
    def without_badge(page: Page) -> list[Record]:
        return [{"title": RIGHT[page.url]["title"], "price": RIGHT[page.url]["price"]}]

    proposed = Proposes(lambda b: [candidate("without badge", "title", "price")])
    parts = kit(site(), Programs({"without badge": without_badge}), witnesses=(Says(RIGHT),), strategies=(proposed,))
    parts = replace(parts, store=MemoryStore(tmp_path), judge=judge)
    run(parts)
    for file in tmp_path.rglob("records.json"):
        rows = json.loads(file.read_text())
        file.write_text(json.dumps([row | {"badge": "of an older program"} for row in rows]))
    ending = run(parts)
    assert isinstance(ending, Promotion)
    assert ending.keeps == 1


def test_the_active_version_stands_first_where_it_still_fits() -> None:
    parts = kit(
        site(), PROGRAMS, witnesses=(Says(RIGHT),), strategies=(Proposes(lambda b: [candidate("right", *FIELDS)]),)
    )
    run(parts)
    idle = Proposes(lambda b: [candidate("wrong", *FIELDS)])
    ending = run(replace(parts, strategies=(idle,)))
    assert isinstance(ending, Promotion)
    assert not ending.new_epoch
    assert idle.briefs == []


def test_a_field_that_is_gone_from_all_pages_is_a_redesign() -> None:
    def old_badge(page: Page) -> list[Record]:
        return [RIGHT[page.url] | {"badge": "new" if "old" in page.html else None}]

    programs = Programs({"reads the old badge": old_badge, "right": right})
    before = Site({url: document(f"old {url}") for url in URLS})
    first = Proposes(lambda b: [candidate("reads the old badge", *FIELDS)])
    parts = kit(before, programs, witnesses=(Says(RIGHT),), strategies=(first,))
    run(parts)
    after = replace(parts, fetcher=site(), strategies=(Proposes(lambda b: [candidate("right", *FIELDS)]),))
    ending = run(after)
    assert isinstance(ending, Promotion)
    assert ending.new_epoch
    assert ending.winner.source == "right"


@pytest.mark.parametrize(
    "now", ["2026-01-01", "2026-01-01T00:00:00", "2026-01-01T01:00:00+01:00", "2026-01-01T00:00:00Z"]
)
def test_a_clock_may_say_the_time_in_any_iso_form(now: str) -> None:
    parts = kit(Site({}), PROGRAMS, clock=lambda: now)
    asyncio.run(Loop(parts, FREE).run(TASK))
    family = parts.store.family(SHOP)
    assert family is not None
    assert family.cooldown_until == "2026-01-02T00:00:00Z"
    assert asyncio.run(Loop(parts, FREE).heal(TASK)) is None
