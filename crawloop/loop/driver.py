"""Drives the steps from a task to an outcome: tiers from cheap to strong, a journal after each step, one `settle`.

task ──► sample ──► ground ──► compete … ──► promotion or escalation ──► settle
                      ▲           │
                      └── tier ◄──┘   a tier that failed, or whose provider is dead, is an event;
                                    only the last one escalates, or is an error
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

from crawloop.contract import Completer, FetchContext, Store
from crawloop.errors import CompletionError
from crawloop.loop import journal
from crawloop.loop.escalate import escalate
from crawloop.loop.garbage import rarely_collected
from crawloop.loop.journal import Stand
from crawloop.loop.kit import Attempt, Kit
from crawloop.loop.promote import promote
from crawloop.loop.states import Round, Sampled, State, Task
from crawloop.loop.steps import compete, ground, sample
from crawloop.model.events import TierFailed
from crawloop.model.family import Family
from crawloop.model.outcome import Escalation, Outcome, Promotion, Reason
from crawloop.model.page import Record
from crawloop.model.policy import DEFAULT_MODEL, Policy
from crawloop.schemas import sharpen

MOST_URLS = 50


class Loop:
    """Takes families to a promoted version or an escalation."""

    def __init__(self, kit: Kit, policy: Policy) -> None:
        self._kit = kit
        self._policy = policy

    async def run(self, task: Task) -> Outcome:
        """One run, or the rest of one that was killed. Settles exactly once, and returns what was settled.

        Raises FamilyBusy, SchemaError, RegistryError, and CompletionError where the last model's provider is dead and
        no free candidate could do; then nothing is settled, and the next run takes up where this one was.
        """
        with self._kit.store.hold(task.family), rarely_collected():
            schema = sharpen(self._kit.schema(task.schema_ref), self._last_known(task.family))
            family = self._family(task, schema.ref)
            signature = journal.mark(task, self._policy, schema)
            stand = journal.resumable(family.name, signature, self._kit) or self._begun(family.name)
            at = Attempt(self._kit, self._policy, task, family, schema, stand.run)
            at.told.update(stand.told or {})
            self._kit.meter.begin(family.name, stand.run)
            outcome = await self._drive(stand, signature, at)
            return await promote(outcome, at) if isinstance(outcome, Promotion) else escalate(outcome, at)

    async def heal(self, task: Task) -> Outcome | None:
        """A run that nobody asked for: None, at no cost, while the family cools down after the last one."""
        family = self._kit.store.family(task.family)
        if family is not None and family.is_cooling(self._kit.clock()):
            return None
        return await self.run(replace(task, unattended=True))

    async def _drive(self, stand: Stand, signature: str, at: Attempt) -> Outcome:
        step, state = stand.step, stand.state
        while not isinstance(state, Promotion | Escalation):
            step, state = step + 1, await _following(state, at)
            journal.write(step, state, signature, at)
        return state

    def _begun(self, family: str) -> Stand:
        run = uuid4().hex
        self._kit.store.begin(run, family, self._kit.clock())
        return Stand(run)

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


async def _following(state: Sampled | Round | None, at: Attempt) -> State:
    """The state after one step. Raises CompletionError where the provider of the last tier is dead."""
    if state is None:
        return await sample(at)
    try:
        following = await (ground(state, at) if isinstance(state, Sampled) else compete(state, at))
    except CompletionError as dead:
        return next_provider(state, dead, at)
    return next_tier(state, following, at) if isinstance(following, Escalation) else following


def next_provider(state: Sampled | Round, dead: CompletionError, at: Attempt) -> Sampled:
    """The same pages for the next model in place of one that cannot be asked. Raises `dead` where there is none."""
    sampled, verdicts = (state, ()) if isinstance(state, Sampled) else (state.sampled, state.verdicts)
    if at.is_last(sampled.tier):
        raise dead
    at.tell(TierFailed, model=at.model(sampled.tier), reason=f"cannot be asked: {dead}")
    return sampled.beyond(verdicts)


def next_tier(state: Sampled | Round, ending: Escalation, at: Attempt) -> Sampled | Escalation:
    """The same pages for the next model where a stronger one exists and may help, else the escalation itself."""
    sampled = state if isinstance(state, Sampled) else state.sampled
    if not ending.reason.stronger_model_may_help or at.is_last(sampled.tier):
        return ending
    at.tell(TierFailed, model=at.model(sampled.tier), reason=str(ending))
    return sampled.stronger(ending.verdicts)


@dataclass(frozen=True, slots=True)
class LoopResult:
    """How a run ended. `version` is the number of the promoted version; `reason` is "promoted" or what went wrong."""

    ok: bool
    version: int | None
    rounds: int
    escalated: bool
    reason: str


async def run_loop(
    family: str,
    seed_urls: list[str],
    ctx: FetchContext,
    registry: Store,
    completer: Completer,
    schema_ref: str,
    *,
    fixtures_dir: Path,
    model: str = DEFAULT_MODEL,
    k: int = 2,
    max_rounds: int = 3,
    n_samples: int = 5,
    min_oracles: int = 3,
    agreement_bar: float = 0.98,
    now: str | None = None,
) -> LoopResult:
    """The whole loop for one family, with the caller's own fetcher, registry and model.

    `now` pins the clock. The schema is looked for in the `schemas/` folder beside `fixtures_dir` or above the
    current folder. Raises UserError for what the caller got wrong, CompletionError where the model is dead.
    """
    from crawloop.loop.standard import library_kit

    policy = Policy(
        models=(model,),
        candidates=k,
        max_rounds=max_rounds,
        samples=n_samples,
        min_oracles=min_oracles,
        agreement_bar=agreement_bar,
    )
    with library_kit(ctx, registry, completer, Path(fixtures_dir), now) as kit:
        outcome = await Loop(kit, policy).run(Task(family, schema_ref, tuple(seed_urls)))
    promoted = isinstance(outcome, Promotion)
    row = registry.family(family)
    version = row.active if promoted and row else None
    reason = str(Reason.PROMOTED) if promoted else str(outcome)
    return LoopResult(promoted, version, outcome.rounds, not promoted, reason)
