"""The registry in a SQL database: SQLite by default, Postgres by its URL. Golden pages are files beside it."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from sqlalchemy import select

from crawloop.contract import Answer, Entry, Known
from crawloop.errors import RegistryError
from crawloop.model.events import Event, FamilyForgotten
from crawloop.model.family import Family, Golden, Version
from crawloop.model.outcome import Outcome
from crawloop.model.page import Page, Record
from crawloop.registry.advisory import AdvisoryLocks
from crawloop.registry.engine import Database
from crawloop.registry.golden import GoldenFolder, family_parts
from crawloop.registry.locks import FamilyLocks, FileLocks
from crawloop.registry.migrations import migrate
from crawloop.registry.rows import chronicle, ladder, past, runs
from crawloop.registry.settlement import Ending, forgotten, rolled_back, sets_of, settlement
from crawloop.registry.tables import audit


class SqlStore:
    """A `contract.Store`. Raises ConfigError for a URL that cannot be one, RegistryError for a database that cannot."""

    def __init__(self, url: str, fixtures: Path) -> None:
        self._database = Database(url)
        self._shelf = GoldenFolder(fixtures)
        self._locks = _locks(self._database)
        migrate(self._database)

    def shelve(self, fixtures: Path) -> None:
        self._shelf = GoldenFolder(fixtures)

    def families(self) -> list[Family]:
        with self._database.read() as connection:
            return ladder.all_families(connection)

    def family(self, name: str) -> Family | None:
        with self._database.read() as connection:
            return ladder.family(connection, name)

    def save_family(self, family: Family) -> None:
        family_parts(family.name)
        with self._database.write() as connection:
            ladder.save_family(connection, family)

    def versions(self, family: str) -> list[Version]:
        with self._database.read() as connection:
            return ladder.all_versions(connection, family)

    def version(self, family: str, number: int) -> Version | None:
        with self._database.read() as connection:
            return ladder.version(connection, family, number)

    def settle(
        self, family: Family, outcome: Outcome, event: Event, goldens: Sequence[Golden], at: str
    ) -> Version | None:
        family_parts(family.name)
        ending = Ending(family, outcome, event, tuple(goldens), at)
        fresh: tuple[Golden, ...] = ()
        try:
            with self._database.write_now("the end of a run") as connection:
                stored = ladder.family(connection, family.name)
                end = settlement(ending, stored, ladder.ladder(connection, family.name))
                fresh = end.fresh
                # the files first: what a committed row names is there
                self._shelf.write(fresh, family.schema_ref)
                ladder.save_family(connection, end.family)
                if end.version is not None:
                    ladder.add_version(connection, end.version, [golden.case for golden in end.goldens])
                past.remember(connection, family.name, [Known(url, records, at) for url, records in end.history])
                chronicle.add(connection, end.event)
                runs.finish(connection, event.run)
        except BaseException:
            self._take_back(fresh)
            raise
        return end.version

    def rollback(self, family: str, number: int, at: str) -> Version:
        with self._database.write() as connection:
            stored, wanted = ladder.family(connection, family), ladder.version(connection, family, number)
            after, version, event = rolled_back(family, number, stored, wanted, at)
            ladder.save_family(connection, after)
            past.save_detectors(connection, family, number, {})
            chronicle.add(connection, event)
            return version

    def forget(self, family: str, at: str) -> FamilyForgotten:
        with self._database.write() as connection:
            stored, rungs = ladder.family(connection, family), ladder.ladder(connection, family)
            cases, known = self._shelf.cases(family), past.known_urls(connection, family)
            event = forgotten(family, stored, len(rungs), len(cases), len(known), at)
            for rows in (runs, past, ladder):
                rows.forget(connection, family)
            chronicle.add(connection, event)
        self._shelf.clear(family)  # after the rows: a row never names a file that is gone
        return event

    def goldens(self, family: str, epoch: int | None = None) -> list[Golden]:
        with self._database.read() as connection:
            stored = ladder.family(connection, family)
            numbers = sets_of(epoch, ladder.ladder(connection, family), stored.active if stored else None)
            cases = dict.fromkeys(case for number in numbers for case in ladder.cases(connection, family, number))
        found = (self._shelf.read(family, case) for case in cases)
        return [golden for golden in found if golden is not None]

    def known(self, family: str, url: str) -> Known | None:
        return self.known_pages(family, [url]).get(url)

    def known_pages(self, family: str, urls: Sequence[str]) -> dict[str, Known]:
        with self._database.read() as connection:
            return past.known(connection, family, urls)

    def known_urls(self, family: str) -> list[str]:
        with self._database.read() as connection:
            return past.known_urls(connection, family)

    def remember(self, family: str, url: str, records: Sequence[Record], at: str) -> None:
        self.remember_pages(family, [Known(url, tuple(records), at)])

    def remember_pages(self, family: str, pages: Sequence[Known]) -> None:
        with self._database.write() as connection:
            past.remember(connection, family, pages)

    def detectors(self, family: str, version: int) -> dict[str, list[float]]:
        with self._database.read() as connection:
            return past.detectors(connection, family, version)

    def save_detectors(self, family: str, version: int, numbers: Mapping[str, Sequence[float]]) -> None:
        with self._database.write() as connection:
            past.save_detectors(connection, family, version, numbers)

    def audit(self, event: Event) -> int:
        with self._database.write() as connection:
            return chronicle.add(connection, event)

    def entries(
        self,
        family: str | None = None,
        *,
        kinds: Sequence[str] = (),
        since: str | None = None,
        run: str | None = None,
    ) -> list[Entry]:
        query = select(audit)
        if family is not None:
            query = query.where(audit.c.family == family)
        if kinds:
            query = query.where(audit.c.kind.in_(list(kinds)))
        if since is not None:
            query = query.where(audit.c.at >= since)
        if run is not None:
            query = query.where(audit.c.run == run)
        with self._database.read() as connection:
            return chronicle.entries(connection, query)

    def entry(self, number: int) -> Entry | None:
        with self._database.read() as connection:
            return chronicle.entry(connection, number)

    def save_page(self, page: Page) -> str:
        with self._database.write() as connection:
            return past.save_page(connection, page)

    def page(self, digest: str, url: str | None = None) -> Page | None:
        with self._database.read() as connection:
            return past.page(connection, digest, url)

    def begin(self, run: str, family: str, at: str) -> None:
        with self._database.write() as connection:
            runs.begin(connection, run, family, at)

    def journal(self, run: str, step: int, name: str, state: str) -> None:
        with self._database.write() as connection:
            runs.add_step(connection, run, step, name, state)

    def unfinished(self, family: str) -> tuple[str, int, str, str] | None:
        with self._database.read() as connection:
            return runs.unfinished(connection, family)

    def finish(self, run: str) -> None:
        with self._database.write() as connection:
            runs.finish(connection, run)

    def answer(self, key: str) -> Answer | None:
        with self._database.read() as connection:
            return runs.answer(connection, key)

    def save_answer(self, answer: Answer) -> None:
        with self._database.write_now("a model's answer") as connection:
            runs.save_answer(connection, answer)

    def answers(self, family: str | None = None, since: str | None = None) -> list[Answer]:
        with self._database.read() as connection:
            return runs.every_answer(connection, family, since)

    def conclude(self, key: str, verdict: str) -> None:
        with self._database.write() as connection:
            runs.conclude(connection, key, verdict)

    def spend(
        self, *, family: str | None = None, run: str | None = None, since: str | None = None
    ) -> tuple[int, float | None]:
        with self._database.read() as connection:
            return runs.spend(connection, family, run, since)

    def batch(self) -> AbstractContextManager[None]:
        return self._database.batch()

    def hold(self, family: str) -> AbstractContextManager[None]:
        return self._locks.hold(family)

    def close(self) -> None:
        self._database.close()

    def _take_back(self, fresh: tuple[Golden, ...]) -> None:
        """Removes the golden files of a promotion that failed, unless it was committed and only interrupted."""
        with contextlib.suppress(RegistryError):  # then they stay, and no registry names them
            if fresh and self.version(fresh[0].family, fresh[0].version) is None:
                self._shelf.remove(fresh)


def _locks(database: Database) -> FamilyLocks:
    url = database.engine.url
    if url.get_backend_name() == "sqlite":
        return FileLocks(Path(f"{url.database}.locks"))
    return AdvisoryLocks(database)
