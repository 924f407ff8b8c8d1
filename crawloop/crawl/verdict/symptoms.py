"""What one page says of each stream that is watched over time: shares of its records, from 0 to 1.

A stream is "field: symptom", or "page: symptom". A page that says nothing of a stream leaves it out: a record that
never had a badge is no word about badges.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum

from crawloop.crawl.verdict.expect import Expectation
from crawloop.crawl.verdict.problem import PAGE
from crawloop.crawl.verdict.reading import Reading
from crawloop.model.page import Record
from crawloop.values import strays
from crawloop.values.detector import Tally


class Symptom(StrEnum):
    """What a stream counts.

    Of a page: DRIFT, that it drifted; EMPTY, that it says it has nothing to show; COUNT, that it has far fewer or far
    more records than any known page; IDENTICAL, that its record comes back, or the share of its records that do. Of a
    field: FAULT, values that the verdict found wrong; MISSING, records of new pages without one; LOST, the same of
    records that were known to have one; CHANGED, values that are not what was known; STRAY, values outside of all that
    was seen; REPEATED, values that come back; SPREAD, values that come back after they took the place of others
    (`recurring`); MARKUP, values that the page's markup contradicts.
    """

    DRIFT = "drift"
    EMPTY = "empty"
    COUNT = "count"
    IDENTICAL = "identical"
    FAULT = "fault"
    MISSING = "missing"
    LOST = "lost"
    CHANGED = "changed"
    STRAY = "stray"
    REPEATED = "repeated"
    SPREAD = "spread"
    MARKUP = "markup"


OF_FIELDS = (
    Symptom.FAULT,
    Symptom.MISSING,
    Symptom.CHANGED,
    Symptom.STRAY,
    Symptom.REPEATED,
    Symptom.SPREAD,
    Symptom.MARKUP,
)
# What is taken for known of any family. DRIFT is measured: of 469 pairs of pages of one layout none looked redesigned.
# The others are cautious guesses, which the family's own pages soon outweigh.
KNOWN = {
    Symptom.DRIFT: Tally(470, 0),
    Symptom.EMPTY: Tally(20, 1),
    Symptom.COUNT: Tally(20, 1),
    Symptom.FAULT: Tally(200, 0),
    Symptom.CHANGED: Tally(20, 4),
    Symptom.MARKUP: Tally(50, 0),
}


def stream(name: str, symptom: Symptom) -> str:
    """The name of a stream."""
    return f"{name}: {symptom}"


def symptoms(reading: Reading, faults: Mapping[str, Collection[int]]) -> Iterator[tuple[str, float]]:
    """What a page that is served says. `faults` are the records, by number, whose value of a field is at fault."""
    rows = reading.rows
    yield stream(PAGE, Symptom.EMPTY), 0.0
    yield stream(PAGE, Symptom.COUNT), float(_is_odd(len(rows), reading.expected))
    contradicted = _contradicted(reading) if reading.markup.is_sample else {}
    known = {index for index, _ in reading.recall.was}
    for name in reading.expected.fields if rows else ():
        yield stream(name, Symptom.FAULT), len(faults.get(name, ())) / len(rows)
        yield from _named(
            name,
            {
                Symptom.MISSING: _missing(reading, name, known),
                Symptom.LOST: _lost(reading, name),
                Symptom.CHANGED: _changed(reading, name),
                Symptom.STRAY: _stray(reading, name),
                Symptom.MARKUP: contradicted.get(name, ()),
            },
        )


def learnt(expected: Expectation, records: Sequence[Record]) -> Iterator[tuple[str, float]]:
    """What a golden page says: it was right."""
    yield stream(PAGE, Symptom.COUNT), 0.0
    for name in expected.fields if records else ():
        lacking = [record.get(name) is None for record in records]
        yield stream(name, Symptom.MISSING), sum(lacking) / len(lacking)


def _named(name: str, said: Mapping[Symptom, Sequence[bool]]) -> Iterator[tuple[str, float]]:
    for symptom, records in said.items():
        if records:
            yield stream(name, symptom), sum(records) / len(records)


def _is_odd(count: int, expected: Expectation) -> bool:
    usual = [len(golden.records) for golden in expected.goldens]
    return bool(usual) and not min(usual) / 2 <= count <= max(usual) * 2


def _contradicted(reading: Reading) -> dict[str, list[bool]]:
    said: dict[str, list[bool]] = {}
    for index, name, value, _ in reading.attestable():
        if name in reading.markup.trusted and value is not None:
            said.setdefault(name, []).append((index, name) not in reading.attested)
    return said


def _missing(reading: Reading, name: str, known: Collection[int]) -> list[bool]:
    return [row[name] is None for n, row in enumerate(reading.rows) if n not in known]


def _lost(reading: Reading, name: str) -> list[bool]:
    return [reading.rows[n][name] is None for n, field in reading.recall.was if field == name]


def _changed(reading: Reading, name: str) -> list[bool]:
    if reading.expected.schema[name].volatile:
        return []
    told = reading.recall
    return [place in told.changed for place in told.was if place[1] == name and place not in told.gone]


def _stray(reading: Reading, name: str) -> list[bool]:
    one = reading.expected.schema[name]
    seen = reading.expected.profiles.get(name)
    if not seen or one.volatile:
        return []
    told = reading.recall.confirmed  # a value that was known is like what was seen, and nights are full of those
    there = ((n, row[name]) for n, row in enumerate(reading.rows) if row[name] is not None)
    return [(n, name) not in told and strays(value, seen, one) for n, value in there]
