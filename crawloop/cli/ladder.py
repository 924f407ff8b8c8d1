"""families, versions, show, diff, rollback: the registry as a person sees it."""

from __future__ import annotations

import difflib
import shlex
from dataclasses import asdict
from pathlib import Path

import click

from crawloop.app import open_workspace
from crawloop.cli.console import as_json, print_json, print_table
from crawloop.cli.outcome import show_fields, untaught
from crawloop.contract import Store
from crawloop.errors import UnknownFamily, UserError
from crawloop.model.family import Family, Version
from crawloop.shape import shown


def known_family(store: Store, name: str) -> Family:
    """The family, or UnknownFamily with the nearest names there are."""
    family = store.family(name)
    if family is None:
        raise UnknownFamily(f"no family {name!r} here: {nearest(store, name)}")
    return family


def nearest(store: Store, name: str) -> str:
    """A remedy for a family's name that was mistyped."""
    near = difflib.get_close_matches(name, [f.name for f in store.families()], n=3, cutoff=0.6)
    return f"did you mean {', '.join(near)}?" if near else "`crawloop families` lists what there is"


def known_version(store: Store, family: str, number: int | None) -> Version:
    """That version, or the active one without a number. Raises UserError with the numbers there are."""
    row = known_family(store, family)
    wanted = row.active if number is None else number
    version = store.version(family, wanted) if wanted is not None else None
    if version is None:
        there = ", ".join(str(v.number) for v in store.versions(family))
        remedy = f"versions are {there}" if there else f"none was promoted yet: `crawloop regen {family}`"
        raise UserError(f"{family} has no {'active version' if wanted is None else f'version {wanted}'}: {remedy}")
    return version


@click.command()
@as_json
@click.pass_obj
def families(folder: Path | None, as_json: bool) -> None:
    """List the families of this workspace."""
    with open_workspace(folder) as workspace:
        rows = workspace.store.families()
        ladders = {f.name: len(workspace.store.versions(f.name)) for f in rows}
    if as_json:
        return print_json([asdict(f) | {"urls": [*map(shown, f.urls)], "versions": ladders[f.name]} for f in rows])
    if not rows:
        return click.echo("no families yet: crawloop bootstrap FAMILY URL… --schema Name@1")
    cells = [(f.name, f.schema_ref, f.status, f.active, ladders[f.name], f.cooldown_until) for f in rows]
    return print_table("", ("family", "schema", "status", "active", "versions", "cool-down until"), cells)


@click.command()
@click.argument("family")
@as_json
@click.pass_obj
def versions(folder: Path | None, family: str, as_json: bool) -> None:
    """List a family's versions, oldest first."""
    with open_workspace(folder) as workspace:
        row = known_family(workspace.store, family)
        ladder = workspace.store.versions(family)
    if as_json:
        return print_json([_summary(v) | {"active": v.number == row.active} for v in ladder])
    if not ladder:
        return click.echo(f"{family} has no version: none was promoted yet")
    cells = [_row(v, row.active) for v in ladder]
    columns = ("version", "by", "epoch", "fields", "residual", "model", "USD", "made at")
    return print_table(f"{family} (* active)", columns, cells)


@click.command()
@click.argument("target", metavar="FAMILY[@N]")
@click.argument("apart", required=False, metavar="")
@click.option("--why", is_flag=True, help="For each field: the path chosen, runners-up, doubts.")
@as_json
@click.pass_obj
def show(folder: Path | None, target: str, apart: str | None, why: bool, as_json: bool) -> None:
    """Show a version: its program, fields and notes. Without @N the active one."""
    if apart is not None:
        raise UserError(f"show takes a version with its family: `crawloop show {shlex.quote(f'{target}@{apart}')}`")
    name, number = split_target(target)
    with open_workspace(folder) as workspace:
        version = known_version(workspace.store, name, number)
    if as_json:
        return print_json(_summary(version) | {"source": version.source, "notes": version.notes})
    click.echo(f"{name}@{version.number}  {version.schema_ref}  by {version.origin}  {version.created_at}")
    show_fields(version.fields, untaught(version.notes), version.residual)
    for warning in version.warnings:
        click.echo(f"warning: {warning}")
    if why:
        for field, lines in sorted(version.notes.items()):
            click.echo(f"\n{field}")
            for line in lines:
                click.echo(f"  {line}")
    return click.echo(f"\n{version.source}")


@click.command()
@click.argument("family")
@click.argument("a", type=int)
@click.argument("b", type=int)
@as_json
@click.pass_obj
def diff(folder: Path | None, family: str, a: int, b: int, as_json: bool) -> None:
    """Compare the programs of versions A and B."""
    with open_workspace(folder) as workspace:
        before, after = (known_version(workspace.store, family, n) for n in (a, b))
    names = (f"{family}@{a}", f"{family}@{b}")
    sources = (before.source.splitlines(), after.source.splitlines())
    lines = list(difflib.unified_diff(*sources, *names, lineterm=""))
    if as_json:
        gone, new = sorted({*before.fields} - {*after.fields}), sorted({*after.fields} - {*before.fields})
        return print_json({"family": family, "a": a, "b": b, "fields_gone": gone, "fields_new": new, "diff": lines})
    return click.echo("\n".join(lines) or f"{names[0]} and {names[1]} are the same program")


@click.command()
@click.argument("family")
@click.argument("number", type=int)
@as_json
@click.pass_obj
def rollback(folder: Path | None, family: str, number: int, as_json: bool) -> None:
    """Make version NUMBER the active one. No version is ever lost."""
    with open_workspace(folder) as workspace:
        known_version(workspace.store, family, number)
        version = workspace.store.rollback(family, number, workspace.clock())
    if as_json:
        return print_json(_summary(version))
    return click.echo(f"{family}: version {number} is active")


def split_target(target: str) -> tuple[str, int | None]:
    """`family@3` → ("family", 3); `family` → ("family", None)."""
    name, at, number = target.rpartition("@")
    if at and number.isdigit():
        return name, int(number)
    return target, None


def _summary(version: Version) -> dict[str, object]:
    body = asdict(version)
    for bulky in ("source", "plan", "notes", "profile"):
        del body[bulky]
    return body | {"digest": version.digest}


def _row(version: Version, active: int | None) -> tuple[object, ...]:
    mark = " *" if version.number == active else ""
    cost = "unknown" if version.cost is None else f"{version.cost:.4f}"
    head = (f"{version.number}{mark}", version.origin, version.epoch, len(version.fields), ", ".join(version.residual))
    return (*head, version.model or "none", cost, version.created_at)
