"""The loop, step by step: read from top to bottom, this is the product.

sample   which pages of the family are looked at
ground   what is true of them, as the witnesses say and the pages bear out
compete  who writes a program that finds it, judged on pages it has seen and on pages it has not
decide   a winner, another round, or a person
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from crawloop.errors import CompletionError
from crawloop.loop.contest.composition import reached, rights, wrong_fields
from crawloop.loop.contest.contest import Contest, contest
from crawloop.loop.contest.feedback import feedback
from crawloop.loop.contest.split import for_free, for_model
from crawloop.loop.kit import Attempt
from crawloop.loop.redesign import is_redesigned
from crawloop.loop.sampling import gather
from crawloop.loop.sisters import known_programs
from crawloop.loop.states import Round, Sampled
from crawloop.loop.truth.doubts import doubted, doubts, struck_out
from crawloop.loop.truth.edits import edited
from crawloop.loop.truth.inquiry import inquire
from crawloop.loop.truth.silence import Silence
from crawloop.loop.truth.slips import slips
from crawloop.loop.truth.twins import undecided
from crawloop.model.events import StrategySilent, WitnessesDisagreed
from crawloop.model.outcome import Escalation, Promotion, Reason
from crawloop.model.truth import Sample
from crawloop.model.verdict import Contradiction, Verdict
from crawloop.residual import residual_fields

_MOST_CONTESTS = 3


async def sample(at: Attempt) -> Sampled | Escalation:
    """Fetches a few real pages of the family. None at all is nothing that a stronger model could mend."""
    pages = await gather(at)
    return Sampled(pages) if pages else Escalation(Reason.NO_SAMPLES, "no page of the family is a real one")


async def ground(state: Sampled, at: Attempt) -> Round | Escalation:
    """Establishes the truth of each page. A page whose truth is refused is dropped, page and slot together.

    Raises CompletionError where a model's provider is dead, and another can take its place or what is known without
    it is not enough.
    """
    grounds, hearing = await inquire(state, at)
    silence = hearing.silence
    samples = _without(grounds.samples, struck_out(grounds.samples, at.schema), at)
    got, need = len(grounds.samples), at.policy.min_oracles
    if silence.dead and (got < need or not at.is_last(state.tier)):
        raise CompletionError(silence.dead)
    if got < need:
        if silence.is_spent:
            return Escalation(Reason.BUDGET_SPENT, f"got {got} oracles, need {need}", samples, state.earlier)
        flaw = f"; {silence.flaw}" if silence.flaw else ""
        return Escalation(Reason.TOO_FEW_ORACLES, f"got {got}, need {need}{flaw}", samples, state.earlier)
    return Round(
        sampled=state,
        samples=samples,
        others=grounds.others,
        redesigned=await is_redesigned(samples, at),
        dead=silence.dead,
        spent=silence.is_spent,
    )


def _without(samples: tuple[Sample, ...], doubtful: tuple[Contradiction, ...], at: Attempt) -> tuple[Sample, ...]:
    """The samples without the values that are doubted, each of which is told."""
    for one in doubtful:
        _tell(one, samples, at)
    return doubted(samples, (one.place for one in doubtful))


def _tell(one: Contradiction, samples: tuple[Sample, ...], at: Attempt) -> None:
    truth = next(sample.truth for sample in samples if sample.page.url == one.url)
    by = ", ".join(truth.records[one.record][one.field].witnesses) if truth else ""
    said = {by: one.said, "the page": one.got}
    at.tell(WitnessesDisagreed, url=one.url, record=one.record, field=one.field, said=said, kept=None)


async def compete(state: Round, at: Attempt) -> Round | Promotion | Escalation:
    """One round: free strategies first, and only in the first one; a model where no free candidate passed.

    Raises CompletionError where a model's provider is dead and no free candidate passed.
    """
    state = replace(state, spent=state.spent or at.is_out_of_time)
    free = Contest()
    if state.number == 1:
        state, free = await _compete_free(state, at)
    paid = Contest(silence=Silence(dead=state.dead, is_spent=state.spent))
    if winner(free.verdicts) is None and may_ask(state, at):
        paid = await _ask_model(state, free.verdicts, at)
    verdicts = free.verdicts + paid.verdicts
    if winner(verdicts) is None and paid.silence.dead:
        raise CompletionError(paid.silence.dead)
    outcome = decide(replace(state, spent=paid.silence.is_spent), verdicts, at)
    if isinstance(outcome, Promotion):
        for one in slips(outcome, state.verdicts + verdicts, at.schema):
            _tell(one, outcome.samples, at)
    return outcome


async def _compete_free(state: Round, at: Attempt) -> tuple[Round, Contest]:
    """The contest of known programs and the free strategies.

    It is held again where it shows that values of truth are to be doubted: without one slip another may show.
    """
    strategies = [one for one in at.kit.strategies if not one.needs_model]
    given = await known_programs(state.samples, at)
    before: tuple[Verdict, ...] = ()
    for left in reversed(range(_MOST_CONTESTS)):
        shown = replace(state, samples=doubted(state.samples, undecided(state.samples, at.schema)))
        held = await contest(strategies, for_free(shown), shown, at, given)
        groups = [*((one,) for one in held.verdicts), *held.folds]
        doubtful = doubts(groups, state.samples, at.schema)
        doubtful += edited(held.verdicts, shown.samples, at.active, at.schema)
        if not doubtful or not left:
            break
        before += held.verdicts
        state = replace(state, samples=_without(state.samples, doubtful, at))
    if winner(held.verdicts) is None:
        return shown, replace(held, verdicts=before + held.verdicts)
    return replace(shown, verdicts=state.verdicts + before), held


def may_ask(state: Round, at: Attempt) -> bool:
    """Whether a model can still be asked for candidates."""
    return at.model(state.sampled.tier) is not None and not state.dead and not state.spent


async def _ask_model(state: Round, free: Sequence[Verdict], at: Attempt) -> Contest:
    """The contest of what a model chooses and, only where that does not pass, of what it writes: one program less then,
    so that a round costs no more calls."""
    strategies = [one for one in at.kit.strategies if one.needs_model]
    division = for_model(state)
    if division is not None:
        settled = frozenset(name for one in free for name in reached(one) - wrong_fields(one))
        choosing = [at.kit.selection] if at.kit.selection is not None and state.number == 1 else []
        chosen = await contest(choosing, division, state, at, settled=settled)
        if winner(chosen.verdicts) is not None or chosen.silence.dead:
            return chosen
        candidates = max(1, at.policy.candidates - chosen.asked)
        written = await contest(strategies, division, state, at, candidates=candidates)
        return replace(written, verdicts=chosen.verdicts + written.verdicts)
    for one in strategies:
        why = "not asked: a program that a model wrote must be judged on a page kept from it, and one page has truth"
        at.tell(StrategySilent, strategy=one.name, round=state.number, why=why)
    return Contest()


def decide(state: Round, verdicts: Sequence[Verdict], at: Attempt) -> Round | Promotion | Escalation:
    """What a round's verdicts lead to. No I/O: a table of cases is its test."""
    together = state.verdicts + tuple(verdicts)
    best = winner(verdicts)
    if best is not None:
        return _promotion(state, best, together, at)
    if state.spent:
        return _escalation(Reason.BUDGET_SPENT, state, together)
    if state.number < at.policy.max_rounds and may_ask(state, at) and for_model(state):
        told = feedback(verdicts, state.samples) or state.feedback
        return replace(state, number=state.number + 1, verdicts=together, feedback=told)
    return _escalation(Reason.ROUNDS_EXHAUSTED, state, together)


def winner(verdicts: Sequence[Verdict]) -> Verdict | None:
    """The passed verdict with nothing wrong that reaches most fields, on most pages; else the one that reaches most.

    Among equals it is one that also reads what no truth speaks of. Ties go to the earliest proposed, so to a free one.
    """
    passed = [one for one in verdicts if one.passed]
    return max(passed, key=_worth, default=None)


def _worth(one: Verdict) -> tuple[bool, int, int, int]:
    return not wrong_fields(one), len(reached(one)), rights(one), len(one.candidate.fields)


def _promotion(state: Round, best: Verdict, verdicts: tuple[Verdict, ...], at: Attempt) -> Promotion:
    served = frozenset(at.active.fields if at.active and state.redesigned else ())
    return Promotion(
        winner=best.candidate,
        verdict=best,
        samples=state.samples,
        residual=tuple(sorted({*residual_fields(state.samples, best), *(served - best.candidate.fields)})),
        warnings=tuple(one.message for one in best.findings if one.gate == "history"),
        rounds=state.number,
        new_epoch=state.redesigned,
        verdicts=state.sampled.earlier + verdicts,
    )


def _escalation(reason: Reason, state: Round, verdicts: tuple[Verdict, ...]) -> Escalation:
    every = state.sampled.earlier + verdicts
    return Escalation(reason, _nearest(verdicts), state.samples, every, rounds=state.number)


def _nearest(verdicts: Sequence[Verdict]) -> str:
    """The candidate that came closest, in a few words."""
    if not verdicts:
        return "no strategy had a candidate"
    best = max(verdicts, key=rights)
    wrong = sorted(name for name, tally in best.fields.items() if tally.wrong)
    says = f"the nearest, by {best.candidate.origin}, stopped at {best.stopped_at}"
    return says + (f" with {', '.join(wrong)} wrong" if wrong else "")
