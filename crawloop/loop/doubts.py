"""Values of truth that a reading contradicts while it is right nearly everywhere else.

outvoted   a slip of whoever labelled: the page shows another value where the others have theirs
stale      history of a field that moves: last week's price is this week's "was"
struck     history that stands only crossed out

What is doubted is told and decides nothing. Nothing is, where another reading is right on as much and wrong nowhere.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from crawloop.extract.tags import STRUCK
from crawloop.model.kind import Field, Schema
from crawloop.model.truth import Claim, Sample
from crawloop.model.verdict import Contradiction, Verdict
from crawloop.values import equal, fold

HISTORY = ("history",)
# Right values that outvote one which stands nowhere as a whole, and the share that may be wrong.
FEW, FEW_WRONG = 4, 0.2
SLIP, SLIP_WRONG = 3, 0.25  # the same for one that is a part of what the page shows, or another field's value
MANY, MANY_WRONG = 20, 0.05  # the same for any value: one slip in twenty
VARIOUS = 3  # different values of the field: what is always the same proves no reading

_Place = tuple[str, int, str]


def doubts(groups: Iterable[Sequence[Verdict]], samples: Sequence[Sample], schema: Schema) -> tuple[Contradiction, ...]:
    """The values to doubt. Verdicts of one group judge one reading: a program, or the folds of one."""
    tallies = [(tuple(group), _tally(group)) for group in map(tuple, groups)]
    agreed: Counter[str] = Counter()
    for _, tally in tallies:
        agreed |= Counter({name: right for name, (right, wrong) in tally.items() if not wrong})
    claims = {
        (sample.page.url, record, one.name): claim
        for one in schema.fields
        for sample, record, claim in _claims(samples, one.name)
    }
    various = _various(claims)
    found: dict[_Place, Contradiction] = {}
    for group, tally in tallies:
        for one in (one for verdict in group for one in verdict.contradictions):
            place = one.url, one.record, one.field
            right, wrong = tally.get(one.field, (0, 0))
            if place not in claims or right < agreed[one.field]:
                continue
            claim, field = claims[place], schema[one.field]
            slip = _is_cut(one) or _is_anothers(one, claims)
            if _is_stale(claim, field, right, wrong) or (
                one.field in various and _is_outvoted(claim, field, right, wrong, slip)
            ):
                found.setdefault(place, one)
    return tuple(found.values())


def _is_stale(claim: Claim, field: Field, right: int, wrong: int) -> bool:
    return field.volatile and claim.witnesses == HISTORY and right > wrong


def _is_outvoted(claim: Claim, field: Field, right: int, wrong: int, slip: bool) -> bool:
    share = wrong / max(right + wrong, 1)
    if right >= MANY and share <= MANY_WRONG:
        return True
    if slip:
        return right >= SLIP and share <= SLIP_WRONG
    return right >= FEW and share <= FEW_WRONG and not _is_in_sight(claim, field)


def _is_cut(one: Contradiction) -> bool:
    """Whether what is said is a part of what the page shows: a text without its rest, a list without some elements."""
    if isinstance(one.said, list) and isinstance(one.got, list):
        left = [fold(str(other)) for other in one.got]
        return len(one.said) < len(one.got) and all(fold(str(other)) in left for other in one.said)
    if not isinstance(one.said, str) or not isinstance(one.got, str):
        return False
    said, got = fold(one.said), fold(one.got)
    return said != got and re.search(rf"\A{re.escape(said)}\b|\b{re.escape(said)}\Z", got) is not None


def _is_anothers(one: Contradiction, claims: Mapping[_Place, Claim]) -> bool:
    """Whether what is said of a field is what is said of another one of the same record."""
    said = fold(str(one.said))
    return any(
        (url, record) == (one.url, one.record) and name != one.field and fold(str(claim.value)) == said
        for (url, record, name), claim in claims.items()
    )


def _is_in_sight(claim: Claim, field: Field) -> bool:
    """Whether the value stands somewhere as all that a place says."""
    if isinstance(claim.value, list):
        return True
    for snippet in (one.snippet for one in claim.evidence):
        cut = snippet.removesuffix("...")
        if equal(snippet, claim.value, field) or (cut != snippet and fold(str(claim.value)).startswith(fold(cut))):
            return True
    return False


def _various(claims: Mapping[_Place, Claim]) -> frozenset[str]:
    """The fields that have several different values."""
    values: dict[str, set[str]] = defaultdict(set)
    for (_, _, name), claim in claims.items():
        values[name].add(repr(claim.value))
    return frozenset(name for name, some in values.items() if len(some) >= VARIOUS)


def struck_out(samples: Sequence[Sample], schema: Schema) -> tuple[Contradiction, ...]:
    """Values of history that stand only struck through (<s>, <del>), where the field stands otherwise elsewhere."""
    found: list[Contradiction] = []
    for name in (one.name for one in schema.fields if one.volatile):
        claims = [(sample.page.url, number, claim) for sample, number, claim in _claims(samples, name)]
        struck = [one for one in claims if one[2].witnesses == HISTORY and _is_struck(one[2])]
        if len(struck) < len(claims):
            found += [Contradiction(url, number, name, claim.value, None) for url, number, claim in struck]
    return tuple(found)


def _claims(samples: Sequence[Sample], name: str) -> Iterator[tuple[Sample, int, Claim]]:
    for sample in samples:
        for number, record in enumerate(sample.truth.records if sample.truth else ()):
            if name in record and record[name].supported:
                yield sample, number, record[name]


def _is_struck(claim: Claim) -> bool:
    """By the narrowest places: whatever is around a struck price holds it too."""
    narrow = min((len(one.snippet) for one in claim.evidence), default=0)
    paths = [re.split(r"[^\w-]+", one.path) for one in claim.evidence if len(one.snippet) == narrow]
    return bool(paths) and all(STRUCK.intersection(path) for path in paths)


def doubted(samples: Sequence[Sample], values: Iterable[Contradiction]) -> tuple[Sample, ...]:
    """The samples with these values unknown."""
    places = {(one.url, one.record, one.field) for one in values}
    return tuple(_without(sample, places) for sample in samples)


def _without(sample: Sample, places: set[_Place]) -> Sample:
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
