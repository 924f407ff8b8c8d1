"""A proposed program, and what happened when it ran."""

from __future__ import annotations

from dataclasses import dataclass, field

from crawloop.model.page import Record


@dataclass(frozen=True, slots=True)
class Candidate:
    """A program that defines `extract(page)`.

    `origin` is the strategy's name. `plan` is the program as JSON text (see `extract.plan`) where a strategy built
    it from readers, so that fields can be composed; None where somebody wrote the source by hand. `notes` are one
    line each, by field: the path chosen, runners-up, doubts. `answer` is the key of the model's answer in the ledger.
    """

    source: str
    origin: str
    fields: frozenset[str]
    plan: str | None = None
    model: str | None = None
    notes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a run gave no records. `kind`: refused, exception, deadline, memory, output, crash, syscall, page."""

    kind: str
    message: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """One program on one page: records, or a failure. `seconds` is the supervisor's clock."""

    url: str
    records: tuple[Record, ...] | None
    failure: Failure | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Trial:
    """A candidate with one run for each page: of the samples it has seen, the unseen ones, the golden pages."""

    candidate: Candidate
    seen: tuple[Run, ...]
    unseen: tuple[Run, ...] = ()
    golden: tuple[Run, ...] = ()
