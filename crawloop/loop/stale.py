"""Old values that a page still carries for another reason: last week's price is this week's "was".

History alone is no proof of a field that moves. Where a reading is right on more pages than it is wrong, and nobody
but history says otherwise, it is the old value that is doubted; unless another reading is right on more pages yet.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from crawloop.model.kind import Schema
from crawloop.model.truth import Claim, Sample
from crawloop.model.verdict import Verdict

HISTORY = ("history",)
STRUCK = frozenset(("s", "del", "strike"))


@dataclass(frozen=True, slots=True)
class Stale:
    """One value that is doubted: what history says, and what the reading gives."""

    url: str
    record: int
    field: str
    said: Any
    got: Any


def stale(groups: Iterable[Sequence[Verdict]], samples: Sequence[Sample], schema: Schema) -> tuple[Stale, ...]:
    """The values to doubt. Verdicts of one group judge one reading: a program, or the folds of one."""
    together = [tuple(group) for group in groups]
    volatile = {one.name for one in schema.fields if one.volatile}
    agreed: Counter[str] = Counter()
    for group in together:
        agreed |= Counter({name: right for name, (right, wrong) in _tally(group).items() if not wrong})
    found: dict[tuple[str, int, str], Stale] = {}
    for group in together:
        tally = _tally(group)
        for one in _contradictions(group):
            right, wrong = tally.get(one.field, (0, 0))
            outweighs = right > wrong and right >= agreed[one.field]
            if one.field in volatile and outweighs and _is_remembered(one, samples):
                found.setdefault((one.url, one.record, one.field), one)
    return tuple(found.values())


def struck_out(samples: Sequence[Sample], schema: Schema) -> tuple[Stale, ...]:
    """Values of history that stand only struck through (<s>, <del>), where the field stands otherwise elsewhere."""
    found: list[Stale] = []
    for name in (one.name for one in schema.fields if one.volatile):
        claims = [(sample.page.url, number, claim) for sample, number, claim in _claims(samples, name)]
        struck = [one for one in claims if one[2].witnesses == HISTORY and _is_struck(one[2])]
        if len(struck) < len(claims):
            found += [Stale(url, number, name, claim.value, None) for url, number, claim in struck]
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


def doubted(samples: Sequence[Sample], values: Iterable[Stale]) -> tuple[Sample, ...]:
    """The samples with these values unknown."""
    places = {(one.url, one.record, one.field) for one in values}
    return tuple(_without(sample, places) for sample in samples)


def _without(sample: Sample, places: set[tuple[str, int, str]]) -> Sample:
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


def _contradictions(group: Iterable[Verdict]) -> Iterable[Stale]:
    for verdict in group:
        for one in verdict.findings:
            if one.url and one.field and one.record is not None and None not in (one.expected, one.got):
                yield Stale(one.url, one.record, one.field, one.expected, one.got)


def _is_remembered(one: Stale, samples: Sequence[Sample]) -> bool:
    """Whether nobody but history says the value."""
    truth = next((sample.truth for sample in samples if sample.page.url == one.url), None)
    record = truth.records[one.record] if truth and one.record < len(truth.records) else {}
    return one.field in record and record[one.field].witnesses == HISTORY
