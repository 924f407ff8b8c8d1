"""Texts of history that the active version still reads where they are named, with a few words changed since.

The page was edited there, not redesigned: that the old words stand somewhere else as well, in a note or a link, decides
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from crawloop.loop.truth.doubts import HISTORY
from crawloop.model.family import Version
from crawloop.model.kind import Kind, Schema
from crawloop.model.truth import Claim, Sample, claims
from crawloop.model.verdict import Contradiction, Verdict
from crawloop.strategy.plans.healing import by_name
from crawloop.values import squash
from crawloop.values.alike import alike


def edited(
    verdicts: Iterable[Verdict], samples: Sequence[Sample], active: Version | None, schema: Schema
) -> tuple[Contradiction, ...]:
    """The values to doubt, from the verdict on the active version."""
    if active is None:
        return ()
    named = by_name(active, schema)
    against = (
        one for verdict in verdicts if verdict.candidate.source == active.source for one in verdict.contradictions
    )
    said = claims(samples)
    return tuple(
        one
        for one in against
        if one.field in named and _is_old(said.get(one.place)) and _is_edit(one.said, one.got)
        if schema[one.field].kind is Kind.TEXT
    )


def _is_old(claim: Claim | None) -> bool:
    return claim is not None and claim.supported and claim.witnesses == HISTORY


def _is_edit(old: Any, new: Any) -> bool:
    """Words changed; where there are more around all of the old ones, such as a site's name, nothing was edited."""
    before, after = (squash(" ".join(map(str, one)) if isinstance(one, list) else str(one)) for one in (old, new))
    return alike(old, new) and (before == after or before not in after)
