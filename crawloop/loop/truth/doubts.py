"""Values of truth that a reading contradicts while it is right nearly everywhere else.

outvoted   a slip of whoever labelled: the page shows another value where the others have theirs
stale      history of a field that moves: last week's price is this week's "was"
struck     history that stands only crossed out

What is doubted is told and decides nothing. Nothing is, where another reading is right on more and wrong nowhere.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from crawloop.extract.dom.tags import STRUCK
from crawloop.model.kind import Field, Schema
from crawloop.model.truth import Claim, Place, Sample, claims
from crawloop.model.verdict import Contradiction, Verdict
from crawloop.values import equal, fold
from crawloop.values.votes import ANY, ODD, PLAIN, is_cut, outvoted

HISTORY = ("history",)
VARIOUS = 3  # different values of the field: what is always the same proves no reading


def doubts(groups: Sequence[Sequence[Verdict]], samples: Sequence[Sample], schema: Schema) -> tuple[Contradiction, ...]:
    """The values to doubt. Verdicts of one group judge one reading: a program, or the folds of one."""
    tallies = [(group, _tally(group)) for group in groups]
    agreed: Counter[str] = Counter()
    for _, tally in tallies:
        agreed |= Counter({name: right for name, (right, wrong) in tally.items() if not wrong})
    said = _supported(samples)
    various, strays = _various(said), _copies(said) | _of_other_fields(said, groups)
    found: dict[Place, Contradiction] = {}
    for group, tally in tallies:
        for one in (one for verdict in group for one in verdict.contradictions):
            right, wrong = tally.get(one.field, (0, 0))
            if one.place not in said or right < agreed[one.field]:
                continue
            claim, field = said[one.place], schema[one.field]
            votes = PLAIN if one.place in strays or is_cut(one.said, one.got) else _votes_against(claim, field)
            proves = one.field in various or votes == PLAIN
            if _is_stale(claim, field, right, wrong) or (proves and outvoted(right, max(wrong, 1), votes)):
                found.setdefault(one.place, one)
    return tuple(found.values())


def _is_stale(claim: Claim, field: Field, right: int, wrong: int) -> bool:
    return field.volatile and claim.witnesses == HISTORY and right > wrong


def _votes_against(claim: Claim, field: Field) -> int:
    """How many right values it takes to doubt a label that may well be right."""
    return ANY if _is_in_sight(claim, field) else ODD


def _is_in_sight(claim: Claim, field: Field) -> bool:
    """Whether the value stands somewhere as all that a place says."""
    if isinstance(claim.value, list):
        return True
    for snippet in (one.snippet for one in claim.evidence):
        cut = snippet.removesuffix("...")
        if equal(snippet, claim.value, field) or (cut != snippet and fold(str(claim.value)).startswith(fold(cut))):
            return True
    return False


def _supported(samples: Sequence[Sample]) -> dict[Place, Claim]:
    return {place: claim for place, claim in claims(samples).items() if claim.supported}


def _various(said: Mapping[Place, Claim]) -> frozenset[str]:
    """The fields that have several different values."""
    values: dict[str, set[str]] = defaultdict(set)
    for (_, _, name), claim in said.items():
        values[name].add(repr(claim.value))
    return frozenset(name for name, some in values.items() if len(some) >= VARIOUS)


def _copies(said: Mapping[Place, Claim]) -> frozenset[Place]:
    """The two labels of a field that are the same, where all others of the field differ."""
    of_field: dict[str, dict[str, list[Place]]] = defaultdict(lambda: defaultdict(list))
    for place, claim in said.items():
        of_field[place[2]][fold(str(claim.value))].append(place)
    alike = ([places for places in by_value.values() if len(places) > 1] for by_value in of_field.values())
    return frozenset(place for groups in alike if len(groups) == 1 and len(groups[0]) == 2 for place in groups[0])


def _of_other_fields(said: Mapping[Place, Claim], groups: Iterable[Sequence[Verdict]]) -> frozenset[Place]:
    """The labels that are another field's value of the same record, as it is said or as a program reads it."""
    fields: dict[tuple[str, int, str], set[str]] = defaultdict(set)
    for (url, number, name), claim in said.items():
        fields[url, number, fold(str(claim.value))].add(name)
    for one in (one for group in groups for verdict in group for one in verdict.contradictions):
        fields[one.url, one.record, fold(str(one.got))].add(one.field)
    return frozenset(place for place, claim in said.items() if len(fields[*place[:2], fold(str(claim.value))]) > 1)


def struck_out(samples: Sequence[Sample], schema: Schema) -> tuple[Contradiction, ...]:
    """Values of history that stand only struck through (<s>, <del>), where the field stands otherwise elsewhere."""
    said = _supported(samples)
    found: list[Contradiction] = []
    for name in (one.name for one in schema.fields if one.volatile):
        ours = {place: claim for place, claim in said.items() if place[2] == name}
        struck = {place: one for place, one in ours.items() if one.witnesses == HISTORY and _is_struck(one)}
        if len(struck) < len(ours):
            found += [Contradiction(*place, claim.value, None) for place, claim in struck.items()]
    return tuple(found)


def _is_struck(claim: Claim) -> bool:
    """By the narrowest places: whatever is around a struck price holds it too."""
    narrow = min((len(one.snippet) for one in claim.evidence), default=0)
    paths = [re.split(r"[^\w-]+", one.path) for one in claim.evidence if len(one.snippet) == narrow]
    return bool(paths) and all(STRUCK.intersection(path) for path in paths)


def doubted(samples: Iterable[Sample], places: Iterable[Place]) -> tuple[Sample, ...]:
    """The samples with the values at these places unknown."""
    unknown = frozenset(places)
    return tuple(_without(sample, unknown) for sample in samples)


def _without(sample: Sample, places: frozenset[Place]) -> Sample:
    truth = sample.truth
    if truth is None:
        return sample

    def weighed(record: int, name: str, claim: Claim) -> Claim:
        return replace(claim, supported=False) if (sample.page.url, record, name) in places else claim

    records = tuple(
        {name: weighed(number, name, claim) for name, claim in record.items()}
        for number, record in enumerate(truth.records)
    )
    return replace(sample, truth=replace(truth, records=records))


def _tally(group: Iterable[Verdict]) -> dict[str, tuple[int, int]]:
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for verdict in group:
        for name, one in verdict.fields.items():
            right[name] += one.right
            wrong[name] += one.wrong
    return {name: (right[name], wrong[name]) for name in right | wrong}
