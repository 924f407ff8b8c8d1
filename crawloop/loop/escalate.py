"""An escalation, in one place: evidence, cool-down, a family row even without a version, and the one `settle`."""

from __future__ import annotations

from dataclasses import replace

from crawloop.loop.evidence import evidence
from crawloop.loop.kit import Attempt
from crawloop.model.events import FamilyEscalated
from crawloop.model.outcome import Escalation


def escalate(outcome: Escalation, at: Attempt) -> Escalation:
    """Settles the run. The version before stays active; the observer, which may notify a person, is told."""
    outcome = replace(outcome, spend=at.spend)
    now = at.kit.clock()
    family = replace(at.family, cooldown_until=at.rested)
    event = FamilyEscalated(family.name, now, at.run, str(outcome), evidence(outcome, at))
    at.kit.store.settle(family, outcome, event, (), now)
    at.kit.observer(event)
    return outcome
