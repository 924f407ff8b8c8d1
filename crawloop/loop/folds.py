"""Leave one out: with too few samples to spare one, an induced program is tested by inducing it again without each.

A field that comes out wrong on the page left out is dropped from the program that was induced from all; one that
comes out null is kept and named as doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from crawloop.contract import Brief, Case, Strategy
from crawloop.loop.composition import without_fields, wrong_fields
from crawloop.loop.kit import Attempt
from crawloop.loop.trial import judged, known
from crawloop.model.candidate import Candidate
from crawloop.model.truth import Sample
from crawloop.model.verdict import Verdict


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


async def folded(candidate: Candidate, place: int, strategy: Strategy, brief: Brief, at: Attempt) -> Folded:
    """Tests a candidate by its folds. `place` is its index in the proposal."""
    verdicts: list[Verdict] = []
    wrong: dict[str, list[str]] = {}
    null: dict[str, list[str]] = {}
    for left_out in brief.samples:
        rest = tuple(one for one in brief.samples if one is not left_out)
        verdict = await _fold(place, strategy, replace(brief, samples=rest), left_out, at)
        verdicts += [verdict] if verdict else []
        doubts = _doubts(candidate, verdict, left_out)
        for name in doubts.wrong:
            wrong.setdefault(name, []).append(left_out.page.url)
        for name in doubts.null:
            null.setdefault(name, []).append(left_out.page.url)
    if wrong.keys() >= candidate.fields:
        return Folded(None, tuple(verdicts))
    for name, urls in null.items():
        doubt = f"doubt: induced without {', '.join(urls)}, it is null there"
        candidate = replace(candidate, notes=candidate.notes | {name: (*candidate.notes.get(name, ()), doubt)})
    why = "left out: wrong on a page it was not shown"
    kept = without_fields(candidate, frozenset(wrong), at.family.name, why) or candidate
    return Folded(kept, tuple(verdicts))


async def _fold(place: int, strategy: Strategy, brief: Brief, left_out: Sample, at: Attempt) -> Verdict | None:
    """What the program induced without a page does on it; None where there is no such program."""
    try:
        proposed: Sequence[Candidate] = await strategy.propose(brief)
    except Exception:  # noqa: BLE001 - a fold that cannot be induced is doubt, not an ending; the caller names it
        return None
    if place >= len(proposed):
        return None
    case = Case(at.schema, at.policy, (left_out,), history=known((left_out,), at))
    return await judged(proposed[place], case, at)


def _doubts(candidate: Candidate, verdict: Verdict | None, left_out: Sample) -> Doubts:
    supported = (left_out.truth.fields if left_out.truth else frozenset()) & candidate.fields
    if verdict is None:
        return Doubts(null=supported)
    wrong = wrong_fields(verdict) & candidate.fields
    right = {name for name, tally in verdict.fields.items() if tally.right and not tally.gap}
    return Doubts(wrong, supported - wrong - right)
