"""The parts of a crawl."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from crawloop.app.machines import machines
from crawloop.app.workspace import Workspace
from crawloop.model.events import unwatched

if TYPE_CHECKING:
    from crawloop.contract import Observer
    from crawloop.crawl.kit import CrawlKit, Filler


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawling:
    """What the crawls of one command have in common.

    Pages come from `archive`, or the network without one. With `evidence` reports say where each value comes from.
    `observer` is told of each event.
    """

    archive: Path | None = None
    use_models: bool = True
    evidence: bool = False
    observer: Observer = unwatched


@asynccontextmanager
async def crawling(
    workspace: Workspace,
    family: str,
    how: Crawling,
    *,
    urls: Sequence[str] = (),
    beside: CrawlKit | None = None,
) -> AsyncIterator[CrawlKit]:
    """The parts of a crawl of `family`, closed at the end; those that cost are shared with one `beside`.

    `urls` were asked for besides those that the family knows.
    """
    from crawloop.crawl.kit import CrawlKit
    from crawloop.witness.markup import MarkupWitness

    named = [*urls, *workspace.urls(family)]
    async with machines(workspace, family, how.archive, named, beside) as these:
        yield CrawlKit(
            fetcher=these.source,
            store=workspace.store,
            sandbox=these.sandbox,
            schema=workspace.schema,
            clock=workspace.clock,
            markup=MarkupWitness(),
            fill=_filler(workspace, family, how.observer) if how.use_models else None,
            recorder=these.recorder,
            direct=workspace.settings.policy.budget.bounds_cost,
            observer=how.observer,
            evidence=how.evidence,
            deadline=workspace.settings.policy.deadline,
        )


def _filler(workspace: Workspace, family: str, observer: Observer) -> Filler | None:
    """Who reads residual fields: the cheapest model that answers, within the budget; None where no model is set."""
    from crawloop.llm.litellm import WITHOUT_IT, is_installed

    policy = workspace.settings.policy
    completer = workspace.completer(policy)
    if completer is None:
        return None
    if not is_installed():
        _warn_of_residual(workspace, family, WITHOUT_IT)
        return None
    from crawloop.crawl.fill import ModelFiller
    from crawloop.llm.metering import Metered
    from crawloop.llm.redaction import redaction
    from crawloop.witness.llm import LLMWitness

    redacted = redaction(workspace.settings.models.redact)
    meter = Metered(completer, workspace.store, policy.budget, workspace.clock, observer, redacted=redacted)
    meter.begin(family, f"crawl {workspace.clock()}")
    return ModelFiller(LLMWitness(meter.of("residual")), policy.models, family)


def _warn_of_residual(workspace: Workspace, family: str, why: str) -> None:
    row = workspace.store.family(family)
    version = workspace.store.version(family, row.active) if row and row.active is not None else None
    if version is not None and version.residual:
        workspace.warn(f"{', '.join(version.residual)}: null in all records; {why}")
