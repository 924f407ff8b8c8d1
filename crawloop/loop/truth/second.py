"""The second reading: where a cheap model's word is what would count against another witness, the next tier chooses.

Its choice takes the place of the cheap model's word, no more: it outranks nobody whom that did not outrank.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from crawloop.contract import Dispute
from crawloop.errors import CompletionError
from crawloop.loop.kit import Attempt
from crawloop.model.events import WitnessSilent, WitnessSpoke
from crawloop.model.kind import Field
from crawloop.model.truth import FREE, HISTORY, Conflict, Sample, Testimony
from crawloop.values import equal

MOST = 20
SECOND = "second reading"
Testimonies = tuple[Testimony, ...]


async def second_reading(
    samples: Sequence[Sample], heard: Mapping[str, Testimonies], tier: int, at: Attempt
) -> dict[str, Testimonies]:
    """By URL what is heard anew of pages of which something was in dispute; nothing where nobody can be asked."""
    if at.kit.arbiter is None or at.is_last(tier):
        return {}
    disputes = [one for sample in samples for one in _disputes(sample, heard.get(sample.page.url, ()), at)][:MOST]
    model = at.model(tier + 1)
    if not disputes or model is None:
        return {}
    try:
        right, key = await at.kit.arbiter.settle(disputes, model)
    except CompletionError as why:  # the first reading stands, as without a stronger model
        for url in dict.fromkeys(one.page.url for one in disputes):
            at.tell(WitnessSilent, witness=SECOND, url=url, why=f"no answer: {why}")
        return {}
    anew: dict[str, Testimonies] = {}
    for number, one in enumerate(disputes):
        url, name = one.page.url, one.field.name
        value = one.values[right[number]] if number in right else None
        anew[url] = tuple(_said_anew(each, name, value, key) for each in anew.get(url, heard[url]))
        said = ({name: value},)
        at.tell(
            WitnessSpoke, witness=SECOND, url=url, records=1, fields=(name,) if value is not None else (), said=said
        )
    return anew


def _disputes(sample: Sample, heard: Testimonies, at: Attempt) -> Iterator[Dispute]:
    """The disputes on a page of one record in which a model's word counts, or nobody's does."""
    model = next((one for one in heard if one.witness not in FREE and len(one.records) == 1), None)
    if sample.truth is None or len(sample.truth.records) != 1 or model is None:
        return
    for one in sample.truth.conflicts:
        field, said = at.schema[one.field], model.records[0].get(one.field)
        if said is not None and (one.kept is None or equal(one.kept, said, field, base=sample.page.base)):
            values = tuple(_different(one, field, sample.page.base))
            if len(values) > 1:
                yield Dispute(sample.page, field, values)


def _different(conflict: Conflict, field: Field, base: str) -> Iterator[Any]:
    """The values in dispute, each once, in no witness's order; that what moves has moved since is no dispute."""
    found: list[Any] = []
    for witness, value in sorted(conflict.said, key=lambda one: repr(one[1])):
        is_old = field.volatile and witness == HISTORY
        if value is not None and not is_old and not any(equal(value, one, field, base=base) for one in found):
            found.append(value)
    yield from found


def _said_anew(testimony: Testimony, name: str, value: Any, key: str) -> Testimony:
    """A model's testimony with the value that was chosen in place of its own; its own quotes vouch for no other."""
    if testimony.witness in FREE or testimony.records[0].get(name) == value:
        return testimony
    record = {**testimony.records[0], name: value}
    quotes = {place: one for place, one in testimony.evidence.items() if place != (0, name)}
    return replace(testimony, records=(record,), evidence=quotes, answers=(*testimony.answers, key))
