"""The best reading of each field, from whichever candidate has it; and programs without the fields that are wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from crawloop.extract.plan import Plan
from crawloop.model.candidate import Candidate
from crawloop.model.verdict import Tally, Verdict


def wrong_fields(verdict: Verdict) -> frozenset[str]:
    """Fields that came out wrong on some sample: by their tally, or by a fatal finding that names them."""
    wrong = {name for name, tally in verdict.fields.items() if tally.wrong}
    return frozenset(wrong | {one.field for one in verdict.findings if one.fatal and one.field})


def cleaned(verdict: Verdict, family: str) -> Candidate | None:
    """The candidate without its wrong fields; None where it has none, or nothing would be left.

    That it passed is no excuse: what is wrong on any sample is better left to the residual fields.
    """
    return without_fields(verdict.candidate, wrong_fields(verdict), family)


def without_fields(candidate: Candidate, names: frozenset[str], family: str) -> Candidate | None:
    """The candidate with these fields left out; None where it claims none of them, or no other."""
    dropped = names & candidate.fields
    if not dropped or dropped == candidate.fields:
        return None
    fields = candidate.fields - dropped
    notes = {name: lines for name, lines in candidate.notes.items() if name in fields}
    if candidate.plan is None:
        return None
    plan = Plan.loads(candidate.plan).without(dropped)
    source = plan.source(family, candidate.origin)
    return replace(candidate, source=source, plan=plan.dumps(), fields=fields, notes=notes)


def best_of_each(verdicts: Sequence[Verdict], family: str) -> Candidate | None:
    """One program with the best reading of each field; None where a single candidate has them all.

    The best reading is right most often and wrong nowhere; ties go to the earliest proposed. Only programs with the
    same rows can be composed: those of the candidate that is best for most fields.
    """
    planned = [one for one in verdicts if one.candidate.plan]
    plans = [Plan.loads(one.candidate.plan or "") for one in planned]
    choice = _choice(planned, range(len(planned)))
    if not choice:
        return None
    lead = max(range(len(planned)), key=lambda index: (list(choice.values()).count(index), -index))
    choice = _choice(planned, [i for i, plan in enumerate(plans) if plan.rows == plans[lead].rows])
    used = sorted(set(choice.values()))
    if len(used) < 2:
        return None
    candidates = [planned[index].candidate for index in used]
    plan = Plan({name: plans[index].fields[name] for name, index in choice.items()}, plans[used[0]].rows)
    origin = " + ".join(dict.fromkeys(one.origin for one in candidates))
    return Candidate(
        source=plan.source(family, origin),
        origin=origin,
        fields=frozenset(choice),
        plan=plan.dumps(),
        model=next((one.model for one in candidates if one.model), None),
        notes={name: _notes(planned[index].candidate, name) for name, index in sorted(choice.items())},
    )


def _choice(verdicts: Sequence[Verdict], among: Sequence[int]) -> dict[str, int]:
    """For each field the index of the verdict whose reading of it is best."""
    choice: dict[str, int] = {}
    names = dict.fromkeys(name for index in among for name in sorted(verdicts[index].candidate.fields))
    for name in names:
        rights = {index: _right(verdicts[index], name) for index in among}
        best = max(rights, key=lambda index: (rights[index], -index))
        if rights[best]:
            choice[name] = best
        elif not any(name in one.fields for one in verdicts):  # no truth speaks of it: the first who reads it does
            choice[name] = next(index for index in among if name in verdicts[index].candidate.fields)
    return choice


def _right(verdict: Verdict, name: str) -> int:
    if name not in verdict.candidate.fields or name in wrong_fields(verdict):
        return 0
    return verdict.fields.get(name, Tally()).right


def _notes(candidate: Candidate, name: str) -> tuple[str, ...]:
    return (*candidate.notes.get(name, ()), f"from {candidate.origin}")
