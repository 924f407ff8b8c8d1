"""A promotion, in one place: its golden pages, its profile, its event, and the one `settle`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from crawloop.loop.evidence import evidence
from crawloop.loop.kit import Attempt
from crawloop.model.events import VersionKept, VersionPromoted
from crawloop.model.family import Family, Golden, Version
from crawloop.model.kind import Schema
from crawloop.model.outcome import Promotion
from crawloop.values import profile


async def promote(outcome: Promotion, at: Attempt) -> Promotion:
    """Settles the run: golden files, then version, active pointer, history and audit in one transaction.

    Where the active version's own program won in a layout that it knows, that version is kept, and only history is
    new. A layout that it does not know is one more rung, of the same program: its pages are the measure from then on.
    """
    active = at.active
    if active is not None and active.source == outcome.winner.source:
        outcome = replace(outcome, winner=replace(outcome.winner, origin=active.origin))
        if not outcome.new_epoch and active.schema_ref == at.family.schema_ref:
            return _keep(replace(outcome, spend=at.spend, keeps=active.number), active, at)
    goldens = await golden_pages(outcome, at)
    outcome = replace(outcome, spend=at.spend, profile=profiled(goldens, at.schema))
    event = VersionPromoted(at.family.name, at.kit.clock(), at.run, 0, outcome.winner.origin, evidence(outcome, at))
    version = at.kit.store.settle(_settled(at), outcome, event, goldens, event.at)
    at.kit.observer(replace(event, version=version.number if version else 0))
    return outcome


def _keep(outcome: Promotion, active: Version, at: Attempt) -> Promotion:
    now, seen = at.kit.clock(), evidence(outcome, at)
    event = VersionKept(at.family.name, now, at.run, active.number, active.origin, seen)
    at.kit.store.settle(_settled(at), outcome, event, (), now)
    at.kit.observer(event)
    return outcome


def _settled(at: Attempt) -> Family:
    """The family with its rest: one that a person looks after needs none, and a new break soon after is no loop."""
    return replace(at.family, cooldown_until=at.rested if at.task.unattended else None)


async def golden_pages(outcome: Promotion, at: Attempt) -> list[Golden]:
    """What the winner returns for each page with truth, which is what later versions of its layout must reproduce.

    Case, epoch and version are the registry's to give.
    """
    pages = [one.page for one in outcome.samples if one.truth]
    source, deadline = outcome.winner.source, at.policy.deadline
    runs = await asyncio.to_thread(at.kit.sandbox.run, source, pages, deadline=deadline)
    return [
        Golden(at.family.name, "", page.base, page.html, run.records, epoch=0, version=0)
        for page, run in zip(pages, runs, strict=True)
        if run.records is not None
    ]


def profiled(goldens: Sequence[Golden], schema: Schema) -> dict[str, Any]:
    """What the values of each field look like as served: a field that the winner misses on some page is no drift."""
    records = [record for golden in goldens for record in golden.records]
    return {one.name: profile([record.get(one.name) for record in records], one) for one in schema.fields}
