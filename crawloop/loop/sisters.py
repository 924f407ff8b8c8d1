"""Programs that are there already: the active version's own, and those of families that share its template.

A redesign mostly takes a whole site. The family that heals first pays for all: what it learnt is judged on the pages of
its sisters, by the same gates as any other candidate, before anything is induced there.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence

from crawloop.loop.kit import Attempt
from crawloop.loop.redesign import incumbent
from crawloop.model.candidate import Candidate
from crawloop.model.family import Family, Status, Version
from crawloop.model.truth import Sample
from crawloop.shape import likeness, marks

_ALIKE = 0.5  # below this no two pages of one template were in 469 pairs of real pages, see ADR 11
_MOST_COMPARED = 12
_MOST_OFFERED = 3


async def known_programs(samples: Sequence[Sample], at: Attempt) -> tuple[Candidate, ...]:
    """The incumbent first, then what healthy sisters serve; nothing for a family that has no version yet."""
    own = incumbent(at)
    if own is None:
        return ()
    return own, *await asyncio.to_thread(_offered, samples, own, at)


def _offered(samples: Sequence[Sample], own: Candidate, at: Attempt) -> tuple[Candidate, ...]:
    layouts = [marks(one.page.html) for one in samples]
    found = [
        Candidate(
            version.source,
            f"{family.name} version {version.number}",
            frozenset(version.fields),
            version.plan,
            version.model,
            dict(version.notes),
        )
        for family, version in _sisters(at)
        if version.source != own.source and _shares_template(family, version, layouts, at)
    ]
    return tuple(found[:_MOST_OFFERED])


def _sisters(at: Attempt) -> Iterator[tuple[Family, Version]]:
    """Healthy families of the same schema with what serves them, the latest promotion first."""
    store = at.kit.store
    found: list[tuple[Family, Version]] = []
    for family in store.families():
        if family.name == at.family.name or family.schema_ref != at.family.schema_ref:
            continue
        if family.status is Status.HEALTHY and family.active is not None:
            version = store.version(family.name, family.active)
            if version is not None:
                found.append((family, version))
    found.sort(key=lambda one: one[1].created_at, reverse=True)
    yield from found[:_MOST_COMPARED]


def _shares_template(family: Family, version: Version, layouts: Sequence[Counter[str]], at: Attempt) -> bool:
    """Whether the pages that the version was made from look like these."""
    goldens = at.kit.store.goldens(family.name, version.epoch)[:1]
    return any(likeness(marks(golden.html), one) >= _ALIKE for golden in goldens for one in layouts)
