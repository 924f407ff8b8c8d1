"""The best reading of each field, from whichever candidate has it; and programs without the fields that are wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from crawloop.extract.plan import Plan
from crawloop.model.candidate import Candidate
from crawloop.model.verdict import Tally, Verdict
from crawloop.strategy.plans.emit import composed, without


def wrong_fields(verdict: Verdict) -> frozenset[str]:
    """Fields that came out wrong on some sample: by their tally, or by a fatal finding that names them.

    What a golden page finds is not among them: it is not mended by leaving the field out.
    """
    wrong = {name for name, tally in verdict.fields.items() if tally.wrong}
    named = {one.field for one in verdict.findings if one.fatal and one.field and one.gate != "golden"}
    return frozenset(wrong | named)


def reached(verdict: Verdict) -> frozenset[str]:
    """The fields that come out right on some sample."""
    return frozenset(name for name, tally in verdict.fields.items() if tally.right)


def rights(verdict: Verdict) -> int:
    """How many values come out right, over all samples."""
    return sum(tally.right for tally in verdict.fields.values())


def cleaned(verdict: Verdict, family: str) -> Candidate | None:
    """The candidate without its wrong fields; None where it has none, or nothing would be left.

    That it passed is no excuse: what is wrong on any sample is better left to the residual fields.
    """
    return without_fields(verdict.candidate, wrong_fields(verdict), family, "left out: wrong on a sample")


def without_fields(candidate: Candidate, names: frozenset[str], family: str, why: str) -> Candidate | None:
    """The candidate with these fields left out, which its notes say; None where it claims none of them, or no other."""
    dropped = names & candidate.fields
    if not dropped or dropped == candidate.fields:
        return None
    fields = candidate.fields - dropped
    notes = candidate.notes | {name: (*candidate.notes.get(name, ()), why) for name in sorted(dropped)}
    if candidate.plan is not None:
        plan = Plan.loads(candidate.plan).without(dropped)
        source = plan.source(family, candidate.origin)
        return replace(candidate, source=source, plan=plan.dumps(), fields=fields, notes=notes)
    try:
        source = without(candidate.source, dropped)
    except SyntaxError:
        return None
    return replace(candidate, source=source, fields=fields, notes=notes)


def best_of_each(verdicts: Sequence[Verdict], family: str) -> Candidate | None:
    """One program with the best reading of each field; None where a single candidate has them all.

    The best reading is right most often and wrong nowhere; ties go to the earliest proposed. Only programs with the
    same rows can be composed: those of the candidate that is best for most fields.
    """
    planned = [one for one in verdicts if one.candidate.plan]
    rows = [Plan.loads(one.candidate.plan or "").rows for one in planned]
    choice = list(_choice(planned, range(len(planned))).values())
    if not choice:
        return None
    lead = max(range(len(planned)), key=lambda index: (choice.count(index), -index))
    chosen = _choice(planned, [index for index, one in enumerate(rows) if one == rows[lead]])
    parts = [
        (planned[index].candidate, frozenset(name for name, by in chosen.items() if by == index))
        for index in sorted(set(chosen.values()))
    ]
    if len(parts) < 2:
        return None
    origin = " + ".join(dict.fromkeys(one.origin for one, _ in parts))
    whole = composed(parts, family, origin)
    return whole and replace(whole, model=next((one.model for one, _ in parts if one.model), None))


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
