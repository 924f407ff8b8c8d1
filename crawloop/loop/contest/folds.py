"""Leave one out: with too few samples to spare one, an induced program is tested by inducing it again without each.

A field that comes out wrong on the page left out is dropped from the program that was induced from all; one that
comes out null, or is wrong where the other pages could not teach it, is kept and named as doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from crawloop.contract import Brief, Case, Strategy
from crawloop.loop.contest.composition import without_fields, wrong_fields
from crawloop.loop.contest.proposal import proposals
from crawloop.loop.contest.trial import judged, known
from crawloop.loop.kit import Attempt
from crawloop.model.candidate import Candidate
from crawloop.model.truth import Sample
from crawloop.model.verdict import Tally, Verdict
from crawloop.values import fold
from crawloop.values.votes import ANY, outvoted

_ROWS_A_LABEL = 3
_TELLING = 2  # values: one alone stands in many places, and cannot tell which is meant
ROWS_ARE_OTHERS = ("safety", "runs", "counts")


@dataclass(frozen=True, slots=True)
class Doubts:
    """Fields by what the folds said of them."""

    wrong: frozenset[str] = frozenset()
    null: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Folded:
    """A candidate after its folds: fields dropped, doubts in its notes; None where no field is left."""

    candidate: Candidate | None
    verdicts: tuple[Verdict, ...]


Fold = tuple[Sample, Sequence[Candidate]]
"""A page left out, and what the strategy proposes without it: nothing where it declines or breaks."""


async def folds(strategy: Strategy, brief: Brief) -> tuple[Fold, ...]:
    """The strategy's proposals without each sample in turn, induced once for all candidates."""
    return tuple([(left_out, await _without(left_out, strategy, brief)) for left_out in brief.samples])


async def _without(left_out: Sample, strategy: Strategy, brief: Brief) -> Sequence[Candidate]:
    rest = tuple(one for one in brief.samples if one is not left_out)
    try:
        return await proposals(strategy, replace(brief, samples=rest, left_out=1))
    except Exception:  # noqa: BLE001 - a fold that cannot be induced is doubt, not an ending; `folded` names it
        return ()


async def folded(candidate: Candidate, place: int, tests: Sequence[Fold], at: Attempt) -> Folded:
    """Tests a candidate by its folds. `place` is its index in each proposal."""
    verdicts: list[Verdict] = []
    wrong: dict[str, list[str]] = {}
    null: dict[str, list[str]] = {}
    for left_out, proposed in tests:
        verdict = await _judged(proposed[place], left_out, at) if place < len(proposed) else None
        verdicts += [verdict] if verdict else []
        rest = [one for one, _ in tests if one is not left_out]
        doubts = doubts_in(candidate, verdict, left_out, rest)
        for name in doubts.wrong:
            wrong.setdefault(name, []).append(left_out.page.url)
        for name in doubts.null:
            null.setdefault(name, []).append(left_out.page.url)
    if wrong.keys() >= candidate.fields:
        return Folded(None, tuple(verdicts))
    for name, urls in null.items():
        doubt = f"doubt: induced without {', '.join(urls)}, it is null there or was not taught"
        candidate = replace(candidate, notes=candidate.notes | {name: (*candidate.notes.get(name, ()), doubt)})
    why = "left out: wrong on a page it was not shown"
    kept = without_fields(candidate, frozenset(wrong), at.family.name, why) or candidate
    return Folded(kept, tuple(verdicts))


async def _judged(program: Candidate, left_out: Sample, at: Attempt) -> Verdict:
    """What the program induced without a page does on it."""
    case = Case(at.schema, at.policy, (left_out,), history=known((left_out,), at))
    return await judged(program, case, at)


def doubts_in(candidate: Candidate, verdict: Verdict | None, left_out: Sample, rest: Sequence[Sample]) -> Doubts:
    """What a fold says of a candidate's fields: on other rows than the page's records hardly anything."""
    supported = (left_out.truth.fields if left_out.truth else frozenset()) & candidate.fields
    if verdict is None:
        return Doubts(null=supported)
    if any(one.gate in ROWS_ARE_OTHERS for one in verdict.findings):
        return Doubts(null=supported)
    wrong = wrong_fields(verdict) & candidate.fields
    wrong -= {
        name
        for name in wrong
        if _is_untold(name, rest)
        or are_exceptions(name, verdict)
        or labels_unseen(name, verdict, left_out, rest)
        or are_first_several(name, verdict, rest)
    }
    right = {name for name, tally in verdict.fields.items() if tally.right and not tally.gap and not tally.wrong}
    return Doubts(wrong, supported - wrong - right)


def _is_untold(name: str, rest: Sequence[Sample]) -> bool:
    """Whether the other pages have too few values of a field to tell the reader that all of them chose together."""
    return sum(len(_said(name, one)) for one in rest) < _TELLING


def are_exceptions(name: str, verdict: Verdict) -> bool:
    """Whether a field is right nearly everywhere: the program induced from all pages has seen the exceptions too."""
    tally = verdict.fields.get(name, Tally())
    return outvoted(tally.right, tally.wrong, ANY)


def labels_unseen(name: str, verdict: Verdict, left_out: Sample, rest: Sequence[Sample]) -> bool:
    """Whether a field of a few labels is wrong only on labels that no other page has, and mostly right.

    The program induced from all pages knows those labels: this fold says nothing of it.
    """
    taught = [fold(str(value)) for one in rest for value in _said(name, one)]
    own = [fold(str(value)) for value in _said(name, left_out)]
    if not taught or len(set(taught)) * _ROWS_A_LABEL > len(taught):
        return False
    named = {fold(str(one.expected)) for one in verdict.findings if one.field == name and one.expected is not None}
    tally = verdict.fields.get(name, Tally())
    unseen = sum(one not in taught for one in own)
    return tally.wrong <= unseen and tally.right >= 2 * tally.wrong and named.isdisjoint(taught)


def are_first_several(name: str, verdict: Verdict, rest: Sequence[Sample]) -> bool:
    """Whether a field is wrong only in lists of several elements, and every other page has one alone: these cannot tell
    where the second stands, and the program induced from all pages knows it."""
    missed = [one.expected for one in verdict.findings if one.field == name and one.expected is not None]
    alone = all(isinstance(said, list) and len(said) == 1 for one in rest for said in _said(name, one))
    return alone and bool(missed) and all(isinstance(one, list) and len(one) > 1 for one in missed)


def _said(name: str, sample: Sample) -> list[object]:
    """The values of a field on a page, record by record."""
    return [one[name] for one in sample.truth.values() if name in one] if sample.truth else []
