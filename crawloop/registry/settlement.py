"""What the end of a run changes, decided without I/O; a store only writes it down.

A golden set belongs to a version and so to its layout epoch: the set of an epoch is that of its active version, else
of its newest. A promotion therefore replaces what its epoch holds, and a rollback brings the older set back.
"""

from __future__ import annotations

import dataclasses
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from crawloop.errors import UnknownFamily, UserError
from crawloop.model.events import Event, FamilyForgotten, RolledBack
from crawloop.model.family import Family, Golden, Status, Version
from crawloop.model.outcome import Outcome, Promotion
from crawloop.model.page import Record


@dataclass(frozen=True, slots=True)
class Ending:
    """What the loop hands in when a run ends."""

    family: Family
    outcome: Outcome
    event: Event
    goldens: tuple[Golden, ...]
    at: str


@dataclass(frozen=True, slots=True)
class Rung:
    """A version's place on the ladder: its number and its layout epoch."""

    number: int
    epoch: int


@dataclass(frozen=True, slots=True)
class Settlement:
    """What is written: `fresh` are the golden pages without files yet, `goldens` the whole set of the version."""

    family: Family
    event: Event
    version: Version | None = None
    goldens: tuple[Golden, ...] = ()
    fresh: tuple[Golden, ...] = ()
    history: tuple[tuple[str, tuple[Record, ...]], ...] = ()


def settlement(ending: Ending, stored: Family | None, ladder: Sequence[Rung]) -> Settlement:
    """`stored` is the family as the registry knows it now, `ladder` its versions so far."""
    if not isinstance(ending.outcome, Promotion):
        active = stored.active if stored else ending.family.active
        family = dataclasses.replace(ending.family, status=Status.ESCALATED, active=active)
        return Settlement(family, ending.event)
    if ending.outcome.keeps is not None:
        return _kept(ending, ending.outcome, ending.outcome.keeps)
    version = _version(ending, ending.outcome, ladder)
    family = dataclasses.replace(ending.family, status=Status.HEALTHY, active=version.number, epoch=version.epoch)
    goldens = _golden_set(ending, version)
    return Settlement(
        family,
        _numbered(ending.event, version.number),
        version,
        goldens,
        tuple(g for g in goldens if g.version == version.number),
        _history(ending.outcome),
    )


def rolled_back(
    name: str, number: int, stored: Family | None, version: Version | None, at: str
) -> tuple[Family, Version, RolledBack]:
    """The family after a rollback, the version that serves it then, and the event. Raises UserError, UnknownFamily."""
    if stored is None:
        raise UnknownFamily(f"there is no family {name!r}: `crawloop families` lists them")
    if version is None:
        raise UserError(f"{name!r} has no version {number}: `crawloop versions {name}` lists them")
    family = dataclasses.replace(stored, active=number, epoch=version.epoch, status=Status.HEALTHY, cooldown_until=None)
    return family, version, RolledBack(name, at, "", version=number, before=stored.active)


def forgotten(name: str, stored: Family | None, versions: int, goldens: int, known: int, at: str) -> FamilyForgotten:
    """The event of a family that is deleted. Raises UnknownFamily."""
    if stored is None:
        raise UnknownFamily(f"there is no family {name!r}: `crawloop families` lists them")
    return FamilyForgotten(name, at, "", versions, goldens, known)


def sets_of(epoch: int | None, ladder: Sequence[Rung], active: int | None) -> list[int]:
    """The versions whose golden sets are those of the epoch, one at most, or of all epochs."""
    numbers = [rung.number for rung in ladder if epoch in (None, rung.epoch)]
    if epoch is None or not numbers:
        return numbers
    return [active if active in numbers else max(numbers)]


def case_name(url: str) -> str:
    """A folder name for a golden page: readable, and its own for each URL."""
    try:
        parts = urlsplit(url)
        words = f"{parts.path.rstrip('/').rpartition('/')[2]} {parts.query}".strip()
    except ValueError:
        words = ""
    return f"{_slug(words) or 'page'}-{hashlib.sha256(url.encode('utf-8', 'replace')).hexdigest()[:8]}"


def _kept(ending: Ending, outcome: Promotion, number: int) -> Settlement:
    """No version and no golden page is added: the ladder grows by programs, not by runs."""
    family = dataclasses.replace(ending.family, status=Status.HEALTHY, active=number)
    return Settlement(family, ending.event, history=_history(outcome))


def _history(outcome: Promotion) -> tuple[tuple[str, tuple[Record, ...]], ...]:
    return tuple((one.page.url, one.truth.values()) for one in outcome.samples if one.truth)


def _version(ending: Ending, outcome: Promotion, ladder: Sequence[Rung]) -> Version:
    winner, epoch = outcome.winner, ending.family.epoch
    if outcome.new_epoch:
        epoch = 1 + max([epoch, *(rung.epoch for rung in ladder)])
    return Version(
        family=ending.family.name,
        number=1 + max((rung.number for rung in ladder), default=0),
        source=winner.source,
        origin=winner.origin,
        schema_ref=ending.family.schema_ref,
        epoch=epoch,
        created_at=ending.at,
        plan=winner.plan,
        model=winner.model,
        cost=outcome.spend.dollars,
        fields=tuple(sorted(winner.fields)),
        residual=outcome.residual,
        warnings=outcome.warnings,
        notes=dict(winner.notes),
        profile=dict(outcome.profile),
    )


def _golden_set(ending: Ending, version: Version) -> tuple[Golden, ...]:
    """A page that an earlier promotion of this epoch has written stays as it is; others get a folder of their own."""
    placed: dict[str, Golden] = {}
    for golden in ending.goldens:
        if not (golden.version and golden.epoch == version.epoch):
            name = f"v{version.number}-{_slug(golden.case) or case_name(golden.url)}"
            golden = dataclasses.replace(
                golden,
                family=version.family,
                case=name if name not in placed else f"{name}-{len(placed) + 1}",
                epoch=version.epoch,
                version=version.number,
                saved_at=golden.saved_at or ending.at,
            )
        placed[golden.case] = golden
    return tuple(placed.values())


def _numbered(event: Event, number: int) -> Event:
    fields = {f.name for f in dataclasses.fields(event)}
    return dataclasses.replace(event, version=number) if "version" in fields else event  # type: ignore[call-arg]


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60].strip("-")
