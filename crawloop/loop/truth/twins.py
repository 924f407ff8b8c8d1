"""Two fields of a record with one value, where other records have two: one of both is a slip, and nobody knows which.

Neither decides anything until a reading that the other records teach shows which of them it was.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations

from crawloop.model.kind import Kind, Schema
from crawloop.model.truth import Place, Sample, claims
from crawloop.values import fold

Twins = tuple[Place, Place]


def twins(samples: Iterable[Sample], schema: Schema) -> tuple[Twins, ...]:
    """The places that say the same though most records have two values in their fields, one of which is of texts.

    Dates and numbers are often the same by chance.
    """
    records: dict[tuple[str, int], dict[str, str]] = defaultdict(dict)
    for (url, number, name), claim in claims(samples).items():
        records[url, number][name] = fold(str(claim.value))
    found: list[Twins] = []
    for one, other in combinations(schema.names, 2):
        if Kind.TEXT in (schema[one].kind, schema[other].kind):
            both = {place: said for place, said in records.items() if one in said and other in said}
            alike = [place for place, said in both.items() if said[one] == said[other]]
            if 2 * len(alike) < len(both):
                found += [((*place, one), (*place, other)) for place in alike]
    return tuple(found)


def undecided(samples: Iterable[Sample], schema: Schema) -> frozenset[Place]:
    """The places of twins of which neither is doubted yet."""
    known = tuple(samples)
    said = claims(known)
    pairs = [pair for pair in twins(known, schema) if all(said[place].supported for place in pair)]
    return frozenset(place for pair in pairs for place in pair)
