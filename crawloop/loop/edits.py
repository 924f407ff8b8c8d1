"""Texts of history that the active version still reads where they are named, with a few words changed since.

The page was edited there, not redesigned: that the old words stand somewhere else as well, in a note or a link, decides
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Any

from crawloop.model.family import Version
from crawloop.model.kind import Kind, Schema
from crawloop.model.truth import Claim, Sample
from crawloop.model.verdict import Contradiction, Verdict
from crawloop.strategy.healing import by_name
from crawloop.values import fold

_HISTORY = ("history",)
_ALIKE = 0.6
_WORDS = 12  # texts of fewer are compared sign by sign
_LEAST = 12  # signs: shorter texts are alike by chance


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
    claims = {
        (sample.page.url, number, name): claim
        for sample in samples
        for number, record in enumerate(sample.truth.records if sample.truth else ())
        for name, claim in record.items()
    }
    return tuple(
        one
        for one in against
        if one.field in named and _is_old(claims.get((one.url, one.record, one.field))) and _alike(one.said, one.got)
        if schema[one.field].kind is Kind.TEXT
    )


def _is_old(claim: Claim | None) -> bool:
    return claim is not None and claim.supported and claim.witnesses == _HISTORY


def _alike(said: Any, got: Any) -> bool:
    old, new = (fold(" ".join(map(str, one)) if isinstance(one, list) else str(one)) for one in (said, got))
    if isinstance(said, list) != isinstance(got, list) or min(len(old), len(new)) < _LEAST:
        return False
    parts: tuple[Any, Any] = (old.split(), new.split()) if len(old.split()) >= _WORDS else (old, new)
    return SequenceMatcher(None, *parts, autojunk=False).ratio() >= _ALIKE
