"""The kit as it comes: the witnesses, strategies and gates of this package around the caller's own world."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from crawloop.contract import (
    Clock,
    Completer,
    FetchContext,
    Fetcher,
    Ledger,
    Observer,
    Sandbox,
    Store,
    Strategy,
    Witness,
)
from crawloop.errors import CrawloopError, FetchError
from crawloop.gauntlet import judge
from crawloop.llm.metering import Metered
from crawloop.loop.kit import Kit, Unmetered
from crawloop.model import moment
from crawloop.model.events import unwatched
from crawloop.model.kind import Schema
from crawloop.model.page import Page
from crawloop.model.policy import Budget
from crawloop.sandbox import ProcessSandbox
from crawloop.schemas import load, sharpen
from crawloop.shape import siblings
from crawloop.strategy.codegen import Codegen
from crawloop.strategy.induction import Induction
from crawloop.strategy.listing import ListingInduction
from crawloop.strategy.path_map import PathMap
from crawloop.strategy.selection import Selection
from crawloop.triage import triage
from crawloop.witness.arbiter import SecondReading
from crawloop.witness.examples import Example, ExamplesWitness
from crawloop.witness.history import HistoryWitness
from crawloop.witness.likeness import LikenessWitness
from crawloop.witness.llm import LLMWitness
from crawloop.witness.markup import MarkupWitness
from crawloop.witness.reconcile import reconcile


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """What a caller brings. Without a completer no model is asked; `examples` are right values that a person knows.

    `budget` bounds what a run pays for the completer's answers, which are kept in the store.
    """

    fetcher: Fetcher
    store: Store
    sandbox: Sandbox
    schemas: Path
    clock: Clock
    examples: tuple[Example, ...] = ()
    completer: Completer | None = None
    budget: Budget = Budget()  # noqa: RUF009 - frozen
    redacted: Callable[[str], str] = str
    observer: Observer = unwatched

    def schema(self, ref: str) -> Schema:
        """The schema of that name, its kinds sharpened by the labelled values. Raises SchemaError."""
        return sharpen(load(ref, self.schemas), [record for one in self.examples for record in one.records])


def standard_kit(world: World) -> Kit:
    """The parts of this package in their usual order: whoever is named first wins ties."""
    meter = None
    if world.completer is not None:
        meter = Metered(
            world.completer, world.store, world.budget, world.clock, world.observer, redacted=world.redacted
        )
    return Kit(
        fetcher=world.fetcher,
        store=world.store,
        sandbox=world.sandbox,
        schema=world.schema,
        witnesses=witnesses(world, meter),
        strategies=strategies(meter),
        arbiter=SecondReading(meter.of("oracle")) if meter is not None else None,
        selection=Selection(meter.of("selection")) if meter is not None else None,
        reconcile=reconcile,
        judge=judge,
        triage=triage,
        siblings=siblings,
        clock=world.clock,
        meter=meter or Unmetered(),
        observer=world.observer,
    )


def witnesses(world: World, ledger: Ledger | None) -> tuple[Witness, ...]:
    """A person's examples, history, the page's own markup, what pages like it had, and a model where there is one."""
    free: tuple[Witness, ...] = (
        ExamplesWitness(world.examples),
        HistoryWitness(world.store),
        MarkupWitness(),
        LikenessWitness(world.store),
    )
    return free if ledger is None else (*free, LLMWitness(ledger.of("oracle")))


def strategies(ledger: Ledger | None) -> tuple[Strategy, ...]:
    """Those that are free, then those that ask a model, the cheaper one first.

    A row of a table is read as one even where a page has no other. Induction weighs both carriers, JSON and elements;
    the strategies that keep to one of them find nothing beyond it.
    """
    free: tuple[Strategy, ...] = (ListingInduction(), Induction())
    return free if ledger is None else (*free, PathMap(ledger.of("path_map")), Codegen(ledger))


@contextmanager
def library_kit(
    context: FetchContext, store: Store, completer: Completer, fixtures: Path, now: str | None
) -> Iterator[Kit]:
    """The kit of `run_loop`, over a sandbox of its own that ends with it."""
    clock = (lambda: now) if now is not None else moment.now
    store.shelve(fixtures)
    sandbox = ProcessSandbox()
    try:
        yield standard_kit(
            World(
                fetcher=TextFetcher(context, clock),
                store=store,
                sandbox=sandbox,
                schemas=schemas_near(fixtures),
                clock=clock,
                completer=completer,
            )
        )
    finally:
        sandbox.close()


def schemas_near(fixtures: Path) -> Path:
    """The `schemas` folder beside `fixtures`, else the nearest one above the current folder, else one right here."""
    here = Path.cwd()
    places = [fixtures.resolve().parent, here, *here.parents]
    return next((place / "schemas" for place in places if (place / "schemas").is_dir()), here / "schemas")


class TextFetcher:
    """A Fetcher over anything that gives the text of a page. Whatever that raises becomes a FetchError."""

    def __init__(self, context: FetchContext, clock: Clock) -> None:
        self._context = context
        self._clock = clock

    async def fetch(self, url: str) -> Page:
        try:
            text = await self._context.fetch(url)
        except CrawloopError:
            raise
        except Exception as why:
            raise FetchError(f"{url}: {type(why).__name__}: {why}") from why
        if not isinstance(text, str):
            raise FetchError(f"{url}: fetch() gave {type(text).__name__}, not the text of the page")
        return Page(url, text, fetched_at=self._clock())
