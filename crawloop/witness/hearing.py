"""What a witness says, value by value, each with the places on the page where it stands.

voice    one witness, one value, its evidence      heard    in print for readers to see, in JSON alone, or nowhere
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from crawloop.carriers import support
from crawloop.carriers.called import is_called
from crawloop.carriers.totals import comes_to, parts_of
from crawloop.extract.dom.tags import STRUCK
from crawloop.extract.view import PageView
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.truth import FREE, HISTORY, PERSON, SUM, Evidence, Testimony
from crawloop.values import has_currency, normalise, squash
from crawloop.witness.sight import fill_their_list, in_sight

_TELLING_DIGITS = 3
_TELLING_SIGNS = 3
_STILL_THERE = 0.5
_STILL_THERE_ALONE = 0.3


@dataclass(frozen=True, slots=True)
class Voice:
    """One value as one witness says it. `evidence` is empty where the page carries it nowhere.

    `named` is False where a model says it, and nothing on the page calls it so.
    """

    witness: str
    value: Any
    evidence: tuple[Evidence, ...] = ()
    in_sight: bool = False
    named: bool = True

    @property
    def supported(self) -> bool:
        return bool(self.evidence)


Voices = dict[str, Voice]


@dataclass(frozen=True, slots=True)
class Heard:
    """A testimony weighed against the page."""

    witness: str
    records: tuple[Voices, ...]
    absent: frozenset[tuple[int, str]] = frozenset()
    complete: bool = True


def hear(view: PageView, testimony: Testimony, schema: Schema) -> Heard:
    """The testimony with evidence for each value. What history says of records that are gone is left out."""
    looked: dict[tuple[str, str], tuple[tuple[Evidence, ...], bool, bool]] = {}
    records: list[Voices] = []
    for number, record in enumerate(testimony.records):
        voices: Voices = {}
        for name, value in record.items():
            if name not in schema.names or value is None:
                continue
            key = (name, repr(value))
            own = testimony.evidence.get((number, name), ())
            if key not in looked:
                found, seen = _look(view, value, schema[name], testimony.witness)
                free = testimony.witness in FREE
                looked[key] = found, seen, free or is_called(view, value, schema[name], schema, own)
            found, seen, named = looked[key]
            voices[name] = Voice(testimony.witness, value, (*found, *own), seen, named)
        records.append(voices | dict(_sums(voices, schema)))
    heard = Heard(testimony.witness, tuple(records), testimony.absent, testimony.complete)
    return _remembered(view, heard, schema) if testimony.witness == HISTORY else heard


def _sums(voices: Voices, schema: Schema) -> Iterator[tuple[str, Voice]]:
    """Wholes that stand nowhere, where the page carries their parts."""
    carried = [schema[name] for name, voice in voices.items() if voice.supported]
    for name, whole in voices.items():
        for parts in parts_of(schema[name], carried) if not whole.supported else ():
            said = [voices[one.name] for one in parts]
            if comes_to(whole.value, schema[name], [one.value for one in said], parts):
                told = " + ".join(f"{one.name} {voice.value}" for one, voice in zip(parts, said, strict=True))
                in_sight = all(one.in_sight for one in said)
                yield name, replace(whole, evidence=(Evidence(SUM, "", told),), in_sight=in_sight)
                break


def _look(view: PageView, value: Any, field: Field, witness: str) -> tuple[tuple[Evidence, ...], bool]:
    """The evidence, and whether readers see the value; of a person's word nobody asks that."""
    found = support(view, value, field)
    return found, bool(found) and (witness == PERSON or in_sight(view, value, field))


def _remembered(view: PageView, heard: Heard, schema: Schema) -> Heard:
    """History, cut down to the records that the page still carries; complete where it carries all, and no others.

    Volatile fields are no sign that a record is still there.
    """
    weights = _weights(heard.records, schema, view.url)
    bar = _STILL_THERE if len(heard.records) > 1 else _STILL_THERE_ALONE
    kept = tuple(
        {name: voice for name, voice in voices.items() if _says_something(view, voice, schema[name], schema)}
        for voices, weight in zip(heard.records, weights, strict=True)
        if _share_found(voices, weight) >= bar
    )
    complete = heard.complete and len(kept) == len(heard.records) and _has_no_others(view, kept, schema)
    return replace(heard, records=kept, complete=complete)


def _has_no_others(view: PageView, records: tuple[Voices, ...], schema: Schema) -> bool:
    """Whether the page, where it is a list, shows no more records than these, by some field that tells them apart."""
    texts = (field for field in schema.fields if field.kind is Kind.TEXT and not field.many and not field.volatile)
    return len(records) < 2 or any(
        fill_their_list(view, [record[field.name].value for record in records], field)
        for field in texts
        if all(field.name in record for record in records)
    )


def _says_something(view: PageView, voice: Voice, field: Field, schema: Schema) -> bool:
    """Whether it means anything that the page carries an old value. What moves must be in sight; small numbers stand on
    any page for other reasons, and so do figures without a unit and texts of a sign or two that it calls otherwise."""
    if not voice.supported:
        return not field.volatile
    if (field.volatile or field.kind is Kind.MONEY) and _is_struck_out(voice.evidence):
        return False
    if field.volatile and not voice.in_sight:
        return False
    if _stands_by_chance(voice, field):
        return is_called(view, voice.value, field, schema)
    if field.kind not in (Kind.NUMBER, Kind.MONEY):
        return True
    if sum(sign.isdigit() for sign in str(voice.value)) >= _TELLING_DIGITS:
        return True
    return field.kind is Kind.MONEY and any(has_currency(one.snippet) for one in voice.evidence)


def _stands_by_chance(voice: Voice, field: Field) -> bool:
    if field.kind is Kind.DURATION:
        return all(one.snippet.strip().isdigit() for one in voice.evidence)
    return field.kind is Kind.TEXT and not field.many and len(squash(str(voice.value))) < _TELLING_SIGNS


def _is_struck_out(evidence: tuple[Evidence, ...]) -> bool:
    """Whether the page says that the value holds no more, as of a price before a sale: at its narrowest places."""
    narrow = min(len(one.snippet) for one in evidence)
    return all(not STRUCK.isdisjoint(one.path.split(" > ")) for one in evidence if len(one.snippet) == narrow)


def _weights(records: tuple[Voices, ...], schema: Schema, base: str) -> list[dict[str, float]]:
    """How telling each value is: 1 where one record has it, less where several share it, 0 for what always moves."""
    keys = [
        {name: (name, key_of(voice.value, schema[name], base)) for name, voice in r.items() if _tells(schema[name])}
        for r in records
    ]
    counts = Counter(key for record in keys for key in record.values())
    return [{name: 1 / counts[key] for name, key in record.items()} for record in keys]


def _tells(field: Field) -> bool:
    return not field.volatile and field.kind is not Kind.BOOL


def _share_found(voices: Voices, weights: dict[str, float]) -> float:
    total = sum(weights.values())
    return sum(weight for name, weight in weights.items() if voices[name].supported) / total if total else 0.0


def key_of(value: Any, field: Field, base: str) -> str:
    """A text that is the same for two values that are the same."""
    return repr(normalise(value, field, base=base))
