"""A model chooses among readings that gave the right values: one small call for all fields that are left open.

It is asked about fields that no free candidate reads rightly and for which there are readings all the same: left out
for doubt, or several that do not agree on other pages. The others are read as induction reads them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from crawloop.brief.answer import picked
from crawloop.brief.form import choices
from crawloop.brief.prompt import described, fenced, load
from crawloop.carriers.called import places_read
from crawloop.carriers.index import index
from crawloop.contract import Brief, Completer
from crawloop.errors import NothingChosen, PageRefused, StrategyDeclined
from crawloop.extract.plan import FieldPlan, Plan
from crawloop.extract.reading import printed
from crawloop.model.candidate import Candidate
from crawloop.model.kind import Field, Kind
from crawloop.schemas.expect import shown
from crawloop.strategy.detail.induce import Studied, induced, studied
from crawloop.strategy.induction import CARRIERS
from crawloop.strategy.judging.alone import addressed, demanding
from crawloop.strategy.judging.founded import founded, is_hearsay
from crawloop.strategy.judging.judgement import Judged
from crawloop.strategy.plans.emit import from_plan
from crawloop.strategy.readers.lens import Lens, lens

MOST_WAYS = 5
_MUCH_DEARER = 1.0  # than the likeliest way: mere chance
_OTHERS = 3
_LONGEST = 200
_AROUND = 2


@dataclass(frozen=True, slots=True)
class Offer:
    """The ways of one field that differ in what they give somewhere, the likeliest first."""

    field: Field
    ways: tuple[Judged, ...]


@dataclass(frozen=True, slots=True)
class _Open:
    """What a model is to choose from, amid what was studied."""

    study: Studied
    offers: tuple[Offer, ...]
    others: tuple[Lens, ...]


class Selection:
    """Asks once a run, in the first round, and only where there is something to choose from."""

    name = "selection"
    needs_model = True

    def __init__(self, completer: Completer) -> None:
        self._completer = completer

    async def propose(self, brief: Brief) -> Sequence[Candidate]:
        """One candidate. Raises StrategyDeclined where there is nothing to choose from, NothingChosen where the model
        chose nothing, CompletionError from the completer."""
        if brief.model is None or brief.number > 1:
            raise StrategyDeclined("a model chooses once, in the first round" if brief.model else "no model")
        left = await asyncio.to_thread(_left_open, brief)
        asked = replace(brief.schema, fields=tuple(one.field for one in left.offers))
        ways = fenced("ways", "\n\n".join("\n".join(_told(one, left)) for one in left.offers))
        form = choices({one.field.name: len(one.ways) for one in left.offers})
        slots = {"fields": described(asked), "ways": ways}
        told = await load("selection").ask(self._completer, brief.model, slots, form)
        chosen = chosen_of(told.text, left.offers)
        if not chosen:
            raise NothingChosen(f"{brief.model} chose no way to read {', '.join(asked.names)}")
        made = await asyncio.to_thread(_made, chosen, left, brief)
        return (replace(made, model=brief.model, answer=told.key),)


def _left_open(brief: Brief) -> _Open:
    """Raises StrategyDeclined where nothing is left open that could be read."""
    study = studied(brief, CARRIERS)
    others = tuple(_lenses(brief))
    offers = (
        Offer(one, tuple(_ways(one, study, others, brief)))
        for one in brief.schema.fields
        if one.name in study.found and one.name not in brief.settled
    )
    left = _Open(study, tuple(one for one in offers if one.ways), others)
    if not left.offers:
        raise StrategyDeclined("there is nothing to choose from: no open field has a reading that gives its values")
    return left


def _lenses(brief: Brief) -> Iterator[Lens]:
    for page in brief.others[:_OTHERS]:
        try:
            yield lens(page)
        except PageRefused:
            continue


def _ways(field: Field, study: Studied, others: Sequence[Lens], brief: Brief) -> Iterator[Judged]:
    """Right readers, one for each way in which they differ on some page.

    None of what a model alone says: that a model chooses what agrees with a model proves nothing.
    """
    if is_hearsay(field, study.pages):
        return
    found = founded(study.own[field.name], field, brief.schema, study.pages)
    right = [one for one in found if one.right and not one.wrong]
    most = min((one.cost for one in right), default=0.0) + _MUCH_DEARER
    seen: set[str] = set()
    for one in sorted(right, key=lambda one: (-len(one.right), one.cost)):
        gives = repr((one.got, [page.read(one.reader.expression) for page in others]))
        if gives not in seen and len(seen) < MOST_WAYS and one.cost <= most:
            seen.add(gives)
            yield one


def _told(offer: Offer, left: _Open) -> Iterator[str]:
    """A field's ways, line by line."""
    name, pages = offer.field.name, left.study.pages
    known = [sight.values[name] for sight in pages if name in sight.values]
    yield f"{name}, on {len(known)} known pages: " + "; ".join(map(shown, known))
    gives = [list(_gives(one, left)) for one in offer.ways]
    urls = [*(sight.lens.url for sight in pages), *(page.url for page in left.others)]
    differ = [number for number in range(len(urls)) if len({repr(one[number]) for one in gives}) > 1]
    for number, (way, given) in enumerate(zip(offer.ways, gives, strict=True), 1):
        yield f"  {number}: {' '.join(printed(way.reader.expression).split())[:_LONGEST]}"
        if around := _around(way, left):
            yield f"     around it: {around[:_LONGEST]}"
        yield from (f"     on {urls[at]}: {shown(given[at])}" for at in differ)


def _gives(way: Judged, left: _Open) -> Iterator[Any]:
    yield from way.got
    yield from (page.read(way.reader.expression) for page in left.others)


def _around(way: Judged, left: _Open) -> str:
    """The texts around the place that a reading finds on the first page where it is right; "" for one of JSON."""
    view = left.study.pages[min(way.right)].lens.view
    dom = index(view).dom
    place = next(iter(places_read(view, way.reader.expression)), None)
    return " | ".join(" ".join(one.split()) for one in dom.around(dom.starts[place.owner], _AROUND)) if place else ""


def chosen_of(answer: str, offers: Sequence[Offer]) -> dict[str, Judged]:
    """The readers that an answer chooses, by field; what it does not say, or says wrongly, is not chosen."""
    ways = {one.field.name: one.ways for one in offers}
    picks = picked(answer, {name: len(each) for name, each in ways.items()})
    return {name: ways[name][number - 1] for name, number in picks.items()}


def _made(chosen: Mapping[str, Judged], left: _Open, brief: Brief) -> Candidate:
    """The program of what was chosen, and of the settled fields as induction reads them."""
    fields: dict[str, FieldPlan] = {}
    notes: dict[str, tuple[str, ...]] = {}
    with suppress(StrategyDeclined):
        rest = induced(left.study, brief, CARRIERS)
        fields, notes = dict(rest.plan.only(brief.settled).fields), dict(rest.notes)
    lenses = [sight.lens for sight in left.study.pages]
    for offer in left.offers:
        if (way := chosen.get(offer.field.name)) is not None:
            plan = FieldPlan((way.reader.expression,))
            plan = addressed(plan, lenses) if offer.field.kind is Kind.TEXT else plan
            fields[offer.field.name] = demanding(plan, lenses)
            said = f"chosen by {brief.model} of {len(offer.ways)} ways: {printed(way.reader.expression)}"
            notes[offer.field.name] = (said,)
    return from_plan(Plan(fields), brief.family, Selection.name, notes)
