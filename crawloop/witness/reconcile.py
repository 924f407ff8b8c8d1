"""One truth for a page out of what the witnesses say of it.

hear    each value with its evidence        align    which record is which
settle  who is believed, field by field     what the page carries nowhere is kept apart, whoever says it
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from crawloop.errors import OracleRefused
from crawloop.extract.bounds.guard import check
from crawloop.extract.view import PageView
from crawloop.model.kind import Schema
from crawloop.model.page import Page
from crawloop.model.truth import LIKENESS, PERSON, Testimony, Truth
from crawloop.witness.align import aligned
from crawloop.witness.hearing import Heard, Voice, hear
from crawloop.witness.settle import Place, settle

_Row = dict[str, list[Voice]]


def reconcile(page: Page, testimonies: Sequence[Testimony], schema: Schema) -> Truth:
    """The truth of a page, with every disagreement on the way there as a conflict.

    Raises OracleRefused where nobody says anything that the page carries, or where equal witnesses differ on a
    required field; PageRefused where the page cannot be parsed safely.
    """
    check(page.html)
    view = PageView(page.html, page.base)
    heard = [hear(view, testimony, schema) for testimony in testimonies]
    heard = [one for one in heard if one.records or one.witness == PERSON]
    if not heard:
        raise OracleRefused(f"no witness knows {page.url}")
    if all(one.witness == LIKENESS for one in heard):
        names = ", ".join(sorted(heard[0].records[0]))
        raise OracleRefused(f"{page.url} is known by likeness alone ({names}): a second witness must confirm it")
    lead = max(heard, key=_leads)
    rows, complete = _rows(lead, [one for one in heard if one is not lead], schema, page.base)
    absent = frozenset().union(*(one.absent for one in heard if one is lead and one.witness == PERSON))
    places = [{name: Place(page.url, page.base, n, schema[name]) for name in schema.names} for n in range(len(rows))]
    settled = [
        {name: settle(place, row.get(name, ()), (n, name) in absent) for name, place in places[n].items()}
        for n, row in enumerate(rows)
    ]
    records = tuple({name: claim for name, (claim, _) in row.items() if claim} for row in settled)
    conflicts = tuple(conflict for row in settled for _, conflict in row.values() if conflict)
    truth = Truth(page.url, records, absent, conflicts, complete)
    disputed = frozenset().union(*(one.disputed for one in testimonies)) - truth.fields
    truth = replace(truth, disputed=disputed)
    if records and not truth.fields and not absent:
        raise OracleRefused(f"{page.url} carries nothing of what {' and '.join(one.witness for one in heard)} said")
    return truth


def _leads(heard: Heard) -> tuple[bool, bool, int]:
    """By whose records the others are aligned: a person's, else complete ones, else the most."""
    return heard.witness == PERSON, heard.complete, len(heard.records)


def _rows(lead: Heard, others: Sequence[Heard], schema: Schema, base: str) -> tuple[list[_Row], bool]:
    """Every voice by record and field, and whether these are all records of the page."""
    rows: list[_Row] = [{name: [voice] for name, voice in record.items()} for record in lead.records]
    complete = lead.complete
    for other in others:
        for record, number in zip(other.records, aligned(lead.records, other.records, schema, base), strict=True):
            if number is not None:
                for name, voice in record.items():
                    rows[number].setdefault(name, []).append(voice)
            elif not lead.complete:
                rows.append({name: [voice] for name, voice in record.items()})
        if lead.witness != PERSON and other.complete and len(other.records) != len(lead.records):
            complete = False
    return rows, complete
