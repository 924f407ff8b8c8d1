"""The composition root: finds the workspace and wires its parts. It is the only place that does."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crawloop.config import RunOptions, Settings, read_settings, registry_url, revealed, workspace_folder
from crawloop.errors import UserError
from crawloop.model import moment
from crawloop.model.policy import Policy
from crawloop.shape import shown

if TYPE_CHECKING:
    from crawloop.contract import Clock, Completer, Fetcher, Observer, Sandbox, Store
    from crawloop.crawl.archive import Recorder
    from crawloop.crawl.kit import CrawlKit, Filler
    from crawloop.model.family import Family
    from crawloop.model.kind import Schema
    from crawloop.model.outcome import Outcome
    from crawloop.notify import Signals


MOST_LABELLED = 12


def allow(fetcher: Fetcher, urls: Iterable[str]) -> None:
    """Lets a running fetcher ask the hosts of URLs that somebody named; an archive asks nobody."""
    getattr(fetcher, "allow", list)(urls)


def to_stderr(warning: str) -> None:
    """Where warnings go unless somebody else wants them."""
    print(f"warning: {shown(warning)}", file=sys.stderr)


@dataclass(frozen=True, slots=True)
class Workspace:
    """A folder with its settings and its open registry. `warn` is told what a person should know of the input."""

    folder: Path
    settings: Settings
    store: Store
    clock: Clock = moment.now
    warn: Callable[[str], None] = to_stderr

    @property
    def schemas(self) -> Path:
        return self.folder / self.settings.places.schemas

    def schema(self, ref: str) -> Schema:
        """The schema "Name@1" of this workspace. Raises SchemaError."""
        from crawloop.schemas import load

        return load(ref, self.schemas)

    def completer(self, policy: Policy) -> Completer | None:
        """Whoever asks the models of the policy, None where it names none. It is the first call that needs litellm."""
        if not policy.models:
            return None
        from crawloop.llm.litellm import LiteLLMCompleter

        rules = self.settings.models
        return LiteLLMCompleter(
            base_url=rules.base_url, timeout=rules.timeout, max_tokens=rules.max_tokens, prices=rules.prices
        )

    def signals(self, *others: Observer, metrics: str | None = None) -> Signals:
        """What is told outside while a command runs; `metrics` is an address said on the command line.

        Raises ConfigError.
        """
        from crawloop.notify import Signals

        said = revealed(self.settings.notify, os.environ)
        files = {"textfile": said.textfile, "log": said.log if said.log != "stderr" else None}
        places: dict[str, Any] = {name: str(self.folder / file) for name, file in files.items() if file}
        return Signals(replace(said, metrics=metrics or said.metrics, **places), self.warn, *others)

    def family(self, name: str) -> Family | None:
        """The family as the registry knows it, else as its golden pages in fixtures/ tell of it."""
        from crawloop.registry.adoption import adopt

        fixtures = self.folder / self.settings.places.fixtures
        return self.store.family(name) or adopt(self.store, fixtures, name, self.clock())

    @asynccontextmanager
    async def pages(self, archive: Path | None, urls: Iterable[str] = (), family: str = "") -> AsyncIterator[Fetcher]:
        """Where the family's pages come from: the archive, or the network, where only the hosts of `urls` are asked."""
        if archive is not None:
            from crawloop.crawl.archive import ArchiveFetcher

            saved = ArchiveFetcher(archive, max_bytes=self.settings.fetch.max_bytes)
            for warning in saved.warnings:
                self.warn(warning)
            yield saved
            return
        from crawloop.crawl.fetch.source import network

        rules = revealed(self.settings.fetch, os.environ)
        render = self.settings.render if self._is_rendered(family) else None
        cache = self.folder / self.settings.places.cache
        async with network(urls, rules, render, cache, clock=self.clock, warn=self.warn) as fetcher:
            yield fetcher

    def _recorder(self, family: str, archive: Path | None) -> Recorder:
        """Who keeps the pages of a run; those of an archive are kept already."""
        from crawloop.crawl.archive import Recorder

        most = 0 if archive else self.settings.archive.max_mb
        return Recorder(self.folder / self.settings.places.archive, family, most, self.clock, self.warn)

    @asynccontextmanager
    async def _machines(
        self, family: str, archive: Path | None, urls: Sequence[str], beside: CrawlKit | None
    ) -> AsyncIterator[tuple[Fetcher, Sandbox, Recorder]]:
        """What gives pages, runs programs and keeps pages: shared with a crawl that goes on beside, else new."""
        async with AsyncExitStack() as stack:
            recorder = stack.enter_context(closing(self._recorder(family, archive)))
            sandbox = beside.sandbox if beside else stack.enter_context(self._sandbox())
            if beside and (archive or self._is_rendered(family) == getattr(beside.fetcher, "renders", False)):
                fetcher = beside.fetcher
                allow(fetcher, urls)
            else:
                fetcher = await stack.enter_async_context(self.pages(archive, urls, family))
            yield fetcher, sandbox, recorder

    def _is_rendered(self, family: str) -> bool:
        return family in self.settings.render.families

    async def regenerate(
        self,
        family: str,
        urls: Sequence[str],
        schema_ref: str,
        options: RunOptions,
        observer: Observer,
        *,
        beside: CrawlKit | None = None,
    ) -> Outcome | None:
        """The loop for one family, new or not; see `Loop.run` for what it raises.

        A run `beside` a crawl is one that nobody asked for: None while the family cools down.
        """
        from crawloop.crawl.archive import RecordingFetcher
        from crawloop.llm.redaction import redaction
        from crawloop.loop.driver import Loop
        from crawloop.loop.journal import digest
        from crawloop.loop.standard import World, standard_kit
        from crawloop.loop.states import Task
        from crawloop.witness.examples import of_family, read_examples

        policy = options.over(self.settings.policy)
        examples = read_examples(options.examples, self.schema(schema_ref)) if options.examples else ()
        named = [*urls, *(example.url for example in examples), *self._family_urls(family)]
        async with self._machines(family, options.archive, named, beside) as (fetcher, sandbox, recorder):
            archived = tuple(getattr(fetcher, "urls", list)())
            known = self.known_urls(family, fetcher)
            if not (urls or examples or known):
                raise UserError(f"{family} has no page to look at: name URLs, or --archive PATH with saved pages")
            labelled = of_family(examples, urls or archived)
            if options.samples is None:  # what a person labelled is worth a page each
                policy = policy.evolve(samples=max(policy.samples, min(len(labelled), MOST_LABELLED)))
            task = Task(
                family,
                schema_ref,
                urls=tuple(urls) or archived,
                labelled=labelled,
                only=archived,
                archive=str(options.archive or ""),
                inputs=digest(options.examples, options.archive),
            )
            world = World(
                fetcher=RecordingFetcher(fetcher, (beside and beside.recorder) or recorder),
                store=self.store,
                sandbox=sandbox,
                schemas=self.schemas,
                clock=self.clock,
                examples=examples,
                completer=self.completer(policy),
                budget=policy.budget,
                redacted=redaction(self.settings.models.redact),
                observer=observer,
            )
            loop = Loop(standard_kit(world), policy)
            return await (loop.run(task) if beside is None else loop.heal(task))

    @asynccontextmanager
    async def crawling(
        self,
        family: str,
        archive: Path | None,
        use_models: bool,
        observer: Observer,
        *,
        urls: Sequence[str] = (),
        evidence: bool = False,
        beside: CrawlKit | None = None,
    ) -> AsyncIterator[CrawlKit]:
        """The parts of a crawl of `family`, closed at the end; those that cost are shared with one `beside`.

        `urls` were asked for besides those that the family knows.
        """
        from crawloop.crawl.kit import CrawlKit
        from crawloop.witness.markup import MarkupWitness

        async with self._machines(family, archive, [*urls, *self._family_urls(family)], beside) as (
            fetcher,
            sandbox,
            recorder,
        ):
            yield CrawlKit(
                fetcher=fetcher,
                store=self.store,
                sandbox=sandbox,
                schema=self.schema,
                clock=self.clock,
                markup=MarkupWitness(),
                fill=self._filler(family, observer) if use_models else None,
                recorder=recorder,
                direct=self.settings.policy.budget.bounds_cost,
                observer=observer,
                evidence=evidence,
                deadline=self.settings.policy.deadline,
            )

    def _filler(self, family: str, observer: Observer) -> Filler | None:
        """Who reads residual fields: the cheapest model, within the budget; None where no model is set."""
        from crawloop.llm.litellm import WITHOUT_IT, is_installed

        policy = self.settings.policy
        completer = self.completer(policy)
        if completer is None:
            return None
        if not is_installed():
            self._warn_of_residual(family, WITHOUT_IT)
            return None
        from crawloop.crawl.fill import ModelFiller
        from crawloop.llm.metering import Metered
        from crawloop.llm.redaction import redaction
        from crawloop.witness.llm import LLMWitness

        redacted = redaction(self.settings.models.redact)
        meter = Metered(completer, self.store, policy.budget, self.clock, observer, redacted=redacted)
        meter.begin(family, f"crawl {self.clock()}")
        return ModelFiller(LLMWitness(meter.of("residual")), policy.models[0], family)

    def _warn_of_residual(self, family: str, why: str) -> None:
        row = self.store.family(family)
        version = self.store.version(family, row.active) if row and row.active is not None else None
        if version is not None and version.residual:
            self.warn(f"{', '.join(version.residual)}: null in all records; {why}")

    def known_urls(self, family: str, fetcher: Fetcher) -> list[str]:
        """All pages of an archive, else the URLs of history and the family's own."""
        archived: list[str] = list(getattr(fetcher, "urls", list)())
        return archived or self._family_urls(family)

    def _family_urls(self, family: str) -> list[str]:
        row = self.store.family(family)
        return list(dict.fromkeys([*self.store.known_urls(family), *(row.urls if row else ())]))

    @contextmanager
    def _sandbox(self) -> Iterator[Sandbox]:
        from crawloop.sandbox import ProcessSandbox

        sandbox = ProcessSandbox(rules=self.settings.sandbox)
        try:
            sandbox.layers()  # here, so that a missing one ends a run before it has asked or fetched anything
            yield sandbox
        finally:
            sandbox.close()


@contextmanager
def open_workspace(folder: Path | None) -> Iterator[Workspace]:
    """Opens the workspace at `folder`, or the one around the current folder, and closes its registry at the end.

    Raises ConfigError (no such folder, bad crawloop.toml) and RegistryError (corrupt or newer registry).
    """
    from crawloop.registry import SqlStore

    home = workspace_folder(folder)
    settings = read_settings(home)
    store = SqlStore(registry_url(home, settings), home / settings.places.fixtures)
    try:
        yield Workspace(home, settings, store)
    finally:
        store.close()
