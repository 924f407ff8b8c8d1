"""audit: what happened and why; `audit show ID` tells one entry whole."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from crawloop.app import open_workspace
from crawloop.cli import outcome
from crawloop.cli.console import as_json, print_json, print_table
from crawloop.cli.ladder import known_family
from crawloop.contract import Entry
from crawloop.errors import UserError
from crawloop.model import moment
from crawloop.model.events import FamilyEscalated, RolledBack, VersionKept, VersionPromoted

_SETTLING = (VersionPromoted.__name__, VersionKept.__name__, RolledBack.__name__)


class FamilyOrShow(click.Group):
    """`audit FAMILY` is the listing, `audit show ID` a command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        first = next((n for n, word in enumerate(args) if word[:1] != "-" and args[n - 1 : n] != ["--since"]), None)
        if first is not None and args[first] != "show":
            ctx.meta["crawloop.family"] = args.pop(first)
        return super().parse_args(ctx, args)


@click.group(cls=FamilyOrShow, invoke_without_command=True, options_metavar="[FAMILY] [OPTIONS]")
@click.option("--escalated", is_flag=True, help="Only what waits for a person.")
@click.option("--since", metavar="DATE", help="Only from this ISO date or time on; UTC where it names no zone.")
@as_json
@click.pass_context
def audit(ctx: click.Context, escalated: bool, since: str | None, as_json: bool) -> None:
    """What happened and why, oldest first."""
    if ctx.invoked_subcommand:
        return None
    kinds = (FamilyEscalated.__name__, *_SETTLING) if escalated else ()
    family: str | None = ctx.meta.get("crawloop.family")
    with open_workspace(ctx.obj) as workspace:
        if family is not None:
            known_family(workspace.store, family)
        entries = workspace.store.entries(family, kinds=kinds, since=as_written(since) if since else None)
    if escalated:
        entries = waiting(entries)
    if as_json:
        return print_json([_plain(e) for e in entries])
    if not entries:
        return click.echo("no entries")
    return print_table("", ("id", "at", "family", "what", "detail"), _rows(entries))


@audit.command(name="show")
@click.argument("number", metavar="ID", type=int)
@as_json
@click.pass_obj
def show_entry(folder: Path | None, number: int, as_json: bool) -> None:
    """Tell one entry: how a run ended as tables, anything else as it is kept. All evidence is in --json."""
    with open_workspace(folder) as workspace:
        entry = workspace.store.entry(number)
    if entry is None:
        raise UserError(f"no audit entry {number}: `crawloop audit` lists them")
    if as_json or entry.event.kind not in outcome.ENDINGS:
        return print_json(_plain(entry))
    return outcome.show(outcome.told(entry))


def waiting(entries: Sequence[Entry]) -> list[Entry]:
    """The escalations among these entries, oldest first, that no later one of the same family has settled."""
    settled = {one.event.family: one.id for one in entries if one.event.kind in _SETTLING}
    return [
        one
        for one in entries
        if one.event.kind == FamilyEscalated.__name__ and one.id > settled.get(one.event.family, 0)
    ]


def as_written(since: str) -> str:
    """A date or time as the audit writes it, in UTC. Raises UserError."""
    try:
        return moment.written(moment.read(since))
    except ValueError:
        raise UserError(f"--since {since}: use an ISO date or time, as in 2026-01-31 or 2026-01-31T12:00") from None


def _plain(entry: Entry) -> dict[str, object]:
    event = entry.event
    head = {"id": entry.id, "at": event.at, "family": event.family, "run": event.run, "kind": event.kind}
    return head | event.body()


def _rows(entries: Sequence[Entry]) -> list[tuple[object, ...]]:
    """What a run told of several pages alike is one row, that of the first."""
    alike: dict[tuple[str, str, str], list[Entry]] = {}
    for one in entries:
        alike.setdefault((one.event.run or str(one.id), one.event.kind, _detail(one, ("evidence", "url"))), []).append(
            one
        )
    return [
        (first.id, first.event.at, first.event.family, first.event.kind, _detail(first, ("evidence",)) + _more(rest))
        for first, *rest in alike.values()
    ]


def _detail(entry: Entry, left_out: tuple[str, ...]) -> str:
    body = {name: value for name, value in entry.event.body().items() if name not in left_out}
    return ", ".join(f"{k} {_short(v)}" for k, v in body.items() if v not in (None, "", (), [], {}))


def _more(rest: Sequence[Entry]) -> str:
    return f" (and of {len(rest)} more)" if rest else ""


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 80 else text[:77] + "…"
