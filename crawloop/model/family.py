"""A family of pages and the ladder of its versions."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from crawloop.model import moment


class Status(StrEnum):
    """Where a family stands."""

    NEW = "new"
    HEALTHY = "healthy"
    BROKEN = "broken"
    ESCALATED = "escalated"


@dataclass(frozen=True, slots=True)
class Family:
    """Pages of one site that share a template and a schema. `active` is the number of the version that serves."""

    name: str
    schema_ref: str
    status: Status = Status.NEW
    active: int | None = None
    epoch: int = 0
    urls: tuple[str, ...] = ()
    cooldown_until: str | None = None

    def is_cooling(self, now: str) -> bool:
        """Whether it must wait before it heals by itself. A person's run never waits."""
        return self.cooldown_until is not None and moment.read(now) < moment.read(self.cooldown_until)


def source_hash(source: str) -> str:
    """SHA-256 of a program's text."""
    return hashlib.sha256(source.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Version:
    """An immutable promoted extractor. `number` starts at 1; `epoch` is the layout epoch of its golden pages."""

    family: str
    number: int
    source: str
    origin: str
    schema_ref: str
    epoch: int
    created_at: str
    plan: str | None = None
    model: str | None = None
    cost: float | None = 0.0
    fields: tuple[str, ...] = ()
    residual: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    notes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    profile: dict[str, Any] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        return source_hash(self.source)


@dataclass(frozen=True, slots=True)
class Golden:
    """A golden page: what the program of `epoch` must return for it, at its own URL."""

    family: str
    case: str
    url: str
    html: str
    records: tuple[dict[str, Any], ...]
    epoch: int
    version: int
    saved_at: str = ""
