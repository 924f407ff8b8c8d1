"""Serve now: what a broken extractor leaves null is filled by whoever knows it without, and each such value is marked.

markup of the page itself ──► history of its URL, where the page still carries it ──► a model, where one may be asked

Only what the report names as wrong is a gap. A value that fails its own check fills none, and nothing that was filled
is remembered or learnt from.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from crawloop.carriers.support import support
from crawloop.crawl.kit import Filler
from crawloop.crawl.ladder import Ladder, Served
from crawloop.crawl.verdict.problem import named
from crawloop.crawl.verdict.recall import Place, Whereabouts
from crawloop.errors import PageRefused
from crawloop.extract.bounds.guard import check as check_page
from crawloop.extract.view import PageView
from crawloop.model.kind import Field, Kind
from crawloop.model.page import Record
from crawloop.schemas import check
from crawloop.values import fits, is_blank, paired


@dataclass(frozen=True, slots=True)
class Filled:
    """What is served of a page. `kept` are the program's records that these are; `by` says who filled which value."""

    records: tuple[Record, ...]
    kept: tuple[int, ...]
    by: Mapping[Place, str] = field(default_factory=dict)

    @property
    def fields(self) -> dict[str, str]:
        """{field: who filled it}, in one record at least."""
        return {name: who for (_, name), who in sorted(self.by.items(), key=lambda one: one[0][1])}


class Stopgap:
    """Fills the gaps of pages that `ladder` serves."""

    def __init__(self, ladder: Ladder) -> None:
        self._ladder = ladder

    async def __call__(self, one: Served, model: Filler | None) -> Filled:
        """What is served of the page. Without `model` only those are heard who cost nothing."""
        verdict = one.judgement
        as_it_is = Filled(verdict.records, verdict.kept)
        if not verdict.status.may_heal:
            return as_it_is
        filled = as_it_is
        if not verdict.records and one.expected.is_single:
            filled = Filled((dict.fromkeys(one.expected.schema.names),), (0,))
        if gaps(one, filled.records):
            filled = _joined(one, filled, await self._markup(one, filled.records), "markup")
        if gaps(one, filled.records):
            filled = _joined(one, filled, await self._history(one, filled.records), "history")
        if model is not None:
            filled = await self._read(one, filled, model)
        return filled if filled.by else as_it_is

    async def _read(self, one: Served, filled: Filled, model: Filler) -> Filled:
        """What a model reads of the gaps; of a page without a record all that it reads."""
        missing = {name for _, name in gaps(one, filled.records)} if filled.records else one.expected.fields
        if not missing:
            return filled
        read = await model(one.page, filled.records, tuple(sorted(missing)), one.expected.schema)
        if not filled.records:
            filled = Filled(tuple(dict.fromkeys(one.expected.schema.names) for _ in read), tuple(range(len(read))))
        return _joined(one, filled, read, "model")

    async def _markup(self, one: Served, rows: Sequence[Record]) -> Sequence[Record]:
        """What the markup says of each row, but for fields in which it was wrong on a golden page."""
        said = await self._ladder.markup(one.expected, one.page)
        offered = [{name: row[name] for name in row.keys() - said.refuted} for row in said.records]
        return _aligned(one, rows, offered)

    async def _history(self, one: Served, rows: Sequence[Record]) -> Sequence[Record]:
        """What was known of each row and still stands on the page; nothing of what moves by nature."""
        known = _aligned(one, rows, self._ladder.known(one.expected, one.page))
        return await asyncio.to_thread(lambda: list(_carried(one, known))) if any(known) else ()


def gaps(one: Served, rows: Sequence[Record]) -> list[Place]:
    """The nulls that the report names; all of them where the extractor gave no record."""
    wanted = one.expected.fields & named(one.judgement.problems) if one.judgement.records else one.expected.fields
    return [(n, name) for n, row in enumerate(rows) for name in sorted(wanted) if is_blank(row.get(name))]


def _joined(one: Served, filled: Filled, offered: Sequence[Record], who: str) -> Filled:
    """The records with each gap taken from the record offered for its own, where that value passes its checks."""
    if len(offered) != len(filled.records):
        return filled
    records, by = [dict(record) for record in filled.records], dict(filled.by)
    for n, name in gaps(one, filled.records):
        value = offered[n].get(name)
        if not is_blank(value) and _passes(one, name, value):
            records[n][name], by[n, name] = value, who
    return Filled(tuple(records), filled.kept, by)


def _passes(one: Served, name: str, value: object) -> bool:
    """Whether the value is of its field's kind, and looks like those that the field has had."""
    schema, seen = one.expected.schema, one.expected.profiles.get(name)
    if name in check(schema, {name: value}, base=one.page.base):
        return False
    return seen is None or fits(value, seen, schema[name]) is None


def _aligned(one: Served, rows: Sequence[Record], offered: Sequence[Record]) -> list[Record]:
    """For each row the offered record of the same item, by the values that they share; an empty one where none is."""
    if not rows or not offered:
        return []
    places = paired(rows, offered, one.expected.schema.fields, all_known=False, base=one.page.base)
    return [dict(offered[place]) if place is not None else {} for place in places]


def _carried(one: Served, known: Sequence[Record]) -> Iterator[Record]:
    """Of each known record the values that the page carries, if it is a page of the same item.

    That it is one shows in the texts that can be looked for: most of them stand there. A list may have got one item
    more, and a picture stands there in many sizes: that the old one can be found says nothing of these.
    """
    schema, where = one.expected.schema, Whereabouts(one.page.html)
    try:
        check_page(one.page.html)
    except PageRefused:
        return
    view = PageView(one.page.html, one.page.base)
    for record in known:
        lasting = {f.name: record[f.name] for f in schema.fields if _lasts(f) and not is_blank(record.get(f.name))}
        there = {name: value for name, value in lasting.items() if support(view, value, schema[name])}
        telling = [name for name, value in lasting.items() if where.tells(value)]
        is_same = 2 * sum(name in there for name in telling) > len(telling)
        yield there if is_same else {}


def _lasts(one: Field) -> bool:
    return not one.volatile and not one.many and one.kind is not Kind.URL


async def residual(one: Served, filled: Filled, model: Filler) -> Filled:
    """The records with the fields that the version never reaches, as the model reads them."""
    names = one.expected.version.residual
    read = await model(one.page, filled.records, names, one.expected.schema)
    new = {
        (n, name): "model"
        for n, (before, after) in enumerate(zip(filled.records, read, strict=True))
        for name in names
        if is_blank(before.get(name)) and not is_blank(after.get(name))
    }
    return Filled(read, filled.kept, {**filled.by, **new})
