"""The parts that a run and a crawl are made of: who fetches, knows, proposes, judges, runs, answers, watches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from crawloop.model.candidate import Candidate, Run, Trial
from crawloop.model.events import Event
from crawloop.model.family import Golden, Version
from crawloop.model.kind import Field, Schema
from crawloop.model.page import Page, Record
from crawloop.model.policy import Policy
from crawloop.model.question import Question, Told
from crawloop.model.truth import Sample, Testimony
from crawloop.model.verdict import Finding


class FetchContext(Protocol):
    """What a library user injects: anything that gives the text of a page."""

    async def fetch(self, url: str) -> str: ...


class Fetcher(Protocol):
    """Fetches whole pages. Raises FetchError; a page with an HTTP error status is returned, not raised."""

    async def fetch(self, url: str) -> Page: ...


class Source(Fetcher, Protocol):
    """A fetcher that also says what it has. Where it says nothing, its pages are as they were sent, and in no list."""

    @property
    def renders(self) -> bool:
        """Whether its pages are what scripts have made of them."""
        return False

    def urls(self) -> list[str]:
        """All pages that can be had; none where they cannot be listed."""
        return []

    def allow(self, urls: Iterable[str]) -> None:
        """From now on the hosts of these URLs may be asked too, which somebody asked for."""
        return


class Clock(Protocol):
    """The time, as an ISO 8601 string in UTC with seconds: "2026-01-31T12:00:00Z"."""

    def __call__(self) -> str: ...


class Completer(Protocol):
    """Asks a model. Raises CompletionError (BudgetSpent where the call was not made)."""

    async def complete(self, *, system: str, user: str, model: str) -> str: ...


@runtime_checkable
class Accountable(Protocol):
    """A completer that keeps its answers in a ledger, and that can be asked for an answer of a certain form."""

    async def told(self, question: Question) -> Told:
        """Raises CompletionError."""
        ...


class Ledger(Protocol):
    """Keeps what models answer, so that nothing is paid for twice, and bounds what is spent."""

    def of(self, purpose: str, index: int = 0) -> Completer:
        """A completer whose calls are kept under that purpose; `index` tells candidates of one prompt apart."""
        ...


class Witness(Protocol):
    """Somebody who may know right values for a page. Returns None where it knows nothing of it.

    One that `needs_model` is asked only after the free ones, and only where they left something unsaid. `beside` are
    other pages of the same template: what they share tells nothing of this one.
    """

    @property
    def name(self) -> str: ...

    @property
    def needs_model(self) -> bool: ...

    async def testify(
        self, page: Page, family: str, schema: Schema, model: str | None, beside: Sequence[Page] = ()
    ) -> Testimony | None: ...


@dataclass(frozen=True, slots=True)
class Dispute:
    """A field of which witnesses say different `values` on a page."""

    page: Page
    field: Field
    values: tuple[Any, ...]


class Arbiter(Protocol):
    """A second reading of a few values by a stronger model, in one call. Raises CompletionError."""

    async def settle(self, disputes: Sequence[Dispute], model: str) -> tuple[Mapping[int, int], str]:
        """By the index of a dispute that of its right value; of one that is missing none is. Then the answer's key."""
        ...


@dataclass(frozen=True, slots=True)
class Brief:
    """What a strategy is given. `samples` have truth and are the only ones it may learn from.

    `others` are pages without truth that it may look at for structure; pages kept for the unseen gate are not
    among them. `feedback` is the last round's, empty in round 1. `number` is the round. `left_out` samples are kept
    back to test what is proposed, which is to be as careful as if they were there. `settled` are the fields that some
    free candidate reads rightly already.
    """

    family: str
    schema: Schema
    samples: tuple[Sample, ...]
    others: tuple[Page, ...] = ()
    active: Version | None = None
    number: int = 1
    feedback: str = ""
    model: str | None = None
    candidates: int = 2
    left_out: int = 0
    settled: frozenset[str] = frozenset()


class Strategy(Protocol):
    """Proposes candidates. Raises StrategyDeclined with the reason where it has none.

    One that needs no model is asked in a thread, with an event loop of its own: it only computes.
    """

    @property
    def name(self) -> str: ...

    @property
    def needs_model(self) -> bool: ...

    async def propose(self, brief: Brief) -> Sequence[Candidate]: ...


@dataclass(frozen=True, slots=True)
class Case:
    """What a trial is judged on. `seen`, `unseen` and `goldens` stand in the order of the trial's runs.

    `unread` are fields that the active version does not read: a golden page may hold their values, from a person.
    """

    schema: Schema
    policy: Policy
    seen: tuple[Sample, ...]
    unseen: tuple[Sample, ...] = ()
    goldens: tuple[Golden, ...] = ()
    history: Mapping[str, tuple[Record, ...]] = field(default_factory=dict)
    unread: frozenset[str] = frozenset()


class Gate(Protocol):
    """One question that a candidate must answer well. Yields nothing where there is nothing to say."""

    @property
    def name(self) -> str: ...

    def judge(self, trial: Trial, case: Case) -> Iterable[Finding]: ...


class Sandbox(Protocol):
    """Runs programs that nobody trusts, each page apart, for several threads at once.

    Never raises for what the program does: see Run.failure.
    """

    def admit(self, source: str) -> None:
        """The static check alone. Raises ProgramRefused, which names the rule and the line."""
        ...

    def run(self, source: str, pages: Sequence[Page], *, deadline: float = 5.0) -> tuple[Run, ...]:
        """One run for each page, in order. `deadline` is in seconds for each page. After a page that hit the
        deadline the program is not tried on the rest: they carry the same failure."""
        ...

    def close(self) -> None: ...


class Observer(Protocol):
    """Told of each event as it happens, for progress. Must not raise."""

    def __call__(self, event: Event) -> None: ...
