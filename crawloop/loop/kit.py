"""What a run works with: the parts, all by protocol, and one attempt at one task.

Steps take an `Attempt` and reach the world only through its kit; nothing here knows an implementation.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Protocol

from crawloop.contract import Arbiter, Case, Clock, Fetcher, Observer, Sandbox, Store, Strategy, Witness
from crawloop.loop.states import Task
from crawloop.model import moment
from crawloop.model.candidate import Trial
from crawloop.model.events import Event, StageBegun, unwatched
from crawloop.model.family import Family, Version
from crawloop.model.kind import Schema
from crawloop.model.outcome import Spend
from crawloop.model.page import Page
from crawloop.model.policy import Policy
from crawloop.model.truth import Testimony, Truth
from crawloop.model.verdict import Verdict
from crawloop.triage import PageKind


class Meter(Protocol):
    """Whoever pays for model calls: told which run they belong to before the first one."""

    def begin(self, family: str, run: str) -> None: ...


class Unmetered:
    """For kits without a model."""

    def begin(self, family: str, run: str) -> None:
        """Nothing is paid for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """The parts of a run.

    `reconcile` raises OracleRefused where no truth can be established. `siblings` gives up to that many URLs of
    other pages of the same family, found on the page at `url`. `schema` raises SchemaError. `selection` is
    a strategy that asks a model, before those of `strategies` do; `arbiter` asks the next one about disputes.
    """

    fetcher: Fetcher
    store: Store
    sandbox: Sandbox
    schema: Callable[[str], Schema]
    witnesses: tuple[Witness, ...]
    strategies: tuple[Strategy, ...]
    reconcile: Callable[[Page, Sequence[Testimony], Schema], Truth]
    judge: Callable[[Trial, Case], Verdict]
    triage: Callable[[Page], tuple[PageKind, str]]
    siblings: Callable[[str, str, int], Sequence[str]]
    clock: Clock
    selection: Strategy | None = None
    arbiter: Arbiter | None = None
    meter: Meter = field(default_factory=Unmetered)
    observer: Observer = unwatched


@dataclass(slots=True)
class Attempt:
    """One run of the loop on one family. `told` counts the events that were audited before the run was killed."""

    kit: Kit
    policy: Policy
    task: Task
    family: Family
    schema: Schema
    run: str
    told: Counter[tuple[str, str]] = field(default_factory=Counter)
    started: float = field(default_factory=monotonic)

    def model(self, tier: int) -> str | None:
        """The model of a tier, None where no model is asked."""
        return self.policy.models[tier] if self.policy.models else None

    def is_last(self, tier: int) -> bool:
        """Whether no stronger model exists."""
        return tier + 1 >= len(self.policy.models)

    @property
    def active(self) -> Version | None:
        """The version that serves."""
        number = self.family.active
        return None if number is None else self.kit.store.version(self.family.name, number)

    @property
    def rested(self) -> str:
        """When the family may heal by itself again, if the run ends now."""
        return moment.later(self.kit.clock(), self.policy.cooldown_hours)

    @property
    def spend(self) -> Spend:
        """What the run has paid so far."""
        calls, dollars = self.kit.store.spend(run=self.run)
        return Spend(calls, dollars, monotonic() - self.started)

    @property
    def is_out_of_time(self) -> bool:
        """Whether the seconds of the budget are used up."""
        bound = self.policy.budget.seconds
        return bound is not None and monotonic() - self.started >= bound

    def tell(self, kind: type[Event], **facts: Any) -> None:
        """Audits an event and shows it to the observer; one that a killed run told already is not audited again."""
        event = kind(self.family.name, self.kit.clock(), self.run, **facts)
        mark = fact(event)
        if self.told[mark]:
            self.told[mark] -= 1
        else:
            self.kit.store.audit(event)
        self.kit.observer(event)

    def begin(self, what: str) -> None:
        """Shows the observer what is done next."""
        self.kit.observer(StageBegun(self.family.name, self.kit.clock(), self.run, what))


def fact(event: Event) -> tuple[str, str]:
    """What an event says, apart from when."""
    return event.kind, json.dumps(event.body(), sort_keys=True, default=str)
