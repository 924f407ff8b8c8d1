"""What the migrations make is what the queries see, and the registry is paid for only by those who open one."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sqlalchemy import create_engine, inspect

from crawloop.registry import SqlStore
from crawloop.registry.migrations import TABLE, steps
from crawloop.registry.tables import metadata


def test_migrations_make_the_tables_that_queries_see(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'registry.db'}"
    SqlStore(url, tmp_path).close()
    engine = create_engine(url)
    found = inspect(engine)
    assert set(found.get_table_names()) == {*metadata.tables, TABLE}
    for name, table in metadata.tables.items():
        made = {column["name"]: column["nullable"] for column in found.get_columns(name)}
        keys = set(found.get_pk_constraint(name)["constrained_columns"])
        assert {n: null for n, null in made.items() if n not in keys} == {
            c.name: c.nullable for c in table.columns if not c.primary_key
        }, name
        assert keys == {column.name for column in table.primary_key}, name
    engine.dispose()


def test_steps_are_numbered_without_a_gap() -> None:
    assert [number for number, _ in steps()] == list(range(1, len(steps()) + 1))


def test_a_registry_can_be_opened_many_times_at_once(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'registry.db'}"
    with ThreadPoolExecutor(8) as pool:
        for store in pool.map(lambda _: SqlStore(url, tmp_path), range(8)):
            assert store.families() == []
            store.close()


def test_sqlalchemy_is_loaded_with_the_first_sql_store() -> None:
    code = (
        "import sys; import crawloop.registry as r; a = 'sqlalchemy' in sys.modules; r.MemoryStore;"
        "b = 'sqlalchemy' in sys.modules; r.SqlStore; print(a, b, 'sqlalchemy' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.split() == ["False", "False", "True"]
