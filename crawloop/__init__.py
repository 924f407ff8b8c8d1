"""crawloop: versioned deterministic extractors that are regenerated when a site changes.

Every name here is loaded when it is first used: `import crawloop` itself costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from crawloop.app import open_workspace as open_workspace
    from crawloop.config import RunOptions as RunOptions
    from crawloop.contract import FetchContext as FetchContext
    from crawloop.engine import Engine as Engine
    from crawloop.errors import CrawloopError as CrawloopError
    from crawloop.errors import SandboxError as SandboxError
    from crawloop.errors import SandboxTimeout as SandboxTimeout
    from crawloop.gauntlet.history import History as HistoryGate
    from crawloop.gauntlet.judge import judge as judge
    from crawloop.loop.driver import Loop as Loop
    from crawloop.loop.driver import LoopResult as LoopResult
    from crawloop.loop.driver import next_tier as next_tier
    from crawloop.loop.driver import run_loop as run_loop
    from crawloop.loop.escalate import escalate as escalate
    from crawloop.loop.kit import Attempt as Attempt
    from crawloop.loop.kit import Kit as Kit
    from crawloop.loop.promote import golden_pages as golden_pages
    from crawloop.loop.promote import promote as promote
    from crawloop.loop.standard import World as World
    from crawloop.loop.standard import standard_kit as standard_kit
    from crawloop.loop.states import Task as Task
    from crawloop.loop.steps import compete as compete
    from crawloop.loop.steps import decide as decide
    from crawloop.loop.steps import ground as ground
    from crawloop.loop.steps import sample as sample
    from crawloop.model.policy import Budget as Budget
    from crawloop.model.policy import Policy as Policy
    from crawloop.registry import SqlStore as Registry
    from crawloop.residual import residual_fields as residual_fields
    from crawloop.sandbox import run_in_sandbox as run_in_sandbox
    from crawloop.strategy.codegen import Codegen as Codegen
    from crawloop.strategy.dom import DomInduction as DomInduction
    from crawloop.strategy.induction import Induction as Induction
    from crawloop.strategy.listing import ListingInduction as ListingInduction
    from crawloop.strategy.path_map import PathMap as PathMap
    from crawloop.strategy.selection import Selection as Selection
    from crawloop.strategy.value_path import ValuePath as ValuePath
    from crawloop.witness.llm import LLMWitness as LLMWitness
    from crawloop.witness.reconcile import reconcile as reconcile

__version__ = "0.1.0"

_PLACES = {
    "Attempt": "crawloop.loop.kit",
    "Budget": "crawloop.model.policy",
    "Codegen": "crawloop.strategy.codegen",
    "CrawloopError": "crawloop.errors",
    "DomInduction": "crawloop.strategy.dom",
    "Engine": "crawloop.engine",
    "FetchContext": "crawloop.contract",
    "HistoryGate": "crawloop.gauntlet.history",
    "Induction": "crawloop.strategy.induction",
    "Kit": "crawloop.loop.kit",
    "LLMWitness": "crawloop.witness.llm",
    "ListingInduction": "crawloop.strategy.listing",
    "Loop": "crawloop.loop.driver",
    "LoopResult": "crawloop.loop.driver",
    "PathMap": "crawloop.strategy.path_map",
    "Policy": "crawloop.model.policy",
    "Registry": "crawloop.registry",
    "RunOptions": "crawloop.config",
    "SandboxError": "crawloop.errors",
    "SandboxTimeout": "crawloop.errors",
    "Selection": "crawloop.strategy.selection",
    "Task": "crawloop.loop.states",
    "ValuePath": "crawloop.strategy.value_path",
    "World": "crawloop.loop.standard",
    "compete": "crawloop.loop.steps",
    "decide": "crawloop.loop.steps",
    "escalate": "crawloop.loop.escalate",
    "golden_pages": "crawloop.loop.promote",
    "ground": "crawloop.loop.steps",
    "judge": "crawloop.gauntlet.judge",
    "next_tier": "crawloop.loop.driver",
    "open_workspace": "crawloop.app",
    "promote": "crawloop.loop.promote",
    "reconcile": "crawloop.witness.reconcile",
    "residual_fields": "crawloop.residual",
    "run_in_sandbox": "crawloop.sandbox",
    "run_loop": "crawloop.loop.driver",
    "sample": "crawloop.loop.steps",
    "standard_kit": "crawloop.loop.standard",
}
_ELSEWHERE = {"HistoryGate": "History", "Registry": "SqlStore"}

__all__ = [
    "Attempt",
    "Budget",
    "Codegen",
    "CrawloopError",
    "DomInduction",
    "Engine",
    "FetchContext",
    "HistoryGate",
    "Induction",
    "Kit",
    "LLMWitness",
    "ListingInduction",
    "Loop",
    "LoopResult",
    "PathMap",
    "Policy",
    "Registry",
    "RunOptions",
    "SandboxError",
    "SandboxTimeout",
    "Selection",
    "Task",
    "ValuePath",
    "World",
    "compete",
    "decide",
    "escalate",
    "golden_pages",
    "ground",
    "judge",
    "next_tier",
    "open_workspace",
    "promote",
    "reconcile",
    "residual_fields",
    "run_in_sandbox",
    "run_loop",
    "sample",
    "standard_kit",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), _ELSEWHERE.get(name, name))


def __dir__() -> list[str]:
    return sorted(__all__)
