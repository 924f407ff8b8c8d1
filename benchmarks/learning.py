"""What benchmarks do with labelled pages: let the whole loop learn from some, and judge its program on others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from corpus import Family, Labelled

from crawloop.contract import Sandbox
from crawloop.errors import FetchError
from crawloop.loop.driver import Loop
from crawloop.loop.standard import World, standard_kit
from crawloop.loop.states import Task
from crawloop.model.events import Event, unwatched
from crawloop.model.outcome import Outcome
from crawloop.model.page import Page, Record
from crawloop.model.policy import Policy
from crawloop.registry import MemoryStore
from crawloop.values import equal
from crawloop.witness.examples import Example

AT = "2026-01-01T00:00:00Z"


@dataclass(frozen=True, slots=True)
class Tally:
    """Fields of judged pages; what is neither right nor wrong is missing."""

    fields: int = 0
    right: int = 0
    wrong: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.fields + other.fields, self.right + other.right, self.wrong + other.wrong)


class Saved:
    """A Fetcher of the pages that it is given."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self._pages = {one.url: replace(one, fetched_at=AT) for one in pages}

    async def fetch(self, url: str) -> Page:
        if url not in self._pages:
            raise FetchError(f"{url}: not given")
        return self._pages[url]


def learn(
    family: Family, seen: Sequence[Labelled], sandbox: Sandbox, observer: Callable[[Event], None] = unwatched
) -> Outcome:
    """One run of the loop, from labelled pages to a promotion or an escalation, without a model."""
    world = World(
        fetcher=Saved([one.page for one in seen]),
        store=MemoryStore(),
        sandbox=sandbox,
        schemas=Path(),
        clock=lambda: AT,
        examples=tuple(Example(one.page.url, one.records) for one in seen),
        observer=observer,
    )
    kit = replace(standard_kit(world), schema=lambda ref: family.schema)
    urls = tuple(one.page.url for one in seen)
    policy = Policy(samples=len(urls), min_oracles=1)
    task = Task(family.name, family.schema.ref, urls, labelled=urls, only=urls)
    return asyncio.run(Loop(kit, policy).run(task))


def read(source: str, pages: Sequence[Labelled], sandbox: Sandbox) -> list[tuple[Record, ...]]:
    """What a program reads from each page; nothing where it fails."""
    runs = sandbox.run(source, [one.page for one in pages])
    return [run.records or () for run in runs]


def judged(family: Family, page: Labelled, got: Sequence[Record]) -> Tally:
    """A detail page's first record against its right values."""
    want, have = page.records[0] if page.records else {}, got[0] if got else {}
    given = {name: have.get(name) for name in want}
    filled = [name for name, value in given.items() if value not in (None, "", [])]
    right = [name for name in filled if equal(want[name], given[name], family.schema[name], base=page.page.base)]
    return Tally(len(want), len(right), len(filled) - len(right))
