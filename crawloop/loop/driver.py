"""Drives the steps from a task to an outcome: tiers from cheap to strong, a journal after each step, one `settle`.

task ──► sample ──► ground ──► compete … ──► promotion or escalation ──► settle
                      ▲           │
                      └── tier ◄──┘   a failed tier is an event; only the last one escalates
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import uuid4

from crawloop.errors import RegistryError
from crawloop.loop.escalate import escalate, is_cooling
from crawloop.loop.kit import Attempt, Kit, fact
from crawloop.loop.promote import promote
from crawloop.loop.states import Round, Sampled, State, Task, dump, load
from crawloop.loop.steps import compete, ground, sample
from crawloop.model.events import TierFailed
from crawloop.model.family import Family
from crawloop.model.outcome import Escalation, Outcome, Promotion
from crawloop.model.page import Record
from crawloop.model.policy import Policy
from crawloop.schemas import sharpen

RESUMED_FOR = timedelta(hours=24)
MOST_URLS = 50


@dataclass(frozen=True, slots=True)
class Journalled:
    """Where a killed run stood: its id, the last step, the state after it, and what it told since."""

    run: str
    step: int
    state: State
    told: Counter[tuple[str, str]]


class Loop:
    """Takes families to a promoted version or an escalation."""

    def __init__(self, kit: Kit, policy: Policy) -> None:
        self._kit = kit
        self._policy = policy

    async def run(self, task: Task) -> Outcome:
        """One run, or the rest of one that was killed. Settles exactly once, and returns what was settled.

        Raises FamilyBusy, SchemaError, RegistryError, and CompletionError where a model's provider is dead and no
        free candidate could do; then nothing is settled, and the next run takes up where this one was.
        """
        with self._kit.store.hold(task.family):
            schema = sharpen(self._kit.schema(task.schema_ref), self._last_known(task.family))
            family = self._family(task, schema.ref)
            mark = _mark(task, self._policy, repr(schema.fields))
            kept = self._journalled(family.name, mark)
            run = kept.run if kept else self._begun(family.name)
            at = Attempt(self._kit, self._policy, task, family, schema, run)
            self._kit.meter.begin(family.name, run)
            if kept:
                at.told.update(kept.told)
            outcome = await self._drive(kept, mark, at)
            return await promote(outcome, at) if isinstance(outcome, Promotion) else escalate(outcome, at)

    async def heal(self, task: Task) -> Outcome | None:
        """A run that nobody asked for: None, at no cost, while the family cools down after an escalation."""
        family = self._kit.store.family(task.family)
        if family is not None and is_cooling(family, self._kit.clock()):
            return None
        return await self.run(task)

    async def _drive(self, kept: Journalled | None, mark: str, at: Attempt) -> Outcome:
        step, state = (kept.step, kept.state) if kept else (0, None)
        while True:
            match state:
                case None:
                    following: State = await sample(at)
                case Sampled():
                    following = await ground(state, at)
                case Round():
                    following = await compete(state, at)
                case Promotion() | Escalation():
                    return state
            if isinstance(following, Escalation) and isinstance(state, Sampled | Round):
                following = _climbed(state, following, at)
            step, state = step + 1, following
            self._journal(step, state, mark, at)

    def _family(self, task: Task, schema_ref: str) -> Family:
        """The family's row, or a new one: bootstrap is no special case."""
        known = self._kit.store.family(task.family) or Family(task.family, schema_ref)
        urls = tuple(dict.fromkeys(known.urls + task.urls))[:MOST_URLS]
        return replace(known, schema_ref=schema_ref, urls=urls)

    def _last_known(self, family: str) -> list[Record]:
        """Values of promoted truth: where the schema says no more than "a text", their form says the kind."""
        store = self._kit.store
        found = (store.known(family, url) for url in store.known_urls(family)[:MOST_URLS])
        return [record for one in found if one is not None for record in one.records]

    def _begun(self, family: str) -> str:
        run = uuid4().hex
        self._kit.store.begin(run, family, self._kit.clock())
        return run

    def _journal(self, step: int, state: State, mark: str, at: Attempt) -> None:
        store = self._kit.store
        told = len(store.entries(at.family.name, run=at.run))
        line = {"mark": mark, "at": self._kit.clock(), "told": told, "state": dump(state, store)}
        store.journal(at.run, step, type(state).__name__, json.dumps(line))

    def _journalled(self, family: str, mark: str) -> Journalled | None:
        """The open journal, where it is of the same task and not stale; any other is closed."""
        store = self._kit.store
        found = store.unfinished(family)
        if found is None:
            return None
        run, step, _, text = found
        try:
            line = json.loads(text) if step else {}
            if line.get("mark") == mark and not _is_stale(line["at"], self._kit.clock()):
                state = load(line["state"], store)
                events = [one.event for one in store.entries(family, run=run)]
                told = Counter(fact(one) for one in events[line["told"] :])
                return Journalled(run, step, _revived(state), told)
        except (RegistryError, ValueError, KeyError):
            pass  # a journal that cannot be read is no reason to fail: the run begins anew
        store.finish(run)
        return None


def _climbed(state: Sampled | Round, ending: Escalation, at: Attempt) -> Sampled | Escalation:
    """The next tier where a stronger model exists and may help, else the escalation itself."""
    sampled = state if isinstance(state, Sampled) else state.sampled
    if not ending.reason.stronger_model_may_help or at.is_last(sampled.tier):
        return ending
    at.tell(TierFailed, model=at.model(sampled.tier), reason=str(ending))
    return sampled.stronger(ending.verdicts)


def _revived(state: State) -> State:
    """A provider that was dead when the run stopped may answer now: its round is grounded again."""
    return state.sampled if isinstance(state, Round) and state.dead else state


def _mark(task: Task, policy: Policy, schema: str) -> str:
    """A digest of all that decides a run's result besides the pages."""
    return hashlib.sha256(repr((task, policy, schema)).encode("utf-8", "surrogatepass")).hexdigest()


def _is_stale(at: str, now: str) -> bool:
    return datetime.fromisoformat(now) - datetime.fromisoformat(at) > RESUMED_FOR
