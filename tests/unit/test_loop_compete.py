"""Rounds: who proposes, what folds and composition do, and what comes of a broken strategy."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from crawloop.contract import Brief
from crawloop.errors import BudgetSpent, CompletionError
from crawloop.extract.plan import FieldPlan, Plan
from crawloop.extract.reading import Read
from crawloop.loop.kit import Kit
from crawloop.loop.states import Round, Sampled
from crawloop.loop.steps import compete
from crawloop.model.candidate import Candidate
from crawloop.model.events import Event, StageBegun
from crawloop.model.outcome import Escalation, Promotion, Reason
from crawloop.model.page import Page, Record
from crawloop.model.policy import Policy
from crawloop.model.truth import Claim, Sample, Truth
from tests.fakes.loop import Programs, Proposes, attempt, candidate, kit, told
from tests.fakes.site import Site, document

FREE = Policy(min_oracles=1)
MODEL = Policy(min_oracles=1, models=("small",))


def samples(count: int) -> tuple[Sample, ...]:
    return tuple(_sample(f"https://shop.example/{number}") for number in range(count))


def _sample(url: str) -> Sample:
    record = {"title": Claim(f"title of {url}", ("examples",)), "price": Claim(f"price of {url}", ("examples",))}
    return Sample(Page(url, document(url)), Truth(url, (record,)))


def round_of(count: int, **changes: object) -> Round:
    many = samples(count)
    return replace(Round(Sampled(tuple(one.page for one in many)), many), **changes)


def right(page: Page) -> list[Record]:
    return [{"title": f"title of {page.url}", "price": f"price of {page.url}"}]


def title_only(page: Page) -> list[Record]:
    return [{"title": f"title of {page.url}"}]


def broken(page: Page) -> list[Record]:
    raise ValueError("no price here")


PROGRAMS = Programs({"right": right, "title only": title_only, "broken": broken})


def competed(state: Round, parts: Kit, policy: Policy = FREE) -> Round | Promotion | Escalation:
    return asyncio.run(compete(state, attempt(parts, policy=policy)))


def test_a_free_candidate_that_reaches_everything_ends_the_round_early() -> None:
    free = Proposes(lambda brief: [candidate("right")])
    later, paid = Proposes(lambda brief: [candidate("right")], "dom"), Proposes(lambda brief: [], "codegen", True)
    ending = competed(round_of(4), kit(Site({}), PROGRAMS, strategies=(free, later, paid)), MODEL)
    assert isinstance(ending, Promotion)
    assert ending.winner.origin == "value-path"
    assert later.briefs == paid.briefs == []


def test_who_watches_sees_what_is_done_next_and_the_audit_what_came_of_it() -> None:
    seen: list[Event] = []
    parts = kit(Site({}), PROGRAMS, strategies=(Proposes(lambda brief: [candidate("right")]),), observer=seen.append)
    assert isinstance(competed(round_of(2), parts), Promotion)
    stages = [one.what for one in seen if isinstance(one, StageBegun)]
    assert stages[0] == "round 1: value-path looks for programs"
    assert stages[-1] == "round 1: value-path is run and judged"
    assert told(parts, "StageBegun") == []
    assert told(parts, "CandidateJudged")


def test_a_strategy_that_breaks_or_declines_stops_nobody_and_says_why() -> None:
    strategies = (
        Proposes(RuntimeError("no island"), "value-path"),
        Proposes(lambda brief: [], "path-map"),
        Proposes(lambda brief: [candidate("right", origin="dom")], "dom"),
    )
    parts = kit(Site({}), PROGRAMS, strategies=strategies)
    assert isinstance(competed(round_of(4), parts), Promotion)
    assert [(one.body()["strategy"], one.body()["why"]) for one in told(parts, "StrategySilent")] == [
        ("value-path", "broke: RuntimeError: no island"),
        ("path-map", "declined: nothing fits"),
    ]


def test_with_four_samples_one_is_kept_from_every_strategy_and_judged_on() -> None:
    free = Proposes(lambda brief: [candidate("right")])
    ending = competed(round_of(4), kit(Site({}), PROGRAMS, strategies=(free,)))
    assert [one.page.url for one in free.briefs[0].samples] == [one.page.url for one in samples(4)[:3]]
    assert isinstance(ending, Promotion)
    assert ending.verdict.fields["title"].right == 4


def test_pages_that_nobody_knows_are_shared_between_the_brief_and_the_unseen() -> None:
    free = Proposes(lambda brief: [candidate("right")])
    others = tuple(Page(f"https://shop.example/other{n}", document(str(n))) for n in range(3))
    programs = Programs(PROGRAMS.programs)
    competed(round_of(4, others=others), kit(Site({}), programs, strategies=(free,)))
    assert free.briefs[0].others == (others[1],)
    assert {url for _, url in programs.ran} >= {others[0].url, others[2].url}
    assert others[1].url not in {url for _, url in programs.ran}


def overfit(brief: Brief) -> Sequence[Candidate]:
    """Induced from all pages it is right everywhere; without one page it gets the price of that page wrong."""
    shown = {one.page.url for one in brief.samples}

    def program(page: Page) -> list[Record]:
        return [right(page)[0] | ({} if page.url in shown else {"price": "0"})]

    plan = Plan({name: FieldPlan((Read("text", (f".{name}",)),)) for name in ("title", "price")})
    for one in (plan, plan.without(["price"])):
        PROGRAMS.programs[one.source("shop.example/product", "value-path")] = program
    return [candidate(plan.source("shop.example/product", "value-path"), plan=plan.dumps())]


def test_a_field_that_is_wrong_in_a_fold_is_dropped_from_the_program_induced_from_all() -> None:
    ending = competed(round_of(3), kit(Site({}), PROGRAMS, strategies=(Proposes(overfit),)))
    assert isinstance(ending, Promotion)
    assert ending.winner.fields == {"title"}
    assert ending.residual == ("price",)


def test_a_fold_of_a_single_value_is_no_judge_of_what_two_pages_chose() -> None:
    def offer(brief: Brief) -> Sequence[Candidate]:
        return [candidate("right" if len(brief.samples) == 2 else "price of another")]

    programs = Programs(PROGRAMS.programs | {"price of another": lambda page: [right(page)[0] | {"price": "0"}]})
    ending = competed(round_of(2), kit(Site({}), programs, strategies=(Proposes(offer),)))
    assert isinstance(ending, Promotion)
    assert ending.winner.fields == {"title", "price"}
    assert ending.winner.notes["price"][0].startswith("doubt: induced without https://shop.example/0, ")


def test_a_program_of_which_every_field_is_wrong_in_a_fold_is_no_candidate() -> None:
    def memorised(brief: Brief) -> Sequence[Candidate]:
        shown = {one.page.url for one in brief.samples}
        source = f"of {len(shown)} pages"
        PROGRAMS.programs[source] = lambda page: right(page) if page.url in shown else [{"title": "0", "price": "0"}]
        return [candidate(source)]

    parts = kit(Site({}), PROGRAMS, strategies=(Proposes(memorised),))
    ending = competed(round_of(3), parts)
    assert isinstance(ending, Escalation)
    assert str(ending) == "max rounds exhausted: no strategy had a candidate"
    assert "every field is wrong" in told(parts, "StrategySilent")[0].body()["why"]


def test_a_field_that_is_null_in_a_fold_is_kept_and_named_as_doubt() -> None:
    def offer(brief: Brief) -> Sequence[Candidate]:
        return [candidate("right" if len(brief.samples) == 3 else "title only")]

    ending = competed(round_of(3), kit(Site({}), PROGRAMS, strategies=(Proposes(offer),)))
    assert isinstance(ending, Promotion)
    assert ending.winner.fields == {"title", "price"}
    assert ending.winner.notes["price"][0].startswith("doubt: induced without https://shop.example/0, ")
    assert "title" not in ending.winner.notes


def test_a_model_is_not_asked_for_a_program_that_a_single_page_cannot_judge() -> None:
    paid = Proposes(lambda brief: [candidate("right", origin="codegen")], "codegen", needs_model=True)
    parts = kit(Site({}), PROGRAMS, strategies=(paid,))
    ending = competed(round_of(1), parts, MODEL)
    assert isinstance(ending, Escalation)
    assert ending.reason is Reason.ROUNDS_EXHAUSTED
    assert paid.briefs == []
    assert [one.body()["strategy"] for one in told(parts, "StrategySilent")] == ["codegen"]


@pytest.mark.parametrize(("count", "shown"), [(2, 1), (3, 2), (4, 3), (8, 6)])
def test_a_program_that_a_model_wrote_is_kept_from_a_page_with_truth(count: int, shown: int) -> None:
    paid = Proposes(lambda brief: [candidate("right", origin="codegen")], "codegen", needs_model=True)
    ending = competed(round_of(count), kit(Site({}), PROGRAMS, strategies=(paid,)), MODEL)
    assert isinstance(ending, Promotion)
    assert len(paid.briefs[0].samples) == shown


def test_free_strategies_stand_in_the_first_round_only_and_a_failed_one_leads_to_feedback() -> None:
    free = Proposes(lambda brief: [candidate("broken")])
    paid = Proposes(lambda brief: [candidate("broken", origin="codegen")], "codegen", needs_model=True)
    parts = kit(Site({}), PROGRAMS, strategies=(free, paid))
    second = competed(round_of(4), parts, MODEL)
    assert isinstance(second, Round)
    assert second.number == 2
    assert "ValueError: no price here at line 3" in second.feedback
    competed(second, parts, MODEL)
    assert len(free.briefs) == 1
    assert paid.briefs[1].feedback == second.feedback


def test_without_a_model_one_round_is_all() -> None:
    parts = kit(Site({}), PROGRAMS, strategies=(Proposes(lambda brief: [candidate("broken")]),))
    ending = competed(round_of(4), parts)
    assert isinstance(ending, Escalation)
    assert str(ending) == "max rounds exhausted: the nearest, by value-path, stopped at runs"


def test_a_dead_provider_is_an_error_only_where_no_free_candidate_passes() -> None:
    dead = Proposes(CompletionError("no key"), "codegen", needs_model=True)
    fine = Proposes(lambda brief: [candidate("right")])
    poor = Proposes(lambda brief: [candidate("broken")])
    assert isinstance(competed(round_of(4), kit(Site({}), PROGRAMS, strategies=(fine, dead)), MODEL), Promotion)
    with pytest.raises(CompletionError, match="no key"):
        competed(round_of(4), kit(Site({}), PROGRAMS, strategies=(poor, dead)), MODEL)


def test_a_dead_witness_model_is_not_asked_for_programs() -> None:
    paid = Proposes(lambda brief: [candidate("right")], "codegen", needs_model=True)
    with pytest.raises(CompletionError, match="no key"):
        competed(round_of(4, dead="no key"), kit(Site({}), PROGRAMS, strategies=(paid,)), MODEL)
    assert paid.briefs == []


def test_a_spent_budget_escalates_with_what_was_tried() -> None:
    free = Proposes(lambda brief: [candidate("broken")])
    spent = Proposes(BudgetSpent("the next call would break 0.10 USD"), "codegen", needs_model=True)
    ending = competed(round_of(4), kit(Site({}), PROGRAMS, strategies=(free, spent)), MODEL)
    assert isinstance(ending, Escalation)
    assert ending.reason is Reason.BUDGET_SPENT
    assert len(ending.verdicts) == 1


def test_the_best_reading_of_each_field_is_composed() -> None:
    def half(name: str) -> Candidate:
        plan = Plan({name: FieldPlan((Read("text", (f".{name}",)),)), "badge": FieldPlan((Read("text", (".b",)),))})
        source = plan.source("shop.example/product", f"reads {name}")
        PROGRAMS.programs[source] = lambda page: [{name: right(page)[0][name], "badge": None}]
        return candidate(source, name, "badge", plan=plan.dumps(), origin=f"reads {name}")

    readings = {"title": ".title", "badge": ".b", "price": ".price"}
    both = Plan({name: FieldPlan((Read("text", (css,)),)) for name, css in readings.items()})
    PROGRAMS.programs[both.source("shop.example/product", "reads title + reads price")] = right
    strategies = (Proposes(lambda b: [half("title")]), Proposes(lambda b: [half("price")], "dom"))
    ending = competed(round_of(4), kit(Site({}), PROGRAMS, strategies=strategies))
    assert isinstance(ending, Promotion)
    assert ending.winner.origin == "reads title + reads price"
    assert ending.winner.fields == {"title", "price", "badge"}, "of what no truth speaks, the first reading is kept"
    assert ending.residual == ()


@pytest.mark.parametrize(("redesigned", "read"), [(True, {"title", "price"}), (False, {"title", "price", "image"})])
def test_on_a_new_layout_nothing_is_read_that_nobody_knows_and_the_page_disputes(
    redesigned: bool, read: set[str]
) -> None:
    plan = Plan({name: FieldPlan((Read("text", (f".{name}",)),)) for name in ("title", "price", "image")})
    source = plan.source("shop.example/product", "value-path")
    bare = plan.without(frozenset({"image"})).source("shop.example/product", "value-path")
    programs = Programs({source: lambda page: [right(page)[0] | {"image": "/a.jpg"}], bare: right})
    proposed = Proposes(lambda brief: [candidate(source, "title", "price", "image", plan=plan.dumps())])
    disputed = tuple(
        replace(one, truth=replace(one.truth, disputed=frozenset({"image"}))) for one in samples(4) if one.truth
    )
    state = round_of(4, samples=disputed, redesigned=redesigned)
    ending = competed(state, kit(Site({}), programs, strategies=(proposed,)))
    assert isinstance(ending, Promotion)
    assert ending.winner.fields == read
