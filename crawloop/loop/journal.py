"""The journal of a run: where a killed one stood, and whether another may take up there."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from crawloop.errors import RegistryError
from crawloop.loop.kit import Attempt, Kit, fact
from crawloop.loop.states import Round, Sampled, State, Task, dump, load
from crawloop.model import moment
from crawloop.model.kind import Schema
from crawloop.model.policy import Policy

RESUMED_FOR = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a run stands: its id, the last step, the state after it, and what it told since."""

    run: str
    step: int = 0
    state: State | None = None
    told: Counter[tuple[str, str]] | None = None


def mark(task: Task, policy: Policy, schema: Schema) -> str:
    """A digest of all that decides a run's result besides the pages."""
    return hashlib.sha256(repr((task, policy, schema.fields)).encode("utf-8", "surrogatepass")).hexdigest()


def digest(*inputs: Path | None) -> str:
    """A digest of files that a run was given besides its task: a journal of other inputs is not resumed."""
    told = hashlib.sha256()
    for path in inputs:
        told.update(repr(path.resolve() if path else None).encode())
        if path is not None and path.is_file():
            told.update(path.read_bytes())
    return told.hexdigest()


def write(step: int, state: State, signature: str, at: Attempt) -> None:
    """Appends the state after a step."""
    store = at.kit.store
    told = len(store.entries(at.family.name, run=at.run))
    line = {"mark": signature, "at": at.kit.clock(), "told": told, "state": dump(state, store)}
    store.journal(at.run, step, type(state).__name__, json.dumps(line))


def resumable(family: str, signature: str, kit: Kit) -> Stand | None:
    """Where the open journal stands, if it is of the same task, not stale and readable; any other is closed."""
    found = kit.store.unfinished(family)
    if found is None:
        return None
    run, step, _, text = found
    stand = _read(run, step, text, kit) if step and _is_of(text, signature, kit.clock()) else None
    if stand is None:
        kit.store.finish(run)
    return stand


def _is_of(text: str, signature: str, now: str) -> bool:
    try:
        line = json.loads(text)
        age = moment.read(now) - moment.read(line["at"])
        return bool(line["mark"] == signature) and age <= RESUMED_FOR
    except (ValueError, KeyError, TypeError):
        return False


def _read(run: str, step: int, text: str, kit: Kit) -> Stand | None:
    """The stand, or None where this program cannot read it: then the run begins anew."""
    line = json.loads(text)
    try:
        state = load(line["state"], kit.store)
    except RegistryError:
        return None
    since = [one.event for one in kit.store.entries(run=run)][line["told"] :]
    return Stand(run, step, _revived(state), Counter(fact(one) for one in since))


def _revived(state: State) -> State:
    """Providers that were dead when the run stopped may answer now: the first of them is asked again."""
    sampled = state.sampled if isinstance(state, Round) else state
    is_dead = isinstance(state, Round) and state.dead
    return sampled.revived() if isinstance(sampled, Sampled) and (is_dead or sampled.passed) else state
