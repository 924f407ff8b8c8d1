from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from crawloop.contract import Store
from crawloop.registry import MemoryStore, SqlStore
from tests.fakes import postgres


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    if not postgres.is_available():
        pytest.skip("needs Postgres' initdb and pg_ctl on the path, and the extra crawloop-extract[postgres]")
    with postgres.server() as url:
        yield url


@pytest.fixture
def fresh_postgres(postgres_url: str) -> str:
    """The server's database, emptied."""
    from sqlalchemy import create_engine, text

    engine = create_engine(postgres_url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()
    return postgres_url


@pytest.fixture(params=["sqlite", "postgres", "memory", "memory with files"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store
    if request.param == "sqlite":
        made = SqlStore(f"sqlite:///{tmp_path / 'registry.db'}", tmp_path / "fixtures")
    elif request.param == "postgres":
        made = SqlStore(request.getfixturevalue("fresh_postgres"), tmp_path / "fixtures")
    else:
        made = MemoryStore(tmp_path / "fixtures" if request.param == "memory with files" else None)
    yield made
    made.close()
