"""How a run ends: a promotion or an escalation."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from crawloop.model.candidate import Candidate
from crawloop.model.truth import Sample
from crawloop.model.verdict import Verdict


class Reason(StrEnum):
    """Why a run ended as it did."""

    PROMOTED = "promoted"
    NO_SAMPLES = "no samples"
    TOO_FEW_ORACLES = "insufficient oracles"
    ROUNDS_EXHAUSTED = "max rounds exhausted"
    BUDGET_SPENT = "budget spent"

    @property
    def stronger_model_may_help(self) -> bool:
        """Whether a stronger model could change this ending."""
        return self in (Reason.TOO_FEW_ORACLES, Reason.ROUNDS_EXHAUSTED)


@dataclass(frozen=True, slots=True)
class Spend:
    """What a run has used: model calls that were paid for, dollars (None where a price is unknown), seconds."""

    calls: int = 0
    dollars: float | None = 0.0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Promotion:
    """A winner with all that its version and its audit entry need.

    `keeps` is the number of the version that has this very program already: it serves on, and none is added.
    """

    winner: Candidate
    verdict: Verdict
    samples: tuple[Sample, ...]
    residual: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    rounds: int = 1
    new_epoch: bool = False
    verdicts: tuple[Verdict, ...] = ()
    spend: Spend = Spend()
    profile: dict[str, Any] = field(default_factory=dict)
    keeps: int | None = None


@dataclass(frozen=True, slots=True)
class Escalation:
    """A person is needed. `detail` completes the reason: "insufficient oracles: got 1, need 3"."""

    reason: Reason
    detail: str = ""
    samples: tuple[Sample, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    rounds: int = 0
    spend: Spend = Spend()

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}" if self.detail else str(self.reason)


Outcome = Promotion | Escalation
