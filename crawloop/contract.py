"""Every protocol: what the loop needs from the world, and what each part promises it.

Implementations say what they are (`SqlStore`, `LiteLLMCompleter`); one contract suite per protocol runs over all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, runtime_checkable

from crawloop.model.candidate import Candidate, Run, Trial
from crawloop.model.events import Event
from crawloop.model.family import Family, Golden, Version
from crawloop.model.kind import Schema
from crawloop.model.outcome import Outcome
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
class Brief:
    """What a strategy is given. `samples` have truth and are the only ones it may learn from.

    `others` are pages without truth that it may look at for structure; pages kept for the unseen gate are not
    among them. `feedback` is the last round's, empty in round 1. `number` is the round. `left_out` samples are kept
    back to test what is proposed, which is to be as careful as if they were there.
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
    """What a trial is judged on. `seen`, `unseen` and `goldens` stand in the order of the trial's runs."""

    schema: Schema
    policy: Policy
    seen: tuple[Sample, ...]
    unseen: tuple[Sample, ...] = ()
    goldens: tuple[Golden, ...] = ()
    history: Mapping[str, tuple[Record, ...]] = field(default_factory=dict)


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


@dataclass(frozen=True, slots=True)
class Known:
    """The last known good records of a URL."""

    url: str
    records: tuple[Record, ...]
    seen_at: str


@dataclass(frozen=True, slots=True)
class Entry:
    """An event as the audit keeps it."""

    id: int
    event: Event


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's answer as the ledger keeps it.

    `question` is what was asked, with what is to be kept secret taken out of it; `prompt` names the prompt's file and
    version. `asked` and `answered` are tokens, None where the provider does not count. `verdict` says what became
    of the answer.
    """

    key: str
    model: str
    purpose: str
    text: str
    dollars: float | None
    seconds: float
    family: str = ""
    run: str = ""
    at: str = ""
    prompt: str = ""
    question: str = ""
    asked: int | None = None
    answered: int | None = None
    verdict: str = ""


class Store(Protocol):
    """The registry: families, versions, history, audit, journal, ledger. Each method is one transaction.

    Raises RegistryError where the database cannot be read or written.
    """

    def shelve(self, fixtures: Path) -> None:
        """From now on golden pages are files in this folder."""
        ...

    def families(self) -> list[Family]: ...

    def family(self, name: str) -> Family | None: ...

    def save_family(self, family: Family) -> None:
        """Adds the family or replaces what is known of it."""
        ...

    def versions(self, family: str) -> list[Version]:
        """The ladder, oldest first. Each source is checked against its hash; raises RegistryError if it differs."""
        ...

    def version(self, family: str, number: int) -> Version | None: ...

    def settle(
        self, family: Family, outcome: Outcome, event: Event, goldens: Sequence[Golden], at: str
    ) -> Version | None:
        """Ends a run in one transaction, after the golden files are written.

        A promotion adds the next version, makes it active, opens a new epoch where `outcome.new_epoch`, sets
        HEALTHY and writes the history of the samples' supported truth. An escalation sets ESCALATED and keeps the
        active version. Both take `family.cooldown_until`, write `event`, whose version number is filled in, and close
        the journal of its run. Returns the version of a promotion.
        """
        ...

    def rollback(self, family: str, number: int, at: str) -> Version:
        """Makes an older (or newer) version active, and audits it. Raises UserError where there is none."""
        ...

    def goldens(self, family: str, epoch: int | None = None) -> list[Golden]:
        """The golden pages of one epoch, or of all."""
        ...

    def known(self, family: str, url: str) -> Known | None:
        """Last known good records of a URL, which are compared without fragment and scheme."""
        ...

    def known_pages(self, family: str, urls: Sequence[str]) -> dict[str, Known]: ...

    def known_urls(self, family: str) -> list[str]:
        """URLs with history, the last seen first."""
        ...

    def remember(self, family: str, url: str, records: Sequence[Record], at: str) -> None:
        """Writes history per field: a null never overwrites a value; lists of other lengths replace the whole."""
        ...

    def remember_pages(self, family: str, pages: Sequence[Known]) -> None: ...

    def detectors(self, family: str, version: int) -> dict[str, list[float]]:
        """What the detectors of drift knew of a version when they were last saved; empty where they never were."""
        ...

    def save_detectors(self, family: str, version: int, numbers: Mapping[str, Sequence[float]]) -> None:
        """Replaces what is known of the version's detectors."""
        ...

    def audit(self, event: Event) -> int: ...

    def entries(
        self,
        family: str | None = None,
        *,
        kinds: Sequence[str] = (),
        since: str | None = None,
        run: str | None = None,
    ) -> list[Entry]:
        """Audit entries, oldest first."""
        ...

    def entry(self, number: int) -> Entry | None: ...

    def save_page(self, page: Page) -> str:
        """Stores a page once by its digest, and returns that."""
        ...

    def page(self, digest: str, url: str | None = None) -> Page | None:
        """The page of that digest; where several URLs gave the same text, the one of `url`, else the newest."""
        ...

    def begin(self, run: str, family: str, at: str) -> None:
        """Opens a journal. One journal a family is open at a time; it is what a killed run resumes from."""
        ...

    def journal(self, run: str, step: int, name: str, state: str) -> None:
        """Appends the state after a step, as JSON text."""
        ...

    def unfinished(self, family: str) -> tuple[str, int, str, str] | None:
        """(run, step, name, state) of the open journal's last step; step 0 and empty texts where it has none yet."""
        ...

    def finish(self, run: str) -> None:
        """Closes the journal; the run is never resumed."""
        ...

    def answer(self, key: str) -> Answer | None: ...

    def save_answer(self, answer: Answer) -> None:
        """Stores a model's answer before anybody uses it."""
        ...

    def answers(self, family: str | None = None, since: str | None = None) -> list[Answer]:
        """The answers that were paid for, oldest first; from an ISO moment on."""
        ...

    def conclude(self, key: str, verdict: str) -> None:
        """Notes what became of an answer."""
        ...

    def spend(
        self, *, family: str | None = None, run: str | None = None, since: str | None = None
    ) -> tuple[int, float | None]:
        """(calls, dollars) that were paid; dollars are None where any price is unknown."""
        ...

    def batch(self) -> AbstractContextManager[None]:
        """Joins the writes of this thread in one transaction, undone whole if the block raises. Nothing may be
        awaited within; `settle` and `save_answer` raise RegistryError there, for they are kept at once."""
        ...

    def hold(self, family: str) -> AbstractContextManager[None]:
        """The family's lock across processes and threads; it is free again when its process dies.

        Raises FamilyBusy, which says which process holds it and since when.
        """
        ...

    def close(self) -> None: ...


class Observer(Protocol):
    """Told of each event as it happens, for progress. Must not raise."""

    def __call__(self, event: Event) -> None: ...
