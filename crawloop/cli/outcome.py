"""How a run of the loop is told, from the audit entry that it left: the same as tables for people and as JSON.

`crawloop bootstrap`, `regen` and `audit show` all tell a run with this.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import click

from crawloop.cli.console import print_table
from crawloop.contract import Entry
from crawloop.model.events import Event, FamilyEscalated, VersionKept, VersionPromoted

_WORDS = {VersionPromoted: "promoted", VersionKept: "kept", FamilyEscalated: "escalated"}
ENDINGS = tuple(kind.__name__ for kind in _WORDS)
MOST_FINDINGS = 3
_UNTAUGHT = "taught by no sample"  # how notes begin of what is read by its name
_UNREAD = ("left out", "no carrier", "no reading")  # how notes begin that say why a field is not read


def told(entry: Entry) -> dict[str, Any]:
    """A finished run as plain JSON. `entry` is one of ENDINGS."""
    event, seen = entry.event, entry.event.body()["evidence"]
    serves = isinstance(event, VersionPromoted | VersionKept)
    word = _WORDS[type(event)]
    body: dict[str, Any] = {
        "family": event.family,
        "outcome": word,
        "reason": _reason(event),
        "version": event.body().get("version"),
        "audit": entry.id,
        "rounds": seen.get("rounds", 0),
        "pages": [_page(one) for one in seen.get("pages", ())],
        "witnesses": _witnesses(seen.get("truth", ())),
        "conflicts": list(seen.get("conflicts", ())),
        "candidates": [_candidate(one) for one in seen.get("candidates", ())],
        "silent": [_silent(one) for one in seen.get("silent", ())],
        "cost": dict(seen.get("cost", {})),
    }
    if not serves:
        return body | {
            "next": [f"crawloop audit show {entry.id} --json    # the whole evidence", *seen.get("next", ())]
        }
    winner = seen.get("winner", {})
    return body | {
        "origin": event.body()["origin"],
        "fields": list(winner.get("fields", ())),
        "untaught": untaught(seen.get("notes", {})),
        "paths": dict(seen.get("notes", {})),
        "residual": list(seen.get("residual", ())),
        "left_out": _left_out(seen, winner.get("fields", ())),
        "warnings": list(seen.get("warnings", ())),
        "new_epoch": bool(seen.get("new_epoch")),
        "source": winner.get("source", ""),
    }


def show(run: dict[str, Any]) -> None:
    """Prints what `told` gives for a person, on stdout. What to do next comes last."""
    print_table("pages", ("url", "role"), [(one["url"], _role(one)) for one in run["pages"]])
    print_table("\nwitnesses", ("field", "said by", "tied to the page"), _witness_rows(run["witnesses"]))
    conflicts = [(c["url"], c["record"], c["field"], _said(c["said"]), c["kept"]) for c in run["conflicts"]]
    print_table("\ndisagreements", ("url", "record", "field", "said", "kept"), conflicts)
    candidates = (
        (one["origin"], len(one["fields"]), one["stopped_at"] or "passed", "\n".join(one["findings"][:MOST_FINDINGS]))
        for one in run["candidates"]
    )
    print_table("\ncandidates", ("by", "fields", "gate", "findings", "times"), _counted(candidates))
    silent = ((one["who"], one["why"]) for one in run["silent"])
    print_table("\nsilent", ("who", "why", "times"), _counted(silent))
    left_out = [(name, "\n".join(why[:MOST_FINDINGS])) for name, why in run.get("left_out", {}).items()]
    print_table("\nleft out", ("field", "why"), left_out)
    dollars = run["cost"].get("dollars")
    cost = "unknown" if dollars is None else f"{dollars:.4f}"
    spent = f"models called: {run['cost'].get('calls', 0)}, cost: {cost} USD, seconds: {run['cost'].get('seconds', 0)}"
    if run["outcome"] == "escalated":
        _show_escalation(run, spent)
    else:
        _show_promotion(run, spent)


def untaught(notes: Mapping[str, Sequence[str]]) -> list[str]:
    """The fields of which no sample had a value: they are read by their names, or as another version does."""
    return sorted(name for name, lines in notes.items() if any(line.startswith(_UNTAUGHT) for line in lines))


def show_fields(fields: Iterable[str], untaught: Collection[str], residual: Iterable[str]) -> None:
    """What a version reads; apart from that what it reads although no sample has taught it, and what it never reads."""
    click.echo(f"fields: {', '.join(name for name in fields if name not in untaught)}")
    if untaught:
        click.echo(f"read without a sample: {', '.join(untaught)}")
    click.echo(f"residual: {', '.join(residual) or 'none'}")


def _show_promotion(run: dict[str, Any], spent: str) -> None:
    click.echo(f"\n{run['source']}")
    show_fields(run["fields"], run.get("untaught", ()), run["residual"])
    for warning in run["warnings"]:
        click.echo(f"warning: {warning}")
    click.echo(spent)
    if run["outcome"] == "kept":
        return click.echo(f"{run['family']}: {run['reason']}; audit {run['audit']}")
    layout = ", a new layout" if run["new_epoch"] else ""
    click.echo(f"{run['family']}: promoted version {run['version']} by {run['origin']}{layout}; audit {run['audit']}")
    return None


def _show_escalation(run: dict[str, Any], spent: str) -> None:
    click.echo(f"\n{spent}")
    click.echo(f"{run['family']}: escalated: {run['reason']}; audit {run['audit']}")
    click.echo("A person is needed. Next:")
    for command in run["next"]:
        click.echo(f"  {command}")


def _reason(event: Event) -> str:
    match event:
        case VersionPromoted():
            return "promoted"
        case VersionKept(version=number):
            return f"version {number} still fits: nothing to promote"
    return str(event.body()["reason"])


def _page(row: dict[str, Any]) -> dict[str, Any]:
    return {"url": row["url"], "role": row["role"], "why": row.get("why")}


def _role(page: dict[str, Any]) -> str:
    return f"{page['role']}: {page['why']}" if page["why"] else page["role"]


def _witnesses(truths: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """{field: {"by": {witness: claims}, "supported": n, "unsupported": n}} over all samples."""
    fields: dict[str, Any] = {}
    for record in (record for truth in truths for record in truth["records"]):
        for name, claim in record.items():
            one = fields.setdefault(name, {"by": Counter(), "supported": 0, "unsupported": 0})
            one["by"].update(claim["witnesses"])
            one["supported" if claim["supported"] else "unsupported"] += 1
    return {name: {**one, "by": dict(one["by"])} for name, one in sorted(fields.items())}


def _witness_rows(witnesses: dict[str, Any]) -> list[tuple[str, str, str]]:
    rows = []
    for name, one in witnesses.items():
        by = ", ".join(f"{who} {count}" for who, count in one["by"].items())
        rows.append((name, by, f"{one['supported']} of {one['supported'] + one['unsupported']}"))
    return rows


def _said(said: Iterable[tuple[str, Any]]) -> str:
    return "; ".join(f"{who}: {value}" for who, value in said)


def _candidate(verdict: dict[str, Any]) -> dict[str, Any]:
    findings = sorted(verdict["findings"], key=lambda one: not one.get("fatal"))
    return {
        "origin": verdict["origin"],
        "fields": list(verdict.get("fields", ())),
        "passed": verdict["passed"],
        "stopped_at": verdict["stopped_at"],
        "findings": [_line(one) for one in findings],
    }


def _line(finding: dict[str, Any]) -> str:
    places = [str(finding[key]) for key in ("field", "url") if finding.get(key)]
    where = f" ({', '.join(places)})" if places else ""
    return f"{finding['gate']}: {finding['message']}{where}"


def _left_out(seen: dict[str, Any], fields: Iterable[str]) -> dict[str, list[str]]:
    """Why each field is not in the program: what was wrong with candidates that read it, and what its notes say."""
    found: dict[str, list[str]] = {}
    known = {name for truth in seen.get("truth", ()) for record in truth["records"] for name in record}
    for name in sorted(set(seen.get("fields", ())) - set(fields)):
        wrong = (one for verdict in seen.get("candidates", ()) for one in verdict["findings"])
        lines = [_line(one) for one in wrong if one.get("field") == name]
        notes = list(seen.get("notes", {}).get(name, ()))
        lines += notes[next((at for at, line in enumerate(notes) if line.startswith(_UNREAD)), len(notes)) :]
        nothing = "no candidate reads it" if name in known else "nobody knows a value of it on these pages"
        found[name] = list(dict.fromkeys(lines)) or [nothing]
    return found


def _silent(body: dict[str, Any]) -> dict[str, Any]:
    return {"who": body.get("strategy") or body.get("witness"), "why": body["why"], "url": body.get("url")}


def _counted(rows: Iterable[tuple[str | int, ...]]) -> list[tuple[str | int, ...]]:
    """The rows, each once, with how often it is so: of several pages, or of several candidates."""
    return [(*row, count) for row, count in Counter(rows).items()]
