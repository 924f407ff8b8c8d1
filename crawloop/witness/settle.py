"""One field of one record: who is believed.

a person  >  witnesses that agree  >  history still on the page  >  markup in print  >  a model  >  the rest

Likeness alone is never believed, nor a model of what nothing on the page calls so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from crawloop.errors import OracleRefused
from crawloop.model.kind import Field, Kind
from crawloop.model.truth import HISTORY, LIKENESS, MARKUP, PERSON, Claim, Conflict, Evidence
from crawloop.values import equal
from crawloop.values.alike import respelled
from crawloop.witness.hearing import Voice
from crawloop.witness.vocabulary import is_own_link, is_picture, is_shown

_SHORT_LABEL = 4


class Standing(IntEnum):
    """How far a value is trusted, the least first."""

    UNSUPPORTED = 0
    HIDDEN = 1
    MOVING = 2
    MODEL = 3
    MARKUP = 4
    HISTORY = 5
    AGREED = 6
    LABELLED = 7


@dataclass(frozen=True, slots=True)
class Place:
    """Which field of which record of which page; `base` is what its URLs are joined to."""

    url: str
    base: str
    record: int
    field: Field


@dataclass(frozen=True, slots=True)
class Camp:
    """Witnesses that say the same value, the most trusted first."""

    voices: tuple[Voice, ...]
    standing: Standing

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        return tuple(dict.fromkeys(one for voice in self.voices for one in voice.evidence))

    def claim(self) -> Claim:
        """What the camp's most trusted voice says, with the evidence of all."""
        supported = self.standing is not Standing.UNSUPPORTED and bool(self.evidence)
        return Claim(self.voices[0].value, tuple(v.witness for v in self.voices), self.evidence, supported)


def settle(place: Place, voices: Sequence[Voice], absent: bool = False) -> tuple[Claim | None, Conflict | None]:
    """The claim that holds, if any, and the disagreement, if any. `absent` says that a person sees no such value.

    Raises OracleRefused where equal witnesses differ on a required field.
    """
    known = [voice for voice in voices if voice.supported or voice.witness != HISTORY] or list(voices)
    if absent:
        against = [(voice.witness, voice.value) for voice in known if voice.supported]
        return None, _conflict(place, [(PERSON, None), *against], None) if against else None
    camps = _camps(place, known)
    if not camps:
        return None, None
    first = camps[0]
    is_hidden = first.standing is Standing.HIDDEN
    may_hide = _may_hide(first, place.field) or _is_shared(first, voices, place.field)
    claim = first.claim() if not is_hidden or may_hide else None
    if len(camps) == 1:
        return claim or _remembered(voices), None
    said = [(voice.witness, voice.value) for camp in camps for voice in camp.voices]
    if first.standing > camps[1].standing:
        return claim, _conflict(place, said, claim and claim.value)
    if place.field.required and first.standing is not Standing.UNSUPPORTED:
        differ = " and ".join(f"{witness} says {value!r}" for witness, value in said)
        raise OracleRefused(f"{place.url}: {differ} for the required field {place.field.name}")
    return None, _conflict(place, said, None)


def _may_hide(camp: Camp, field: Field) -> bool:
    """Whether markup or history alone is believed where readers do not see the value as it is.

    Amounts, titles, people and anything that is told at length stand on the page where they are true; links of the
    document to itself, dates, durations, codes and short labels need not.
    """
    value = camp.voices[0].value
    if field.kind is Kind.TEXT:
        return not isinstance(value, list) and len(str(value).split()) <= _SHORT_LABEL and not is_shown(field.name)
    return field.kind is not Kind.MONEY and (field.kind is not Kind.URL or is_own_link(field.name))


def _is_shared(camp: Camp, voices: Sequence[Voice], field: Field) -> bool:
    """Whether a picture is the one that the head gives out for the page: others stand there in many sizes. Where
    history knew another, nobody tells which of the new ones took its place."""
    in_the_head = any(one.carrier == "meta" for one in camp.evidence)
    return is_picture(field.name) and in_the_head and all(voice.witness != HISTORY for voice in voices)


def _remembered(voices: Sequence[Voice]) -> Claim | None:
    """What history knew and no reader sees any more: it decides nothing, and the field is known to have had it."""
    past = next((one for one in voices if one.witness == HISTORY), None)
    return Claim(past.value, (HISTORY,), supported=False) if past else None


def _conflict(place: Place, said: Sequence[tuple[str, object]], kept: object) -> Conflict:
    return Conflict(place.url, place.record, place.field.name, tuple(said), kept)


def _camps(place: Place, voices: Sequence[Voice]) -> list[Camp]:
    """Voices by value, the camp with the highest standing first.

    History knows how a text was spelled; how it is today, those know who read it today.
    """
    groups: list[list[Voice]] = []
    for voice in sorted(voices, key=lambda voice: -_alone(voice, place.field)):
        for group in groups:
            if equal(group[0].value, voice.value, place.field, base=place.base):
                group.append(voice)
                break
            if _is_respelled(group[0], voice, place.field):
                is_only_remembered = all(one.witness == HISTORY for one in group)
                group.insert(0 if is_only_remembered else len(group), voice)
                break
        else:
            groups.append([voice])
    printed = any(voice.in_sight for voice in voices)
    camps = [Camp(tuple(group), _standing(group, place.field, printed)) for group in groups]
    return sorted(camps, key=lambda camp: -camp.standing)


def _is_respelled(one: Voice, other: Voice, field: Field) -> bool:
    """Whether history says a text of the page that another witness says too, in other signs."""
    is_remembered = HISTORY in (one.witness, other.witness) and one.supported and other.supported
    return is_remembered and field.kind is Kind.TEXT and respelled(one.value, other.value)


def _standing(voices: Sequence[Voice], field: Field, printed: bool) -> Standing:
    """Of the best voice, and more where two agree. `printed`: readers see some value of this field.

    Markup is often generated apart from the page and misses a sale: of what moves, what readers see counts for more.
    """
    best = max(_alone(voice, field) for voice in voices)
    if best is Standing.LABELLED or len({voice.witness for voice in voices if voice.supported}) < 2:
        return best
    hidden = printed and not any(voice.in_sight for voice in voices)
    return Standing.HIDDEN if hidden and (field.volatile or field.kind is Kind.MONEY) else Standing.AGREED


def _alone(voice: Voice, field: Field) -> Standing:
    if voice.witness == PERSON:
        return Standing.LABELLED
    if not voice.supported or voice.witness == LIKENESS or not voice.named:
        return Standing.UNSUPPORTED
    if voice.witness == HISTORY:
        return Standing.MOVING if field.volatile else Standing.HISTORY if voice.in_sight else Standing.HIDDEN
    if voice.witness == MARKUP:
        return Standing.MARKUP if voice.in_sight else Standing.HIDDEN
    return Standing.MODEL
