"""Numbered steps that bring a registry to what this program knows, all in one transaction.

`NNNN_what.sql` beside this file is step NNNN; a step is never changed once it has been released.
"""

from __future__ import annotations

from importlib import resources

from sqlalchemy import Connection, inspect, text

from crawloop.errors import RegistryError
from crawloop.registry.dialect import prepare, words
from crawloop.registry.engine import Database
from crawloop.registry.tables import metadata

TABLE = "crawloop_schema"


def steps() -> list[tuple[int, str]]:
    """(number, SQL text) of every step, in order."""
    files = [f for f in resources.files(__package__).iterdir() if f.name.endswith(".sql")]
    return sorted((int(f.name[:4]), f.read_text("utf-8")) for f in files)


def migrate(database: Database) -> None:
    """Raises RegistryError for a registry of a newer program, and for a database that is not a registry."""
    known = steps()
    with database.read() as connection:
        if _version(connection, database.where, known[-1][0]) == known[-1][0]:
            return
    with database.translated():
        prepare(database.engine)
    with database.write() as connection:
        words(connection).lock_schema(connection)
        version = _version(connection, database.where, known[-1][0])
        if version == 0:
            connection.execute(text(f"CREATE TABLE {TABLE} (version INTEGER NOT NULL)"))
            connection.execute(text(f"INSERT INTO {TABLE} VALUES (0)"))
        for number, script in known:
            if number > version:
                _apply(connection, script)
                connection.execute(text(f"UPDATE {TABLE} SET version = :number"), {"number": number})


def _apply(connection: Connection, script: str) -> None:
    dialect = words(connection)
    lines = "\n".join(line for line in script.splitlines() if not line.startswith("--"))
    for statement in lines.replace("{bytes}", dialect.bytes).replace("{serial}", dialect.serial).split(";\n"):
        if statement.strip():
            connection.exec_driver_sql(statement.strip())


def _version(connection: Connection, where: str, newest: int) -> int:
    tables = set(inspect(connection).get_table_names())
    if TABLE not in tables:
        strangers = sorted(tables & set(metadata.tables))
        if strangers:
            raise RegistryError(
                f"{where} holds a table {strangers[0]!r} that crawloop did not make; nothing was changed. "
                "Move it away, or name another registry in crawloop.toml"
            )
        return 0
    version = int(connection.execute(text(f"SELECT version FROM {TABLE}")).scalar_one())
    if version > newest:
        raise RegistryError(
            f"{where} is of schema {version}, and this program knows {newest}; nothing was changed. "
            "Upgrade crawloop, or name another registry in crawloop.toml"
        )
    return version
