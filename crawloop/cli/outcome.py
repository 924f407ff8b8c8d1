"""How a run of the loop is told: the same content as tables for people and as JSON for machines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click

from crawloop.cli.console import print_table
from crawloop.model.events import CandidateJudged, Event, ModelCalled, PageDropped, StrategySilent
from crawloop.model.family import Version
from crawloop.model.outcome import Escalation, Outcome, Promotion
from crawloop.model.truth import Truth


@dataclass(frozen=True, slots=True)
class Told:
    """A finished run: its outcome, the events on the way, the version and the audit entry it left."""

    family: str
    outcome: Outcome
    events: tuple[Event, ...]
    version: Version | None
    entry: int | None

    def as_json(self) -> dict[str, Any]:
        """Everything that the tables show, as plain JSON."""
        outcome = self.outcome
        body: dict[str, Any] = {
            "family": self.family,
            "outcome": "promoted" if isinstance(outcome, Promotion) else "escalated",
            "reason": "promoted" if isinstance(outcome, Promotion) else str(outcome),
            "version": self.version.number if self.version else None,
            "audit": self.entry,
            "rounds": outcome.rounds,
            "pages": [{"url": s.page.url, "known": s.truth is not None} for s in outcome.samples],
            "dropped": [{"url": e.url, "why": e.why} for e in self.events if isinstance(e, PageDropped)],
            "witnesses": _witnesses(outcome),
            "candidates": [_judged(e) for e in self.events if isinstance(e, CandidateJudged)],
            "silent": [{"strategy": e.strategy, "why": e.why} for e in self.events if isinstance(e, StrategySilent)],
            "calls": outcome.spend.calls,
            "dollars": outcome.spend.dollars,
            "seconds": round(outcome.spend.seconds, 2),
        }
        if isinstance(outcome, Promotion):
            body |= {
                "origin": outcome.winner.origin,
                "fields": sorted(outcome.winner.fields),
                "paths": {name: list(lines) for name, lines in outcome.winner.notes.items()},
                "residual": list(outcome.residual),
                "warnings": list(outcome.warnings),
                "source": outcome.winner.source,
            }
        return body

    def show(self) -> None:
        """Prints the run for a person, on stdout."""
        told = self.as_json()
        print_table(
            "pages", ("url", "truth"), [(p["url"], "known" if p["known"] else "not known") for p in told["pages"]]
        )
        for page in told["dropped"]:
            click.echo(f"left out: {page['url']}: {page['why']}")
        print_table("\nwitnesses", ("field", "said by", "tied to the page"), _witness_rows(told["witnesses"]))
        candidates = [
            (c["origin"], c["round"], c["stopped_at"] or "passed", "\n".join(c["findings"][:3]))
            for c in told["candidates"]
        ]
        print_table("\ncandidates", ("by", "round", "gate", "findings"), candidates)
        for one in told["silent"]:
            click.echo(f"{one['strategy']}: {one['why']}")
        if isinstance(self.outcome, Promotion):
            self._show_promotion(told)
        else:
            self._show_escalation(self.outcome)
        cost = "unknown" if told["dollars"] is None else f"{told['dollars']:.4f}"
        click.echo(f"models called: {told['calls']}, cost: {cost} USD, seconds: {told['seconds']}")

    def _show_promotion(self, told: dict[str, Any]) -> None:
        click.echo(f"\n{told['source']}")
        click.echo(f"residual: {', '.join(told['residual']) or 'none'}")
        for warning in told["warnings"]:
            click.echo(f"warning: {warning}")
        click.echo(
            f"{self.family}: promoted version {told['version']} by {told['origin']}, "
            f"fields: {', '.join(told['fields'])}"
        )

    def _show_escalation(self, outcome: Escalation) -> None:
        click.echo(f"\n{self.family}: escalated: {outcome}")
        click.echo("A person is needed. Next:")
        click.echo(f"  crawloop audit show {self.entry}          what was seen, said, tried")
        click.echo(f"  crawloop regen {self.family} --examples right.jsonl   teach it values that you know")


def _witnesses(outcome: Outcome) -> dict[str, Any]:
    """{field: {"by": {witness: claims}, "supported": n, "unsupported": n}} over all samples."""
    fields: dict[str, Any] = {}
    for truth in _truths(outcome):
        for record in truth.records:
            for name, claim in record.items():
                one = fields.setdefault(name, {"by": Counter(), "supported": 0, "unsupported": 0})
                one["by"].update(claim.witnesses)
                one["supported" if claim.supported else "unsupported"] += 1
    return {name: {**one, "by": dict(one["by"])} for name, one in sorted(fields.items())}


def _truths(outcome: Outcome) -> Sequence[Truth]:
    return [s.truth for s in outcome.samples if s.truth is not None]


def _witness_rows(witnesses: dict[str, Any]) -> list[tuple[str, str, str]]:
    rows = []
    for name, one in witnesses.items():
        by = ", ".join(f"{who} {count}" for who, count in one["by"].items())
        rows.append((name, by, f"{one['supported']} of {one['supported'] + one['unsupported']}"))
    return rows


def _judged(event: CandidateJudged) -> dict[str, Any]:
    return {
        "origin": event.origin,
        "round": event.round,
        "passed": event.passed,
        "stopped_at": event.stopped_at,
        "findings": list(event.findings),
    }


def calls_in(events: Sequence[Event]) -> int:
    """How many model calls were paid for."""
    return sum(isinstance(e, ModelCalled) and not e.cached for e in events)
