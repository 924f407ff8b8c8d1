"""The registry in memory, for tests and for runs that leave nothing behind. Same promises as `SqlStore`."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from crawloop.contract import Answer, Entry, Known
from crawloop.errors import RegistryError
from crawloop.model.events import Event, FamilyForgotten
from crawloop.model.family import Family, Golden, Version
from crawloop.model.outcome import Outcome
from crawloop.model.page import Page, Record
from crawloop.registry.entries import from_entry, kept
from crawloop.registry.golden import GoldenFolder, GoldenMemory, GoldenShelf, family_parts
from crawloop.registry.history import merged
from crawloop.registry.locks import ThreadLocks
from crawloop.registry.packing import loads, plain
from crawloop.registry.settlement import Ending, Rung, forgotten, rolled_back, sets_of, settlement
from crawloop.shape import url_key


@dataclass(slots=True)
class _Tables:
    families: dict[str, Family] = field(default_factory=dict)
    versions: dict[tuple[str, int], Version] = field(default_factory=dict)
    cases: dict[tuple[str, int], tuple[str, ...]] = field(default_factory=dict)
    history: dict[tuple[str, str], Known] = field(default_factory=dict)
    detectors: dict[tuple[str, int], Mapping[str, Sequence[float]]] = field(default_factory=dict)
    audit: dict[int, Event] = field(default_factory=dict)
    pages: dict[tuple[str, str], Page] = field(default_factory=dict)
    journals: dict[str, str] = field(default_factory=dict)
    steps: dict[tuple[str, int], tuple[str, str]] = field(default_factory=dict)
    answers: dict[str, Answer] = field(default_factory=dict)

    def forget(self, family: str) -> None:
        self.families.pop(family, None)
        keyed: tuple[dict[tuple[str, Any], Any], ...] = (self.versions, self.cases, self.history, self.detectors)
        for table in keyed:
            for key in [key for key in table if key[0] == family]:
                del table[key]

    def copy(self) -> _Tables:
        return _Tables(**{f.name: dict(getattr(self, f.name)) for f in dataclasses.fields(self)})


class MemoryStore:
    """A `contract.Store`. With `fixtures` the golden pages are files there, else they are in memory too."""

    def __init__(self, fixtures: Path | None = None) -> None:
        self._tables = _Tables()
        self._shelf: GoldenShelf = GoldenMemory() if fixtures is None else GoldenFolder(fixtures)
        self._locks = ThreadLocks()
        self._batches = 0

    def shelve(self, fixtures: Path) -> None:
        self._shelf = GoldenFolder(fixtures)

    def families(self) -> list[Family]:
        return [family for _, family in sorted(self._tables.families.items())]

    def family(self, name: str) -> Family | None:
        return self._tables.families.get(name)

    def save_family(self, family: Family) -> None:
        family_parts(family.name)
        self._tables.families[family.name] = family

    def versions(self, family: str) -> list[Version]:
        return [version for key, version in sorted(self._tables.versions.items()) if key[0] == family]

    def version(self, family: str, number: int) -> Version | None:
        return self._tables.versions.get((family, number))

    def settle(
        self, family: Family, outcome: Outcome, event: Event, goldens: Sequence[Golden], at: str
    ) -> Version | None:
        family_parts(family.name)
        self._not_in_batch("the end of a run")
        ending = Ending(family, outcome, event, tuple(goldens), at)
        end = settlement(ending, self.family(family.name), self._ladder(family.name))
        self._shelf.write(end.fresh, family.schema_ref)
        self._tables.families[family.name] = end.family
        if end.version is not None:
            key = (family.name, end.version.number)
            self._tables.versions[key] = _as_stored(end.version)
            self._tables.cases[key] = tuple(golden.case for golden in end.goldens)
        for url, records in end.history:
            self.remember(family.name, url, records, at)
        self.audit(end.event)
        self.finish(event.run)
        return end.version

    def rollback(self, family: str, number: int, at: str) -> Version:
        after, version, event = rolled_back(family, number, self.family(family), self.version(family, number), at)
        self._tables.families[family] = after
        self.save_detectors(family, number, {})
        self.audit(event)
        return version

    def forget(self, family: str, at: str) -> FamilyForgotten:
        cases, known = self._shelf.cases(family), self.known_urls(family)
        event = forgotten(family, self.family(family), len(self.versions(family)), len(cases), len(known), at)
        for run in [run for run, of in self._tables.journals.items() if of == family]:
            self.finish(run)
        self._tables.forget(family)
        self._shelf.clear(family)
        self.audit(event)
        return event

    def goldens(self, family: str, epoch: int | None = None) -> list[Golden]:
        stored = self.family(family)
        numbers = sets_of(epoch, self._ladder(family), stored.active if stored else None)
        cases = dict.fromkeys(case for number in numbers for case in self._tables.cases[family, number])
        found = (self._shelf.read(family, case) for case in cases)
        return [golden for golden in found if golden is not None]

    def known(self, family: str, url: str) -> Known | None:
        found = self._tables.history.get((family, url_key(url)))
        return dataclasses.replace(found, records=tuple(plain(found.records))) if found else None

    def known_pages(self, family: str, urls: Sequence[str]) -> dict[str, Known]:
        found = ((url, self.known(family, url)) for url in urls)
        return {url: known for url, known in found if known is not None}

    def known_urls(self, family: str) -> list[str]:
        found = sorted((known.url, known.seen_at) for key, known in self._tables.history.items() if key[0] == family)
        return [url for url, _ in sorted(found, key=lambda pair: pair[1], reverse=True)]

    def remember(self, family: str, url: str, records: Sequence[Record], at: str) -> None:
        if records:
            before = self.known(family, url)
            after = merged(before.records if before else (), plain(records))
            self._tables.history[family, url_key(url)] = Known(url, after, at)

    def remember_pages(self, family: str, pages: Sequence[Known]) -> None:
        for page in pages:
            self.remember(family, page.url, page.records, page.seen_at)

    def detectors(self, family: str, version: int) -> dict[str, list[float]]:
        return {name: list(some) for name, some in self._tables.detectors.get((family, version), {}).items()}

    def save_detectors(self, family: str, version: int, numbers: Mapping[str, Sequence[float]]) -> None:
        self._tables.detectors[family, version] = {name: tuple(some) for name, some in numbers.items()}

    def audit(self, event: Event) -> int:
        number = len(self._tables.audit) + 1
        self._tables.audit[number] = event
        return number

    def entries(
        self,
        family: str | None = None,
        *,
        kinds: Sequence[str] = (),
        since: str | None = None,
        run: str | None = None,
    ) -> list[Entry]:
        return [
            _entry(number, event)
            for number, event in sorted(self._tables.audit.items())
            if (family is None or event.family == family)
            and (not kinds or event.kind in kinds)
            and (since is None or event.at >= since)
            and (run is None or event.run == run)
        ]

    def entry(self, number: int) -> Entry | None:
        event = self._tables.audit.get(number)
        return _entry(number, event) if event else None

    def save_page(self, page: Page) -> str:
        digest = page.digest
        self._tables.pages[digest, page.url] = page
        return digest

    def page(self, digest: str, url: str | None = None) -> Page | None:
        found = [p for (d, u), p in self._tables.pages.items() if d == digest and url in (None, u)]
        newest = sorted(sorted(found, key=lambda p: p.url), key=lambda p: p.fetched_at, reverse=True)
        return newest[0] if newest else None

    def begin(self, run: str, family: str, at: str) -> None:
        for other in [r for r, f in self._tables.journals.items() if f == family]:
            self.finish(other)
        self._tables.journals[run] = family

    def journal(self, run: str, step: int, name: str, state: str) -> None:
        if run not in self._tables.journals:
            raise RegistryError(f"run {run!r} has no open journal")
        self._tables.steps[run, step] = (name, state)

    def unfinished(self, family: str) -> tuple[str, int, str, str] | None:
        run = next((r for r, f in self._tables.journals.items() if f == family), None)
        if run is None:
            return None
        step = max((s for r, s in self._tables.steps if r == run), default=0)
        return (run, step, *self._tables.steps.get((run, step), ("", "")))

    def finish(self, run: str) -> None:
        self._tables.journals.pop(run, None)
        for key in [key for key in self._tables.steps if key[0] == run]:
            del self._tables.steps[key]

    def answer(self, key: str) -> Answer | None:
        return self._tables.answers.get(key)

    def save_answer(self, answer: Answer) -> None:
        self._not_in_batch("a model's answer")
        self._tables.answers.setdefault(answer.key, answer)

    def answers(self, family: str | None = None, since: str | None = None) -> list[Answer]:
        found = [
            one for one in self._tables.answers.values() if family in (None, one.family) and one.at >= (since or "")
        ]
        return sorted(found, key=lambda one: (one.at, one.key))

    def conclude(self, key: str, verdict: str) -> None:
        if key in self._tables.answers:
            self._tables.answers[key] = replace(self._tables.answers[key], verdict=verdict)

    def spend(
        self, *, family: str | None = None, run: str | None = None, since: str | None = None
    ) -> tuple[int, float | None]:
        paid = [one.dollars for one in self.answers(family, since) if run in (None, one.run)]
        known = [dollars for dollars in paid if dollars is not None]
        return len(paid), float(sum(known)) if len(known) == len(paid) else None

    @contextmanager
    def batch(self) -> Iterator[None]:
        before = self._tables.copy()
        self._batches += 1
        try:
            yield
        except BaseException:
            self._tables = before
            raise
        finally:
            self._batches -= 1

    def hold(self, family: str) -> AbstractContextManager[None]:
        return self._locks.hold(family)

    def close(self) -> None:
        """Nothing is open."""

    def _ladder(self, family: str) -> list[Rung]:
        return [Rung(version.number, version.epoch) for version in self.versions(family)]

    def _not_in_batch(self, what: str) -> None:
        if self._batches:
            raise RegistryError(f"{what} must be kept at once and cannot be part of a batch: end the batch first")


def _entry(number: int, event: Event) -> Entry:
    return Entry(number, from_entry(event.kind, loads(kept(event)), family=event.family, at=event.at, run=event.run))


def _as_stored(version: Version) -> Version:
    """As a database gives it back: what JSON holds, nothing that the caller may still change."""
    notes = {name: tuple(lines) for name, lines in plain(version.notes).items()}
    return dataclasses.replace(version, profile=plain(version.profile), notes=notes)
