"""Strategies propose, folds test what was induced, the gauntlet judges, and the best fields are composed.

A strategy that declines or breaks never stops the others, and always leaves an event with its reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from crawloop.contract import Brief, Case, Strategy
from crawloop.errors import CompletionError, NothingChosen, StrategyDeclined
from crawloop.loop.contest.composition import best_of_each, cleaned, reached, without_fields, wrong_fields
from crawloop.loop.contest.folds import folded, folds
from crawloop.loop.contest.proposal import proposals
from crawloop.loop.contest.split import Split
from crawloop.loop.contest.trial import case_of, judged, tell_verdict
from crawloop.loop.kit import Attempt
from crawloop.loop.states import Round
from crawloop.loop.truth.silence import Silence, silence
from crawloop.model.candidate import Candidate
from crawloop.model.events import StrategyProposed, StrategySilent
from crawloop.model.verdict import Verdict

MOST_REPAIRS = 3


@dataclass(frozen=True, slots=True)
class Contest:
    """The verdicts in the order proposed, those of folds, a group for each candidate, and why a model said no more.

    `asked` says whether one was asked at all.
    """

    verdicts: tuple[Verdict, ...] = ()
    folds: tuple[tuple[Verdict, ...], ...] = ()
    silence: Silence = Silence()  # noqa: RUF009 - frozen
    asked: bool = False


async def contest(
    strategies: Sequence[Strategy],
    division: Split,
    state: Round,
    at: Attempt,
    given: Sequence[Candidate] = (),
    **more: Any,
) -> Contest:
    """Lets each strategy propose, in order, until nothing is left to find.

    `given` are candidates that nobody needs to propose; they come first. `more` is what the brief says besides.
    """
    brief, case = replace(brief_of(division, state, at), **more), case_of(division, state, at)
    served = frozenset(at.active.fields if at.active else ())
    verdicts: list[Verdict] = []
    failures: list[Exception | None] = []
    result = Contest()
    for one in given:
        if not any(reaches_all(verdict, case, served) for verdict in verdicts):
            verdicts += await _given(one, verdicts, case, state, at)
    for strategy in strategies:
        if any(reaches_all(one, case, served) for one in verdicts):
            return replace(result, verdicts=tuple(verdicts), silence=silence(failures))
        candidates, failure = await _proposed(strategy, brief, at)
        failures.append(failure)
        has_asked = bool(candidates) or isinstance(failure, NothingChosen | CompletionError)
        result = replace(result, asked=result.asked or (strategy.needs_model and has_asked))
        if division.folds:
            candidates, tested = await _tested(candidates, strategy, brief, at)
            result = replace(result, folds=result.folds + tested)
        for candidate in candidates:
            verdicts += await _refined(candidate, verdicts, case, state, at)
    composed = best_of_each(tuple(verdicts), at.family.name)
    if composed is not None and not any(reaches_all(one, case, served) for one in verdicts):
        verdicts += await _refined(composed, verdicts, case, state, at)
    return replace(result, verdicts=tuple(verdicts), silence=silence(failures))


def brief_of(division: Split, state: Round, at: Attempt) -> Brief:
    """What the strategies are given."""
    return Brief(
        family=at.family.name,
        schema=at.schema,
        samples=division.learn,
        others=division.look,
        active=at.active,
        number=state.number,
        feedback=state.feedback,
        model=at.model(state.sampled.tier),
        candidates=at.policy.candidates,
    )


def reaches_all(verdict: Verdict, case: Case, served: frozenset[str]) -> bool:
    """Whether the candidate passed, and all that some truth supports comes out right: nothing is left to find.

    A field that was `served` before and that the candidate reads no more may still be found.
    """
    supported = {name for one in case.seen + case.unseen if one.truth for name in one.truth.fields}
    gaps = any(tally.gap for tally in verdict.fields.values())
    whole = supported <= reached(verdict) and served <= verdict.candidate.fields
    return verdict.passed and not gaps and not wrong_fields(verdict) and whole


def undisputed(candidate: Candidate, state: Round, family: str) -> Candidate:
    """The candidate, on a new layout without what nobody knows there and the page itself says in several ways."""
    truths = [one.truth for one in state.samples if one.truth and state.redesigned]
    known = frozenset().union(*(one.fields for one in truths))
    disputed = frozenset().union(*(one.disputed for one in truths)) - known
    return without_fields(candidate, disputed, family, "left out: the page's markup says several things") or candidate


async def _proposed(strategy: Strategy, brief: Brief, at: Attempt) -> tuple[tuple[Candidate, ...], Exception | None]:
    candidates: tuple[Candidate, ...] = ()
    failure: Exception | None = None
    says = "declined: it proposed nothing"
    at.begin(f"round {brief.number}: {strategy.name} looks for programs")
    try:
        candidates = tuple(await proposals(strategy, brief))
    except StrategyDeclined as why:
        failure, says = why, f"declined: {why}"
    except CompletionError as why:
        failure, says = why, f"no answer: {why}"
    except Exception as why:  # noqa: BLE001 - one broken strategy must not stop the others; it is told as an event
        failure, says = why, f"broke: {type(why).__name__}: {why}"
    if candidates:
        at.tell(StrategyProposed, strategy=strategy.name, round=brief.number, candidates=len(candidates))
    else:
        at.tell(StrategySilent, strategy=strategy.name, round=brief.number, why=says)
    return candidates, failure


async def _tested(
    candidates: tuple[Candidate, ...], strategy: Strategy, brief: Brief, at: Attempt
) -> tuple[tuple[Candidate, ...], tuple[tuple[Verdict, ...], ...]]:
    """The candidates after their folds, and the folds' verdicts. One of which every field fails leaves an event."""
    if candidates:
        at.begin(f"round {brief.number}: {strategy.name} is tested on pages that it did not see")
    tests = await folds(strategy, brief) if candidates else ()
    tested = [await folded(one, place, tests, at) for place, one in enumerate(candidates)]
    kept = tuple(one.candidate for one in tested if one.candidate is not None)
    if len(kept) < len(candidates):
        why = "tested: induced without a page, every field is wrong on it"
        at.tell(StrategySilent, strategy=strategy.name, round=brief.number, why=why)
    return kept, tuple(one.verdicts for one in tested)


async def _given(
    candidate: Candidate, before: Sequence[Verdict], case: Case, state: Round, at: Attempt
) -> list[Verdict]:
    """The verdicts on a candidate that nobody proposed.

    On a new layout it is judged without what it reads from no page: nobody knows that it reads it there still.
    """
    verdicts = await _refined(candidate, before, case, state, at)
    silent = verdicts[0].silent if verdicts and state.redesigned else frozenset()
    if not silent:
        return verdicts
    why = "left out: reads nothing on the new layout"
    fitting = without_fields(candidate, silent, at.family.name, why)
    return await _refined(fitting, before, case, state, at) if fitting else []


async def _refined(
    candidate: Candidate, before: Sequence[Verdict], case: Case, state: Round, at: Attempt
) -> list[Verdict]:
    """The candidate's verdict, then that of the same program without the fields that were wrong on some sample."""
    verdicts: list[Verdict] = []
    tried = {one.candidate.source for one in before}
    following: Candidate | None = undisputed(candidate, state, at.family.name)
    while following is not None and following.source not in tried and len(verdicts) <= MOST_REPAIRS:
        tried.add(following.source)
        at.begin(f"round {state.number}: {following.origin} is run and judged")
        verdict = await judged(following, case, at)
        tell_verdict(verdict, state.number, at)
        verdicts.append(verdict)
        following = cleaned(verdict, at.family.name)
    return verdicts
