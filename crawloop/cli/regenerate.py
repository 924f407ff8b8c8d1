"""bootstrap and regen: the loop, from the command line."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from crawloop.app import Regeneration, Workspace, open_workspace, regenerate
from crawloop.cli import outcome
from crawloop.cli.console import as_json, for_a_reader, print_json, progress
from crawloop.cli.ladder import nearest
from crawloop.cli.urls import checked_urls
from crawloop.config import RunOptions
from crawloop.contract import Entry, Observer
from crawloop.errors import UnknownFamily
from crawloop.model.events import Event

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--examples", type=click.Path(path_type=Path), help="Right values, JSONL."),
    click.option("--archive", type=click.Path(path_type=Path), help="Serve pages from here, network off."),
    click.option("--model", "models", multiple=True, help="A model; repeat it for tiers, cheap first."),
    click.option("--no-llm", is_flag=True, help="Ask no model, whatever crawloop.toml says."),
    click.option("--samples", type=click.IntRange(1), help="Pages to sample."),
    click.option("--min-oracles", type=click.IntRange(1), help="Pages whose right values must be known."),
    click.option("--rounds", type=click.IntRange(1), help="Rounds before a person is asked."),
    click.option("--candidates", type=click.IntRange(1), help="Programs that a model writes in a round."),
    click.option("--budget", type=click.FloatRange(0), metavar="USD", help="Dollars that the run may spend."),
)


def run_options(command: Command) -> Command:
    """The options that bootstrap and regen share, folded into one RunOptions."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command()
@click.argument("family")
@click.argument("urls", nargs=-1)
@click.option("--schema", "schema_ref", required=True, metavar="NAME@N", help="The schema, in schemas/.")
@run_options
@as_json
@click.pass_obj
def bootstrap(
    folder: Path | None, /, family: str, urls: tuple[str, ...], schema_ref: str, as_json: bool, **options: Any
) -> int:
    """Make the first version of a new family."""
    with open_workspace(folder) as workspace:
        known = workspace.store.family(family)
        if known is not None and known.active is not None:
            raise UnknownFamily(f"{family} has version {known.active} already: use `crawloop regen {family}`")
        return _run(workspace, _asked(family, urls, schema_ref, options), as_json)


@click.command()
@click.argument("family")
@click.argument("urls", nargs=-1)
@run_options
@as_json
@click.pass_obj
def regen(folder: Path | None, /, family: str, urls: tuple[str, ...], as_json: bool, **options: Any) -> int:
    """Regenerate the extractor of a family that exists."""
    with open_workspace(folder) as workspace:
        known = workspace.family(family)
        if known is None:
            near = nearest(workspace.store, family)
            remedy = f"use `crawloop bootstrap {family} URL… --schema NAME@N` for a new one, or {near}"
            raise UnknownFamily(f"no family {family!r} here: {remedy}")
        return _run(workspace, _asked(family, urls, known.schema_ref, options), as_json)


def _asked(family: str, urls: Sequence[str], schema_ref: str, options: Mapping[str, Any]) -> Regeneration:
    said = RunOptions(**options)
    return Regeneration(family, schema_ref, tuple(checked_urls(urls, said.archive)), said)


def _run(workspace: Workspace, asked: Regeneration, as_json: bool) -> int:
    """Runs the loop, and tells it from the audit entry that it left."""
    with progress(asked.family) as follow, workspace.signals(follow) as observe:
        entry = asyncio.run(regenerated(workspace, asked, observe))
    run = outcome.told(entry)
    with for_a_reader():
        if as_json:
            print_json(run)
        else:
            outcome.show(run)
    if run["outcome"] != "escalated":
        return 0
    if as_json:  # the tables end with it
        click.echo(
            f"crawloop: {asked.family} escalated: {run['reason']}; see `crawloop audit show {entry.id}`", err=True
        )
    return 3


async def regenerated(workspace: Workspace, asked: Regeneration, observer: Observer) -> Entry:
    """Runs the loop, and returns the audit entry that it left: one of outcome.ENDINGS."""
    endings: list[Event] = []

    def observe(event: Event) -> None:
        observer(event)
        if event.kind in outcome.ENDINGS:
            endings.append(event)

    await regenerate(workspace, asked, observe)
    (ending,) = endings
    return workspace.store.entries(asked.family, run=ending.run, kinds=(ending.kind,))[-1]
