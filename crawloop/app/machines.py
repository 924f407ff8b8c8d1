"""What costs to start: who gives pages, who runs programs, who keeps pages. Families that run beside share it."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from crawloop.config import revealed

if TYPE_CHECKING:
    from crawloop.app.workspace import Workspace
    from crawloop.contract import Sandbox, Source
    from crawloop.crawl.archive import Recorder
    from crawloop.crawl.kit import CrawlKit


@dataclass(frozen=True, slots=True)
class Machines:
    """The machines of one family. `recorder` keeps its pages, the others may serve several families."""

    source: Source
    sandbox: Sandbox
    recorder: Recorder


@asynccontextmanager
async def machines(
    workspace: Workspace, family: str, archive: Path | None, urls: Iterable[str], beside: CrawlKit | None
) -> AsyncIterator[Machines]:
    """Machines for a family, closed at the end; shared with a crawl that goes on `beside` where they can be.

    `urls` are about to be asked for.
    """
    async with AsyncExitStack() as stack:
        recorder = stack.enter_context(closing(_recorder(workspace, family, archive)))
        sandbox = beside.sandbox if beside else stack.enter_context(_sandbox(workspace))
        if beside and (archive or beside.fetcher.renders == _is_rendered(workspace, family)):
            source = beside.fetcher
            source.allow(urls)
        else:
            source = await stack.enter_async_context(pages(workspace, archive, urls, family))
        yield Machines(source, sandbox, recorder)


@asynccontextmanager
async def pages(
    workspace: Workspace, archive: Path | None, urls: Iterable[str] = (), family: str = ""
) -> AsyncIterator[Source]:
    """Where the family's pages come from: the archive, or the network, where only the hosts of `urls` are asked."""
    if archive is not None:
        from crawloop.crawl.archive import ArchiveFetcher

        saved = ArchiveFetcher(archive, max_bytes=workspace.settings.fetch.max_bytes)
        for warning in saved.warnings:
            workspace.warn(warning)
        yield saved
        return
    from crawloop.crawl.fetch.source import network

    rules = revealed(workspace.settings.fetch, os.environ)
    render = workspace.settings.render if _is_rendered(workspace, family) else None
    cache = workspace.folder / workspace.settings.places.cache
    async with network(urls, rules, render, cache, clock=workspace.clock, warn=workspace.warn) as source:
        yield source


def _is_rendered(workspace: Workspace, family: str) -> bool:
    return family in workspace.settings.render.families


def _recorder(workspace: Workspace, family: str, archive: Path | None) -> Recorder:
    """Who keeps the pages of a run; those of an archive are kept already."""
    from crawloop.crawl.archive import Recorder

    most = 0 if archive else workspace.settings.archive.max_mb
    place = workspace.folder / workspace.settings.places.archive
    return Recorder(place, family, most, workspace.clock, workspace.warn)


@contextmanager
def _sandbox(workspace: Workspace) -> Iterator[Sandbox]:
    from crawloop.sandbox import ProcessSandbox

    sandbox = ProcessSandbox(rules=workspace.settings.sandbox)
    try:
        sandbox.layers()  # here, so that a missing one ends a run before it has asked or fetched anything
        yield sandbox
    finally:
        sandbox.close()
