"""What the gauntlet says of a candidate."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from crawloop.model.candidate import Candidate
from crawloop.model.truth import Place


@dataclass(frozen=True, slots=True)
class Finding:
    """What a gate found, where and why. A fatal finding ends the candidate; others are counted and named."""

    gate: str
    message: str
    fatal: bool = True
    url: str | None = None
    record: int | None = None
    field: str | None = None
    expected: Any = None
    got: Any = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts for one field over all samples with truth: right, wrong and gap (null where truth has a value)."""

    right: int = 0
    wrong: int = 0
    gap: int = 0


@dataclass(frozen=True, slots=True)
class Contradiction:
    """One value of truth, `said`, for which the program gives another, `got`; `record` is truth's index.

    `carried`: the page carries what is said.
    """

    url: str
    record: int
    field: str
    said: Any
    got: Any
    carried: bool = True

    @property
    def place(self) -> Place:
        return self.url, self.record, self.field


@dataclass(frozen=True, slots=True)
class Verdict:
    """The findings for one candidate, and its tally by field. It passed when no finding is fatal.

    `contradictions` are left out for fields that are wrong both often and more often than right. `silent` are the
    fields that the candidate claims and reads from no page.
    """

    candidate: Candidate
    findings: tuple[Finding, ...] = ()
    fields: dict[str, Tally] = dataclasses.field(default_factory=dict)
    contradictions: tuple[Contradiction, ...] = ()
    silent: frozenset[str] = frozenset()

    @property
    def passed(self) -> bool:
        return not any(f.fatal for f in self.findings)

    @property
    def stopped_at(self) -> str | None:
        """The gate that ended the candidate, or None."""
        return next((f.gate for f in self.findings if f.fatal), None)
