"""What an audit entry holds, so that it alone lets a person see everything: plain JSON, no page texts.

fields       all of the schema
pages        url, digest, role or why it was dropped
truth        by page and record: value, who says so, where on the page it stands; `conflicts` beside it
candidates   source, gate reached, findings, tally by field
spoke        which witness knew which fields of which page
silent       witnesses and strategies that had nothing, and why
next         what a person should do, as commands; `cost` beside it
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from crawloop.loop.kit import Attempt
from crawloop.loop.remedy import remedies
from crawloop.loop.states import Task
from crawloop.model.events import Event
from crawloop.model.outcome import Outcome, Promotion, Spend
from crawloop.model.truth import Claim, Sample, Truth
from crawloop.model.verdict import Verdict

PLACES = 3
MOST_URLS = 100


def evidence(outcome: Outcome, at: Attempt) -> dict[str, Any]:
    """The evidence of a run that ends. Reads what the run has told so far from the registry."""
    told = [one.event for one in at.kit.store.entries(at.family.name, run=at.run)]
    body: dict[str, Any] = {
        "asked": _asked(at.task),
        "policy": asdict(at.policy),
        "fields": list(at.schema.names),
        "pages": pages(outcome.samples, told),
        "truth": [_truth(one.page.url, one.truth) for one in outcome.samples if one.truth],
        "conflicts": [_conflict(one) for one in _of(told, "WitnessesDisagreed")],
        "candidates": [_verdict(one) for one in outcome.verdicts],
        "spoke": _of(told, "WitnessSpoke"),
        "silent": _of(told, "WitnessSilent", "StrategySilent"),
        "drift": _of(told, "DriftNoticed"),
        "tiers": _of(told, "TierFailed"),
        "rounds": outcome.rounds,
        "cost": _cost(outcome.spend),
    }
    if isinstance(outcome, Promotion):
        return body | {
            "winner": _verdict(outcome.verdict),
            "notes": {name: list(lines) for name, lines in outcome.winner.notes.items()},
            "residual": list(outcome.residual),
            "warnings": list(outcome.warnings),
            "new_epoch": outcome.new_epoch,
        }
    return body | {"next": list(remedies(outcome, at))}


def _asked(task: Task) -> dict[str, Any]:
    return {
        "urls": list(task.urls[:MOST_URLS]),
        "labelled": list(task.labelled),
        "schema": task.schema_ref,
        "archive": bool(task.only),
    }


def pages(samples: Sequence[Sample], told: Iterable[Event]) -> list[dict[str, Any]]:
    """Every page that was tried: samples with what is known of them, and dropped ones with the reason."""
    known = {one.page.url: one for one in samples}
    dropped = {event["url"]: event["why"] for event in _of(told, "PageDropped")}
    rows: list[dict[str, Any]] = []
    for event in _of(told, "PageSampled"):
        url = event["url"]
        role = "sample" if url in known else "dropped" if url in dropped else "nobody knows its values"
        row = {"url": url, "digest": event["digest"], "role": role}
        rows.append(row | ({"why": dropped[url]} if role == "dropped" else {}))
    sampled = {row["url"] for row in rows}
    return rows + [{"url": url, "role": "dropped", "why": why} for url, why in dropped.items() if url not in sampled]


def _conflict(event: dict[str, Any]) -> dict[str, Any]:
    names = ("url", "record", "field", "kept")
    return {"said": list(event["said"].items())} | {name: event[name] for name in names}


def _truth(url: str, truth: Truth) -> dict[str, Any]:
    return {
        "url": url,
        "complete": truth.complete,
        "records": [{name: _claim(claim) for name, claim in record.items()} for record in truth.records],
        "absent": sorted([index, name] for index, name in truth.absent),
    }


def _claim(claim: Claim) -> dict[str, Any]:
    return {
        "value": claim.value,
        "witnesses": list(claim.witnesses),
        "supported": claim.supported,
        "evidence": [asdict(one) for one in claim.evidence[:PLACES]],
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    candidate = verdict.candidate
    return {
        "origin": candidate.origin,
        "model": candidate.model,
        "fields": sorted(candidate.fields),
        "passed": verdict.passed,
        "stopped_at": verdict.stopped_at,
        "tally": {name: asdict(tally) for name, tally in sorted(verdict.fields.items())},
        "findings": [_without_nothing(asdict(one)) for one in verdict.findings],
        "source": candidate.source,
    }


def _without_nothing(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if value is not None}


def _cost(spend: Spend) -> dict[str, Any]:
    return {"calls": spend.calls, "dollars": spend.dollars, "seconds": round(spend.seconds, 3)}


def _of(told: Iterable[Event], *kinds: str) -> list[dict[str, Any]]:
    """The bodies of the events of these kinds, each fact once."""
    bodies: list[dict[str, Any]] = []
    for event in told:
        if event.kind in kinds and event.body() not in bodies:
            bodies.append(event.body())
    return bodies
