"""Which events are worth a message, and its words: a drift, a healing, an escalation; one a cause, not a page."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from crawloop.model.events import DriftNoticed, Event, FamilyEscalated, VersionKept, VersionPromoted
from crawloop.shape import shown

_MOST_LINES = 5
_LONGEST_LINE = 300


@dataclass(frozen=True, slots=True)
class Message:
    """`kind` is "drift", "heal" or "escalation", `text` is for people, `facts` are plain JSON for machines."""

    kind: str
    family: str
    at: str
    text: str
    facts: dict[str, Any] = field(default_factory=dict)

    def body(self) -> dict[str, Any]:
        """The message as plain JSON. Its `id` is the same for every attempt to deliver it."""
        whole = {"event": self.kind, "family": self.family, "at": self.at, "text": self.text, **self.facts}
        return {"id": hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()[:32], **whole}


def message(event: Event) -> Message | None:
    """What is sent of an event; None for most.

    A drift that a run of the loop finds was told of by the crawl before, or is seen by whoever started the run.
    """
    match event:
        case DriftNoticed(run="", version=version, url=url, problems=problems, causes=causes):
            facts = {"version": version, "url": shown(url), "problems": _few(problems), "causes": list(causes)}
            text = f"{event.family} drifted: version {version} does not fit {_short(url)}"
            return _message("drift", event, [text, *_few(problems)], facts)
        case VersionPromoted(version=version, origin=origin) if version > 1:
            facts = {"outcome": "promoted", "version": version, "origin": origin, **_gist(event.evidence)}
            return _message("heal", event, [f"{event.family} healed: version {version}, by {origin}, serves"], facts)
        case VersionKept(version=version, origin=origin):
            facts = {"outcome": "kept", "version": version, "origin": origin, **_gist(event.evidence)}
            return _message("heal", event, [f"{event.family}: version {version} still fits, and was kept"], facts)
        case FamilyEscalated(reason=reason):
            facts = {"reason": _short(reason), **_gist(event.evidence)}
            command = f"crawloop audit {shlex.quote(event.family)} --escalated"
            text = f"{event.family} needs a person: {_short(reason)}"
            return _message("escalation", event, [text, f"the evidence: {command}"], facts)
    return None


def _message(kind: str, event: Event, lines: Sequence[str], facts: dict[str, Any]) -> Message:
    return Message(kind, event.family, event.at, "\n".join(lines), facts | {"run": event.run})


def _gist(evidence: dict[str, Any]) -> dict[str, Any]:
    """Of the evidence what fits a message: its cost, and the fields that the winner never reaches."""
    return {name: evidence[name] for name in ("cost", "residual") if name in evidence}


def _few(lines: Sequence[str]) -> list[str]:
    more = len(lines) - _MOST_LINES
    return [*map(_short, lines[:_MOST_LINES]), *([f"and {more} more"] if more > 0 else [])]


def _short(line: str) -> str:
    """A line from a page, which may be of any length and hold any sign."""
    plain = " ".join(shown(line).split())
    return plain if len(plain) <= _LONGEST_LINE else plain[: _LONGEST_LINE - 1] + "…"
