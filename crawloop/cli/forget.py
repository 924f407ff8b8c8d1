"""forget: deleting a family. It takes a word more than other commands, and says what it is about to delete."""

from __future__ import annotations

from pathlib import Path

import click

from crawloop.app import Workspace, open_workspace
from crawloop.cli.console import as_json, print_json
from crawloop.cli.ladder import known_family
from crawloop.crawl.archive.segments import drop, segments
from crawloop.errors import UserError
from crawloop.registry.golden import family_parts


@click.command()
@click.argument("family")
@click.option("--yes", is_flag=True, help="Delete it: without this it is only said what would be deleted.")
@as_json
@click.pass_obj
def forget(folder: Path | None, family: str, yes: bool, as_json: bool) -> None:
    """Delete a family: its versions, golden pages, history, and the pages that were kept of it.

    The audit keeps what happened, and what models answered is not paid for again.
    """
    with open_workspace(folder) as workspace:
        known_family(workspace.store, family)
        pages = _kept(workspace, family)
        if not yes:
            raise UserError(f"{_lost(workspace, family, pages)}: to delete all of it give --yes too")
        with workspace.store.hold(family):
            event = workspace.store.forget(family, workspace.clock())
            drop(pages)
    if as_json:
        return print_json({"family": family, **event.body()})
    return click.echo(f"{family} is forgotten: {event.versions} versions, {event.goldens} golden pages")


def _kept(workspace: Workspace, family: str) -> Path:
    """Where pages of the family are kept."""
    return workspace.folder.joinpath(workspace.settings.places.archive, *family_parts(family))


def _lost(workspace: Workspace, family: str, pages: Path) -> str:
    fixtures = workspace.folder.joinpath(workspace.settings.places.fixtures, *family_parts(family))
    versions, known = workspace.store.versions(family), workspace.store.known_urls(family)
    lost = [
        f"{len(versions)} versions",
        f"the golden pages in {fixtures}",
        f"what is known of {len(known)} pages",
        *([f"the kept pages in {pages}"] if segments(pages) else []),
    ]
    return f"{family} has {', '.join(lost[:-1])} and {lost[-1]}"
