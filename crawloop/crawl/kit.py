"""What a crawl works with: the parts, by protocol."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from crawloop.contract import Clock, Observer, Sandbox, Source, Store, Witness
from crawloop.crawl.archive import Recorder
from crawloop.model.events import unwatched
from crawloop.model.kind import Schema
from crawloop.model.page import Page, Record

# Fills the named fields of a page's records with one small model call, or leaves them null.
Filler = Callable[[Page, tuple[Record, ...], tuple[str, ...], Schema], Awaitable[tuple[Record, ...]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlKit:
    """The parts of a crawl.

    `schema` raises SchemaError. `markup` is the witness whose word serving compares with, `fill` reaches residual
    fields, and with `direct` the gaps of a broken family too; `recorder` keeps the pages that fail. Each may be left
    out. With `evidence` reports say where each value comes from, with `follows` which page of a listing comes next.
    `batch` pages go into the sandbox at once, `deadline` seconds are for each.
    """

    fetcher: Source
    store: Store
    sandbox: Sandbox
    schema: Callable[[str], Schema]
    clock: Clock
    markup: Witness | None = None
    fill: Filler | None = None
    recorder: Recorder | None = None
    observer: Observer = unwatched
    direct: bool = False
    evidence: bool = False
    follows: bool = False
    batch: int = 24
    deadline: float = 5.0

    def keep(self, page: Page) -> None:
        """Keeps a page that failed, where pages are kept."""
        if self.recorder is not None:
            self.recorder.keep(page)
