"""spend: what models were asked and what it cost, summed up, call by call, or one call whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from crawloop.app import open_workspace
from crawloop.cli.audit import as_written
from crawloop.cli.console import as_json, print_json, print_table
from crawloop.cli.ladder import known_family
from crawloop.contract import Answer, Entry
from crawloop.errors import UserError
from crawloop.model.events import ModelCalled

_SHORT_KEY = 12
_GROUPS: dict[str, Callable[[Answer], str]] = {
    "family": lambda one: one.family,
    "month": lambda one: one.at[:7],
    "model": lambda one: one.model,
    "purpose": lambda one: one.purpose,
    "prompt": lambda one: one.prompt,
    "run": lambda one: one.run,
}


@click.command()
@click.argument("family", required=False)
@click.option("--since", metavar="DATE", help="Only from this ISO date or time on; UTC where it names no zone.")
@click.option("--by", type=click.Choice(list(_GROUPS)), default="family", help="What to sum up by.  [family]")
@click.option("--calls", is_flag=True, help="A line for each call that was paid for.")
@click.option("--call", "key", metavar="KEY", help="One call whole: question, answer, what became of it.")
@as_json
@click.pass_obj
def spend(
    folder: Path | None, family: str | None, since: str | None, by: str, calls: bool, key: str | None, as_json: bool
) -> None:
    """What models were asked, and what it cost."""
    with open_workspace(folder) as workspace:
        if family is not None:
            known_family(workspace.store, family)
        moment = as_written(since) if since else None
        answers = workspace.store.answers(family, moment)
        told = workspace.store.entries(family, kinds=(ModelCalled.__name__,), since=moment)
    if key is not None:
        return _show(_called(answers, key), as_json)
    if calls:
        rows = [_plain(one) for one in answers]
        return print_json(rows) if as_json else _table(rows, "no model was paid")
    rows = _summed(answers, told, by)
    return print_json(rows) if as_json else _table(rows, "no model was paid")


def _summed(answers: Sequence[Answer], told: Sequence[Entry], by: str) -> list[dict[str, object]]:
    """A row for each group, the dearest first. Answers for which nobody paid again are counted in the last row."""
    groups: dict[str, list[Answer]] = {}
    for one in answers:
        groups.setdefault(_GROUPS[by](one), []).append(one)
    rows = [_row(name, group, by) for name, group in groups.items()]
    rows.sort(key=lambda row: -(row["dollars"] if isinstance(row["dollars"], float) else 0.0))
    again = sum(isinstance(one.event, ModelCalled) and one.event.cached for one in told)
    if again:
        rows.append({**dict.fromkeys(_row("", (), by)), by: "answered again from the ledger", "calls": again})
    return rows


def _row(name: str, group: Sequence[Answer], by: str) -> dict[str, object]:
    prices = [one.dollars for one in group]
    known = [one for one in prices if one is not None]
    return {
        by: name,
        "calls": len(group),
        "tokens in": sum(one.asked or 0 for one in group),
        "tokens out": sum(one.answered or 0 for one in group),
        "dollars": float(round(sum(known), 6)) if len(known) == len(prices) else None,
        "unpriced": len(prices) - len(known),
    }


def _plain(one: Answer) -> dict[str, object]:
    return {
        "call": one.key[:_SHORT_KEY],
        "at": one.at,
        "family": one.family,
        "purpose": one.purpose,
        "prompt": one.prompt,
        "model": one.model,
        "tokens in": one.asked,
        "tokens out": one.answered,
        "dollars": one.dollars,
        "seconds": round(one.seconds, 3),
        "verdict": one.verdict or one.flaw,
    }


def _table(rows: Sequence[dict[str, object]], nothing: str) -> None:
    if not rows:
        return click.echo(nothing)
    cells = [["unknown" if k == "dollars" and v is None else v for k, v in row.items()] for row in rows]
    return print_table("", tuple(rows[0]), cells)


def _called(answers: Sequence[Answer], key: str) -> Answer:
    found = [one for one in answers if key and one.key.startswith(key)]
    if len(found) != 1:
        raise UserError(f"--call {key}: {len(found)} calls begin so; `crawloop spend --calls` lists them")
    return found[0]


def _show(one: Answer, as_json: bool) -> None:
    if as_json:
        return print_json(asdict(one))
    for name, value in {**_plain(one), "run": one.run}.items():
        click.echo(f"{name}: {'unknown' if value is None else value}")
    click.echo(f"\nquestion:\n{one.question or 'not kept'}\n\nanswer:\n{one.text}")
    return None
