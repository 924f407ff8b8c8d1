"""A workspace with everything real but the site and the model: for flows of the whole loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from crawloop.contract import Brief, Completer, Fetcher, Sandbox, Store, Strategy
from crawloop.loop.driver import Loop
from crawloop.loop.kit import Kit
from crawloop.loop.standard import World, standard_kit
from crawloop.loop.states import Task
from crawloop.model.candidate import Candidate
from crawloop.model.events import Event
from crawloop.model.family import Family, Version
from crawloop.model.outcome import Outcome
from crawloop.model.policy import Budget, Policy
from crawloop.witness.examples import Example
from tests.fakes import shop

NOW = "2026-03-01T08:00:00Z"
FIELDS = frozenset(("title", "price", "sku", "material"))


@dataclass
class Scribe:
    """A strategy that takes a model's answer as the program, word for word."""

    completer: Completer
    name: str = "codegen"
    needs_model: bool = True
    briefs: list[Brief] = field(default_factory=list)

    async def propose(self, brief: Brief) -> Sequence[Candidate]:
        self.briefs.append(brief)
        assert brief.model is not None
        asked = f"round {brief.number}\n{brief.feedback}"
        source = await self.completer.complete(system="write a program", user=asked, model=brief.model)
        return [Candidate(source, self.name, FIELDS, model=brief.model)]


@dataclass
class House:
    """The shop's family in a folder of its own. `parts` replace those of the standard kit."""

    folder: Path
    fetcher: Fetcher
    store: Store
    sandbox: Sandbox
    completer: Completer | None = None
    budget: Budget = Budget()  # noqa: RUF009 - frozen
    examples: tuple[Example, ...] = ()
    parts: dict[str, Any] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)

    @property
    def kit(self) -> Kit:
        """The standard kit with `parts` put in."""
        schemas = self.folder / "schemas"
        schemas.mkdir(exist_ok=True)
        (schemas / "product.py").write_text(shop.SCHEMA)
        world = World(
            fetcher=self.fetcher,
            store=self.store,
            sandbox=self.sandbox,
            schemas=schemas,
            clock=lambda: NOW,
            examples=self.examples,
            completer=self.completer,
            budget=self.budget,
            observer=self.events.append,
        )
        return replace(standard_kit(world), **self.parts)

    def run(self, *numbers: int, policy: Policy | None = None, **task: Any) -> Outcome:
        """One run over these pages of the shop."""
        wanted = Task(shop.FAMILY, "Product@1", tuple(map(shop.url, numbers)), **task)
        return asyncio.run(Loop(self.kit, policy or Policy()).run(wanted))

    @property
    def family(self) -> Family:
        row = self.store.family(shop.FAMILY)
        assert row is not None
        return row

    @property
    def active(self) -> Version:
        number = self.family.active
        assert number is not None
        version = self.store.version(shop.FAMILY, number)
        assert version is not None
        return version

    def told(self, *kinds: str) -> list[dict[str, Any]]:
        """Bodies of the audited events of these kinds."""
        return [one.event.body() for one in self.store.entries(shop.FAMILY, kinds=kinds)]


def writer(strategy: Strategy) -> dict[str, Any]:
    """Parts of a kit in which only this strategy proposes."""
    return {"strategies": (strategy,), "selection": None}
