"""crawloop: versioned deterministic extractors that are regenerated when a site changes.

Every name here is loaded when it is first used: `import crawloop` itself costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from crawloop.contract import FetchContext as FetchContext
    from crawloop.loop.driver import Loop as Loop
    from crawloop.loop.driver import LoopResult as LoopResult
    from crawloop.loop.driver import run_loop as run_loop
    from crawloop.loop.kit import Kit as Kit
    from crawloop.loop.states import Task as Task
    from crawloop.model.policy import Budget as Budget
    from crawloop.model.policy import Policy as Policy
    from crawloop.registry import SqlStore as Registry
    from crawloop.sandbox import run_in_sandbox as run_in_sandbox

__version__ = "0.1.0"

_PLACES = {
    "Budget": "crawloop.model.policy",
    "FetchContext": "crawloop.contract",
    "Kit": "crawloop.loop.kit",
    "Loop": "crawloop.loop.driver",
    "LoopResult": "crawloop.loop.driver",
    "Policy": "crawloop.model.policy",
    "Registry": "crawloop.registry",
    "Task": "crawloop.loop.states",
    "run_in_sandbox": "crawloop.sandbox",
    "run_loop": "crawloop.loop.driver",
}
_ELSEWHERE = {"Registry": "SqlStore"}

__all__ = [
    "Budget",
    "FetchContext",
    "Kit",
    "Loop",
    "LoopResult",
    "Policy",
    "Registry",
    "Task",
    "run_in_sandbox",
    "run_loop",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), _ELSEWHERE.get(name, name))


def __dir__() -> list[str]:
    return sorted(__all__)
