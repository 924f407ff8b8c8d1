"""Which record of one witness is which record of another: by the values that they share, never by position alone.

Records of a listing move. A value that many records have in common says little, one that a single record has says all.
"""

from __future__ import annotations

from collections.abc import Sequence

from crawloop.model.kind import Schema
from crawloop.values import married, resemblance
from crawloop.witness.hearing import Voices, key_of

_ENOUGH = 0.5


def aligned(base: Sequence[Voices], other: Sequence[Voices], schema: Schema, url: str) -> list[int | None]:
    """For each record of `other` the number of its record in `base`, None where there is none.

    One record on either side is the same record: a page is about one thing, and then a difference is a disagreement.
    """
    if len(base) == len(other) == 1:
        return [0]
    ours, theirs = _keys(base, schema, url), _keys(other, schema, url)
    pairs = resemblance(theirs, ours, lambda many: 1 / many)
    return married(pairs, len(other), _ENOUGH)


def _keys(records: Sequence[Voices], schema: Schema, url: str) -> list[set[tuple[str, str]]]:
    return [{(name, key_of(voice.value, schema[name], url)) for name, voice in r.items()} for r in records]
