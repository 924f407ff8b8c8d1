"""One run of the loop: what it is asked for, and the world that it is given."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from crawloop.app.machines import Machines, machines
from crawloop.app.workspace import Workspace
from crawloop.config import RunOptions
from crawloop.errors import UserError

if TYPE_CHECKING:
    from crawloop.contract import Observer
    from crawloop.crawl.kit import CrawlKit
    from crawloop.loop.standard import World
    from crawloop.loop.states import Task
    from crawloop.model.outcome import Outcome
    from crawloop.model.policy import Policy
    from crawloop.witness.examples import Example

MOST_LABELLED = 12


@dataclass(frozen=True, slots=True)
class Regeneration:
    """What a run is asked for: a version of the family, new or not, learnt from `urls` or whatever is known of it."""

    family: str
    schema_ref: str
    urls: tuple[str, ...] = ()
    options: RunOptions = RunOptions()  # noqa: RUF009 - frozen


async def regenerate(
    workspace: Workspace, asked: Regeneration, observer: Observer, *, beside: CrawlKit | None = None
) -> Outcome | None:
    """Runs the loop; see `Loop.run` for what it raises. Raises UserError where there is no page to look at.

    A run `beside` a crawl of the family is one that nobody asked for: None while the family cools down.
    """
    from crawloop.loop.driver import Loop
    from crawloop.loop.standard import standard_kit
    from crawloop.witness.examples import read_examples

    options = asked.options
    policy = options.over(workspace.settings.policy)
    schema = workspace.schema(asked.schema_ref) if options.examples else None
    examples = read_examples(options.examples, schema) if options.examples and schema else ()
    known = workspace.urls(asked.family)
    named = [*asked.urls, *(example.url for example in examples), *known]
    async with machines(workspace, asked.family, options.archive, named, beside) as these:
        if beside is not None and beside.recorder is not None:  # a crawl of the same family keeps its pages there
            these = replace(these, recorder=beside.recorder)
        if not (asked.urls or examples or known or these.source.urls()):
            remedy = "name URLs, or --archive PATH with saved pages"
            raise UserError(f"{asked.family} has no page to look at: {remedy}")
        task = _task(asked, examples, tuple(these.source.urls()))
        if options.samples is None:  # what a person labelled is worth a page each
            policy = policy.evolve(samples=max(policy.samples, min(len(task.labelled), MOST_LABELLED)))
        loop = Loop(standard_kit(_world(workspace, these, policy, examples, observer)), policy)
        return await (loop.run(task) if beside is None else loop.heal(task))


def _task(asked: Regeneration, examples: tuple[Example, ...], archived: tuple[str, ...]) -> Task:
    from crawloop.loop.journal import digest
    from crawloop.loop.states import Task
    from crawloop.witness.examples import of_family

    options = asked.options
    return Task(
        asked.family,
        asked.schema_ref,
        urls=asked.urls or archived,
        labelled=of_family(examples, asked.urls or archived),
        only=archived,
        archive=str(options.archive or ""),
        inputs=digest(options.examples, options.archive),
    )


def _world(
    workspace: Workspace, these: Machines, policy: Policy, examples: tuple[Example, ...], observer: Observer
) -> World:
    from crawloop.crawl.archive import RecordingFetcher
    from crawloop.llm.redaction import redaction
    from crawloop.loop.standard import World

    return World(
        fetcher=RecordingFetcher(these.source, these.recorder),
        store=workspace.store,
        sandbox=these.sandbox,
        schemas=workspace.schemas,
        clock=workspace.clock,
        examples=examples,
        completer=workspace.completer(policy),
        budget=policy.budget,
        redacted=redaction(workspace.settings.models.redact),
        observer=observer,
    )
