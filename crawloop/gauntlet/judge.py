"""The gauntlet: gates in order, cheap ones first; a candidate goes no further than the first that it fails."""

from __future__ import annotations

from collections.abc import Sequence

from crawloop.contract import Case, Gate
from crawloop.gauntlet.agreement import Agreement
from crawloop.gauntlet.comparison import cells, claimed, contradictions, pairs, tallies
from crawloop.gauntlet.counts import Counts
from crawloop.gauntlet.golden import GoldenPages
from crawloop.gauntlet.hearsay import Hearsay
from crawloop.gauntlet.history import History
from crawloop.gauntlet.runs import Runs
from crawloop.gauntlet.safety import Safety
from crawloop.gauntlet.shape import Shape
from crawloop.gauntlet.unseen import Unseen
from crawloop.model.candidate import Trial
from crawloop.model.verdict import Finding, Verdict
from crawloop.values import is_blank

GATES: tuple[Gate, ...] = (
    Safety(),
    Runs(),
    Shape(),
    Counts(),
    Agreement(),
    Hearsay(),
    GoldenPages(),
    Unseen(),
    History(),
)
MOST_AGAINST = 20  # contradictions that are kept of a field that is wrong more often than right


def judge(trial: Trial, case: Case, gates: Sequence[Gate] = GATES) -> Verdict:
    """The verdict on a trial: every finding up to the first gate that has a fatal one.

    The tally by field covers all samples with truth, whichever gate ended the candidate: programs are composed by it.
    """
    findings: list[Finding] = []
    for gate in gates:
        found = list(gate.judge(trial, case))
        findings += found
        if any(one.fatal for one in found):
            break
    fields, together = claimed(trial, case), pairs(trial, case)
    tally = tallies(cell for sample, run in together for cell in cells(sample, run, fields))
    against = [one for sample, run in together for one in contradictions(sample, run, fields)]
    few = {name for name, one in tally.items() if one.wrong <= max(one.right, MOST_AGAINST)}
    contradicted = tuple(one for one in against if one.field in few)
    return Verdict(trial.candidate, tuple(findings), tally, contradicted, _silent(trial))


def _silent(trial: Trial) -> frozenset[str]:
    rows = [row for run in trial.seen + trial.unseen for row in run.records or ()]
    return frozenset(name for name in trial.candidate.fields if all(is_blank(row.get(name)) for row in rows))
