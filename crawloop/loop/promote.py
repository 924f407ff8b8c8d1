"""A promotion, in one place: its golden pages, its profile, its event, and the one `settle`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from crawloop.loop.evidence import evidence
from crawloop.loop.kit import Attempt
from crawloop.model.events import VersionPromoted
from crawloop.model.family import Golden
from crawloop.model.kind import Schema
from crawloop.model.outcome import Promotion
from crawloop.values import profile


async def promote(outcome: Promotion, at: Attempt) -> Promotion:
    """Settles the run: golden files, then version, active pointer, history and audit in one transaction."""
    active = at.active
    if active is not None and active.source == outcome.winner.source:
        outcome = replace(outcome, winner=replace(outcome.winner, origin=active.origin))
    goldens = await golden_pages(outcome, at)
    outcome = replace(outcome, spend=at.spend, profile=profiled(goldens, at.schema))
    event = VersionPromoted(at.family.name, at.kit.clock(), at.run, 0, outcome.winner.origin, evidence(outcome, at))
    version = at.kit.store.settle(at.family, outcome, event, goldens, event.at)
    at.kit.observer(replace(event, version=version.number if version else 0))
    return outcome


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
