"""The family lock in Postgres: an advisory lock, held by a connection that ends with its process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from crawloop.errors import RegistryError
from crawloop.registry.engine import Database
from crawloop.registry.locks import busy, holder, lock_digest

_TAKE = text("SELECT pg_try_advisory_lock(:key)")
_GIVE_BACK = text("SELECT pg_advisory_unlock(:key)")
_NAME = text("SELECT set_config('application_name', :name, false)")
# Postgres shows a 64-bit key as two halves
_WHO = text(
    "SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid "
    "WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 "
    "AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
    "AND ((l.classid::bigint << 32) | l.objid::bigint) = :key"
)


class AdvisoryLocks:
    """Locks for processes of any machine that share the database. Raises FamilyBusy."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @contextmanager
    def hold(self, family: str) -> Iterator[None]:
        key = int(lock_digest(family)[:16], 16) - (1 << 63)
        connection = self._taken(family, key)
        try:
            yield
        finally:
            # Given back first, as the server takes its time to notice that a session has ended; and not back into
            # the pool, so that the lock ends with the session whatever happens.
            with suppress(DBAPIError):
                connection.execute(_GIVE_BACK, {"key": key})
            connection.invalidate()
            connection.close()

    def _taken(self, family: str, key: int) -> Connection:
        try:
            connection = self._database.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        except DBAPIError as error:
            raise RegistryError(f"{self._database.where}: no connection for the lock ({error.orig})") from error
        try:
            with self._database.translated():
                if self._is_mine(connection, key):
                    return connection
                held_by = connection.execute(_WHO, {"key": key}).scalar_one_or_none() or ""
        except BaseException:
            connection.invalidate()
            raise
        connection.close()
        words = held_by.split("|")
        known = dict(zip(("pid", "since", "host"), words[1:], strict=True)) if len(words) == 4 else {}
        raise busy(family, json.dumps(known))

    def _is_mine(self, connection: Connection, key: int) -> bool:
        """Takes the lock if it is free, and writes on the connection who has it."""
        if not connection.execute(_TAKE, {"key": key}).scalar_one():
            return False
        said = json.loads(holder())
        name = "|".join(("crawloop", str(said["pid"]), said["since"], said["host"]))
        connection.execute(_NAME, {"name": name[:63]})
        return True
