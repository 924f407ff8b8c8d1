"""One frozen class per fact that the audit can hold, and those of single pages, which only observers are told of.

Bodies hold plain JSON values only; `kind` is the class name, and `from_entry` in the registry is the way back.
"""

from __future__ import annotations

import dataclasses
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Event:
    """A fact about a family, within one run of the loop (`run` is empty outside of one)."""

    family: str
    at: str
    run: str

    @property
    def kind(self) -> str:
        return type(self).__name__

    def body(self) -> dict[str, Any]:
        """Everything but family, at and run, as plain JSON values."""
        return {k: v for k, v in asdict(self).items() if k not in ("family", "at", "run")}


def unwatched(event: Event) -> None:
    """The observer of what nobody watches."""


@dataclass(frozen=True, slots=True)
class StageBegun(Event):
    """What a run does next, for who watches it; the audit holds what came of it."""

    what: str


@dataclass(frozen=True, slots=True)
class PageSampled(Event):
    """A page became a sample."""

    url: str
    digest: str


@dataclass(frozen=True, slots=True)
class PageDropped(Event):
    """A page was fetched, or tried, and is no sample; or its truth could not be established."""

    url: str
    why: str


@dataclass(frozen=True, slots=True)
class WitnessSpoke(Event):
    """A witness testified of a page. `said` are its first records, by which a page that was refused is understood."""

    witness: str
    url: str
    records: int
    fields: tuple[str, ...]
    said: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class WitnessSilent(Event):
    """A witness has nothing to say of a page, or broke."""

    witness: str
    url: str
    why: str


@dataclass(frozen=True, slots=True)
class WitnessesDisagreed(Event):
    """Two witnesses give different values for one field."""

    url: str
    record: int
    field: str
    said: dict[str, Any]
    kept: Any


@dataclass(frozen=True, slots=True)
class StrategyProposed(Event):
    """A strategy proposed candidates."""

    strategy: str
    round: int
    candidates: int


@dataclass(frozen=True, slots=True)
class StrategySilent(Event):
    """A strategy declined, or broke: `why` says which."""

    strategy: str
    round: int
    why: str


@dataclass(frozen=True, slots=True)
class CandidateJudged(Event):
    """A candidate went through the gauntlet."""

    origin: str
    round: int
    passed: bool
    stopped_at: str | None
    findings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModelCalled(Event):
    """A model answered, or was answered for from the ledger (`cached`)."""

    purpose: str
    model: str
    seconds: float
    dollars: float | None
    cached: bool


@dataclass(frozen=True, slots=True)
class TierFailed(Event):
    """Nothing was promoted with this model, or it cannot be asked; the next one is tried."""

    model: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class VersionPromoted(Event):
    """A new version serves. `evidence` is what a reviewer needs: pages, truth, verdicts, cost."""

    version: int
    origin: str
    evidence: dict[str, Any] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class VersionKept(Event):
    """The program of the active version won again: it serves on, and nothing was promoted."""

    version: int
    origin: str
    evidence: dict[str, Any] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FamilyEscalated(Event):
    """A person is needed. `evidence` holds pages, truth with evidence, candidates, verdicts by field, cost."""

    reason: str
    evidence: dict[str, Any] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RolledBack(Event):
    """A person made an older version the active one."""

    version: int
    before: int | None


@dataclass(frozen=True, slots=True)
class FamilyForgotten(Event):
    """A person had all that was known of the family deleted: versions, golden pages, and history of so many pages."""

    versions: int
    goldens: int
    known: int


@dataclass(frozen=True, slots=True)
class DriftNoticed(Event):
    """Serving found that the extractor no longer fits: once for each cause, with the page that showed it."""

    version: int
    url: str
    problems: tuple[str, ...]
    causes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PageFetched(Event):
    """A page was asked for, which took `seconds` with its turn and its retries; `status` is None where none came."""

    url: str
    status: int | None
    seconds: float


@dataclass(frozen=True, slots=True)
class PageServed(Event):
    """A page of a crawl was reported."""

    url: str
    status: str


PAGE_BY_PAGE = (PageFetched, PageServed)  # too many for the audit: the report of a crawl has a line for each
