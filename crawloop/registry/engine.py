"""Transactions: a read, a write, and a batch that many writes of one thread join; the database's errors become ours."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from crawloop.errors import RegistryError
from crawloop.registry.dialect import open_engine

_REMEDIES = (
    (
        ("not a database", "malformed", "corrupt"),
        "it is damaged and was left as it is: restore a backup, or move it away and bootstrap the families again "
        "(fixtures/ and schemas/ stay usable)",
    ),
    (
        ("disk is full", "no space left", "disk i/o error", "disk quota"),
        "nothing was half-written: make room on the disk and run again",
    ),
    (
        ("unable to open", "readonly", "read-only", "permission denied"),
        "check that its folder exists and that this user may write the file and its folder",
    ),
    (("locked", "busy"), "another process has been writing to it for too long: run again when that one has ended"),
    (
        ("could not connect", "connection refused", "could not translate", "connection failed", "is not accepting"),
        "check that the database runs and that the URL in crawloop.toml is right",
    ),
)


class Database:
    """One engine. `where` names it in messages, without its password."""

    def __init__(self, url: str) -> None:
        self.engine: Engine = open_engine(url)
        shown = self.engine.url
        self.where = f"registry {shown.database if shown.get_backend_name() == 'sqlite' else shown.render_as_string()}"
        self._here = threading.local()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection for reading; within a batch it sees what the batch has written."""
        with self.translated():
            joined = self._joined()
            if joined is not None:
                yield joined
                return
            with self.engine.connect() as connection:
                yield connection

    @contextmanager
    def write(self, *, lasting: bool = True) -> Iterator[Connection]:
        """One transaction; within a batch a part of it, which fails alone. `lasting` ones outlive a loss of power."""
        with self.translated():
            joined = self._joined()
            if joined is not None:
                with joined.begin_nested():
                    yield joined
                return
            with self.engine.connect() as fresh, fresh.execution_options(writes=True, lasting=lasting).begin():
                yield fresh

    @contextmanager
    def write_now(self, what: str) -> Iterator[Connection]:
        """One transaction that is committed at its end. Raises RegistryError within a batch."""
        if self._joined() is not None:
            raise RegistryError(f"{what} must be kept at once and cannot be part of a batch: end the batch first")
        with self.write() as connection:
            yield connection

    @contextmanager
    def batch(self) -> Iterator[None]:
        """All writes of this thread in one transaction, which is undone if the block raises, or if the power fails."""
        if self._joined() is not None:
            yield
            return
        with self.write(lasting=False) as connection:
            self._here.connection = connection
            try:
                yield
            finally:
                self._here.connection = None

    def close(self) -> None:
        self.engine.dispose()

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Errors of the database in the block become RegistryError, with what to do about each."""
        try:
            yield
        except SQLAlchemyError as error:
            cause = str(error.orig if isinstance(error, DBAPIError) else error).strip().splitlines()[0]
            raise RegistryError(f"{self.where}: {cause}; {_remedy(cause)}") from error

    def _joined(self) -> Connection | None:
        return getattr(self._here, "connection", None)


def _remedy(cause: str) -> str:
    lowered = cause.lower()
    for marks, remedy in _REMEDIES:
        if any(mark in lowered for mark in marks):
            return remedy
    return "nothing was half-written; `crawloop doctor` checks the database"
