"""The registry: families, versions, history, audit, journal, ledger, and the golden pages beside them.

`SqlStore` and `MemoryStore` keep the same promises (`contract.Store`). SQLAlchemy is loaded with the first `SqlStore`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from crawloop.registry.memory import MemoryStore as MemoryStore
    from crawloop.registry.store import SqlStore as SqlStore

__all__ = ["MemoryStore", "SqlStore"]


def __getattr__(name: str) -> Any:
    if name == "SqlStore":
        from crawloop.registry.store import SqlStore

        return SqlStore
    if name == "MemoryStore":
        from crawloop.registry.memory import MemoryStore

        return MemoryStore
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
