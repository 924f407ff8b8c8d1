from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from crawloop.contract import Store
from crawloop.registry import MemoryStore, SqlStore


@pytest.fixture(params=["sqlite", "memory", "memory with files"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store
    if request.param == "sqlite":
        made = SqlStore(f"sqlite:///{tmp_path / 'registry.db'}", tmp_path / "fixtures")
    else:
        made = MemoryStore(tmp_path / "fixtures" if request.param == "memory with files" else None)
    yield made
    made.close()
