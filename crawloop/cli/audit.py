"""audit: what happened and why; `audit show ID` prints one entry whole."""

from __future__ import annotations

from pathlib import Path

import click

from crawloop.app import open_workspace
from crawloop.cli.console import as_json, print_json, print_table
from crawloop.contract import Entry
from crawloop.errors import UserError


class FamilyOrShow(click.Group):
    """`audit FAMILY` is the listing, `audit show ID` a command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        first = next((a for a in args if not a.startswith("-")), None)
        if first is not None and first != "show" and "--since" not in args[: args.index(first)][-1:]:
            args.remove(first)
            ctx.meta["crawloop.family"] = first
        return super().parse_args(ctx, args)


@click.group(cls=FamilyOrShow, invoke_without_command=True, options_metavar="[FAMILY] [OPTIONS]")
@click.option("--escalated", is_flag=True, help="Only what waits for a person.")
@click.option("--since", metavar="DATE", help="Only from this ISO date or time on.")
@as_json
@click.pass_context
def audit(ctx: click.Context, escalated: bool, since: str | None, as_json: bool) -> None:
    """What happened and why, oldest first."""
    if ctx.invoked_subcommand:
        return None
    kinds = ("FamilyEscalated",) if escalated else ()
    with open_workspace(ctx.obj) as workspace:
        entries = workspace.store.entries(ctx.meta.get("crawloop.family"), kinds=kinds, since=since)
    if as_json:
        return print_json([_plain(e) for e in entries])
    return print_table("", ("id", "at", "family", "what", "detail"), [_row(e) for e in entries])


@audit.command(name="show")
@click.argument("number", metavar="ID", type=int)
@click.pass_obj
def show_entry(folder: Path | None, number: int) -> None:
    """Print one entry whole, as JSON."""
    with open_workspace(folder) as workspace:
        entry = workspace.store.entry(number)
    if entry is None:
        raise UserError(f"no audit entry {number}: `crawloop audit` lists them")
    print_json(_plain(entry))


def _plain(entry: Entry) -> dict[str, object]:
    event = entry.event
    head = {"id": entry.id, "at": event.at, "family": event.family, "run": event.run, "kind": event.kind}
    return head | event.body()


def _row(entry: Entry) -> tuple[object, ...]:
    body = entry.event.body()
    body.pop("evidence", None)
    detail = ", ".join(f"{k} {_short(v)}" for k, v in body.items() if v not in (None, "", (), [], {}))
    return entry.id, entry.event.at, entry.event.family, entry.event.kind, detail


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 80 else text[:77] + "…"
