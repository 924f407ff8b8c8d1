"""The registry as everybody else sees it: what it is asked for, and the rows that it gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from crawloop.model.events import Event, FamilyForgotten
from crawloop.model.family import Family, Golden, Version
from crawloop.model.outcome import Outcome
from crawloop.model.page import Page, Record


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
    of the answer; `flaw`, why it does not count: cut off, refused or empty.
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
    flaw: str = ""


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

    def forget(self, family: str, at: str) -> FamilyForgotten:
        """Deletes the family with its versions, golden pages, history, detectors and open journal, and audits it.

        Audit entries and what models answered stay. Raises UnknownFamily.
        """
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
