"""Runs programs that nobody trusts. Importing this loads neither the parser nor the language policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from crawloop.sandbox.pool import ProcessSandbox, run_in_sandbox

__all__ = ["ProcessSandbox", "run_in_sandbox"]


def __getattr__(name: str) -> Any:
    # Lazy, because the worker imports this package too and has no use for the supervisor.
    if name in __all__:
        from crawloop.sandbox import pool

        return getattr(pool, name)
    raise AttributeError(name)
