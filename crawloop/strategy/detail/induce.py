"""Induction: from pages with truth to a plan, field by field, over the carriers that a strategy looks at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from crawloop.carriers.reading_names import BY_KEY, BY_LABEL, reads_by_name
from crawloop.contract import Brief
from crawloop.errors import PageRefused, StrategyDeclined
from crawloop.extract.plan import FieldPlan, Plan
from crawloop.extract.reading import Expression, Read, innermost, printed
from crawloop.model.candidate import Candidate
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.truth import HISTORY, PERSON, Sample
from crawloop.strategy.detail.beside import beside, neighbours
from crawloop.strategy.detail.choose import bared, chain, contested, field_plan, joint
from crawloop.strategy.detail.headings import headings
from crawloop.strategy.detail.joining import joined_alike, separator_of
from crawloop.strategy.detail.pooled import pooled
from crawloop.strategy.detail.renamed import renamed
from crawloop.strategy.detail.summed import summed
from crawloop.strategy.detail.untaught import untaught
from crawloop.strategy.judging.alone import addressed, demanding
from crawloop.strategy.judging.belief import KEPT, is_kept, rivalry
from crawloop.strategy.judging.founded import founded
from crawloop.strategy.judging.judgement import Judged, Sight, judged
from crawloop.strategy.judging.notes import by_its_name, notes
from crawloop.strategy.plans.emit import from_plan
from crawloop.strategy.plans.healing import standing, still
from crawloop.strategy.plans.named import named
from crawloop.strategy.plans.tidy import tidied
from crawloop.strategy.readers.gather import readers
from crawloop.strategy.readers.lens import lens
from crawloop.strategy.readers.reader import Reader

_TEACHERS = 3  # pages from which a field's readers are learnt at most
_TAUGHT = 2  # pages after which there are enough, with those that are left out for a test
_TEMPLATE = 1.8  # what all pages say alike may be the template's; beside a value of the record it is the record's


@dataclass(frozen=True, slots=True)
class Induced:
    """A plan with its notes by field."""

    plan: Plan
    notes: dict[str, tuple[str, ...]]


def sights(samples: Iterable[Sample]) -> list[Sight]:
    """The samples of single records, each under its lens; pages that cannot be parsed safely are left out."""
    found = []
    for sample in samples:
        if sample.truth is None or len(sample.truth.records) != 1:
            continue
        try:
            page = lens(sample.page)
        except PageRefused:
            continue
        absent = frozenset(name for record, name in sample.truth.absent if record == 0)
        said = sample.truth.records[0]
        hearsay = frozenset(name for name, one in said.items() if one.is_hearsay)
        unconfirmed = frozenset(name for name, one in said.items() if one.is_unconfirmed)
        values = dict(sample.truth.values()[0])
        uncarried = {name: one.value for name, one in said.items() if PERSON in one.witnesses and not one.supported}
        found.append(Sight(page, values, absent, hearsay, absent | said.keys(), unconfirmed, uncarried))
    return found


@dataclass(frozen=True, slots=True)
class Studied:
    """The pages under study, and for each field that some page knows its readers, judged; `own` are those of them that
    read no other field's place."""

    pages: list[Sight]
    found: dict[str, list[Judged]]
    own: dict[str, list[Judged]]


def studied(brief: Brief, carriers: frozenset[str]) -> Studied:
    """Every reader of every known field. Raises StrategyDeclined where no page is a single record."""
    pages = sights(brief.samples)
    if not pages:
        raise StrategyDeclined("no sample is a page of one record")
    known = [one for one in brief.schema.fields if any(one.name in sight.values for sight in pages)]
    before = standing(brief.active)
    raw = {one.name: _found(one, pages, carriers, before, brief.left_out) for one in known}
    joins = separator_of(raw.values(), pages)
    found = joint({one.name: joined_alike(_weighed(raw[one.name], one, brief.schema, pages), joins) for one in known})
    chains = {one: chain(found[one.name], one, pages) for one in known}
    if "dom" in carriers:
        found = {one.name: [*found[one.name], *_beside(one, chains, pages)] for one in known}
    parts = {one: field_plan(best).expression for one, best in chains.items() if best}
    found = {one.name: [*found[one.name], *judged(summed(one, parts, pages), one, pages)] for one in known}
    own = {one.name: _own(found[one.name], one, chains, brief.schema) for one in known}
    return Studied(pages, found, own)


def induce(brief: Brief, carriers: frozenset[str]) -> Induced:
    """The plan for the brief's pages. Raises StrategyDeclined where no page is a single record or nothing is found."""
    return induced(studied(brief, carriers), brief, carriers)


def induced(study: Studied, brief: Brief, carriers: frozenset[str]) -> Induced:
    """The plan out of what was studied. Raises StrategyDeclined where no field can be read."""
    pages, found = study.pages, study.found
    before, lenses = standing(brief.active), [one.lens for one in pages]
    fields: dict[str, FieldPlan] = {}
    said: dict[str, tuple[str, ...]] = {}
    for one in (one for one in brief.schema.fields if one.name in found):
        chosen: list[Judged] = chain(founded(study.own[one.name], one, brief.schema, pages), one, pages)
        if chosen:
            plan = field_plan(chosen, brief.left_out, _is_unconfirmed(one, pages))
            fields[one.name] = addressed(plan, lenses) if one.kind is Kind.TEXT else plan
        said[one.name] = notes(chosen, found[one.name], one, pages)
    for one in (one for one in brief.schema.fields if one.name not in found):
        if kept := still(before.get(one.name, ()), one, pages):
            fields[one.name] = kept
            said[one.name] = (f"taught by no sample, kept from the active version: {printed(kept.expression)}",)
        elif moved := renamed(one, before.get(one.name, ()), _old(one, brief.samples), pages):
            fields[one.name] = moved
            said[one.name] = (f"taught by no sample, read under its old name: {printed(moved.expression)}",)
    unknown = [one for one in brief.schema.fields if one.name not in said]
    by_name = untaught(unknown, fields, found, pages) if "json" in carriers else {}
    if "dom" in carriers:
        silent = [one for one in unknown if not any(one.name in sight.spoken_of for sight in pages)]
        by_name = named(silent, fields, brief.schema, lenses) | headings(silent, fields, lenses) | by_name
    for name, plan in by_name.items():
        fields[name] = plan
        said[name] = (by_its_name(plan),)
    for one in (one for one in brief.schema.fields if one.name in found and one.name not in fields):
        parts = {brief.schema[name]: plan.expression for name, plan in fields.items()}
        if chosen := chain(judged(summed(one, parts, pages), one, pages), one, pages):
            fields[one.name] = field_plan(chosen, brief.left_out)
            said[one.name] = notes(chosen, found[one.name], one, pages)
    if not fields:
        raise StrategyDeclined("no value of the samples can be read from " + " or ".join(sorted(carriers)))
    clean = {name: tidied(one, brief.schema[name], lenses) for name, one in fields.items()}
    return Induced(Plan({name: demanding(one, lenses) for name, one in clean.items()}), said)


def _found(
    field: Field,
    pages: list[Sight],
    carriers: frozenset[str],
    before: dict[str, tuple[Expression, ...]],
    left_out: int,
) -> list[Judged]:
    """The readers of a field with their counts, from so many pages as it takes to have one that is right on all.

    A text or list that no single place gives is put together from several.
    """
    known = [one for one in pages if field.name in one.values]
    teachers = known[:_TEACHERS]
    gathered = _kept(field, before)
    found: list[Judged] = []
    for taught, sight in enumerate(teachers, 1):
        gathered += readers(sight.lens, sight.values[field.name], field, carriers)
        if taught == len(teachers) or taught + left_out >= _TAUGHT:
            found = judged(gathered, field, pages)
            if any(len(one.right) == len(known) and not one.wrong for one in found):
                return found
    return found + judged(pooled(field, pages, carriers), field, pages)


def _own(found: list[Judged], field: Field, chains: dict[Field, list[Judged]], schema: Schema) -> list[Judged]:
    """The readers without those that are right on one page only, at a place that is called after another field and read
    for that one: there both may say the same by chance, as a total time does where nothing is cooked. What the active
    version reads there, it has read on other pages too."""
    theirs = {innermost(best[0].reader.expression) for one, best in chains.items() if best and one is not field}
    cost = rivalry(field, schema.fields)
    reads = [(one, innermost(one.reader.expression)) for one in found]
    free = [len(one.right) != 1 or is_kept(one.cost) or read not in theirs or not cost(read) for one, read in reads]
    return [one for (one, _), may in zip(reads, free, strict=True) if may]


def _is_unconfirmed(field: Field, pages: Sequence[Sight]) -> bool:
    """Whether markup alone told a text on every page that knows it; dates and links are believed unseen."""
    told = [sight for sight in pages if field.name in sight.values]
    return field.kind is Kind.TEXT and all(field.name in sight.unconfirmed for sight in told)


def _old(field: Field, samples: Iterable[Sample]) -> list[Any]:
    """The values of a field that some witness remembers, and that the pages carry no more; also those of history that
    another witness contradicts, so that neither is believed."""
    truths = [sample.truth for sample in samples if sample.truth]
    claims = [record[field.name].value for truth in truths for record in truth.records if field.name in record]
    conflicts = (one for truth in truths for one in truth.conflicts if one.field == field.name and one.kept is None)
    return claims + [value for one in conflicts for witness, value in one.said if witness == HISTORY]


def _weighed(found: list[Judged], field: Field, schema: Schema, pages: list[Sight]) -> list[Judged]:
    """The readers by what other fields and values of these records say of them."""
    return bared(contested(found, field, schema.fields), pages)


def _kept(field: Field, before: dict[str, tuple[Expression, ...]]) -> list[Reader]:
    """The readers of the active version."""
    return [
        Reader(expression, KEPT + 0.1 * place, carrier(expression))
        for place, expression in enumerate(before.get(field.name, ()))
    ]


def _beside(field: Field, chains: dict[Field, list[Judged]], pages: list[Sight]) -> list[Judged]:
    """Readers of the field where its value stands side by side with one that can be read more easily."""
    mine = chains[field]
    others = {
        one.name: best[0].reader.expression
        for one, best in chains.items()
        if best and _varies(one, pages) and (not mine or best[0].cost < mine[0].cost)
    }
    readers: list[Reader] = []
    for sight in [one for one in pages if field.name in one.values][:_TEACHERS]:
        near = neighbours(sight.values, others, field)
        readers += beside(sight.lens, sight.values[field.name], field, near)
    if not _varies(field, pages) and not (mine and reads_by_name(mine[0].reader.expression, field)):
        readers = [one.dearer(-_TEMPLATE) for one in readers]
    return judged(readers, field, pages)


def _varies(field: Field, pages: list[Sight]) -> bool:
    """Whether pages differ in this field; one page is no evidence that they do not."""
    said = [repr(sight.values[field.name]) for sight in pages if field.name in sight.values]
    return len(said) < 2 or len(set(said)) > 1


def carrier(expression: Expression) -> str:
    """The carrier that an expression reads from."""
    read = innermost(expression)
    method = read.method if isinstance(read, Read) else ""
    if method.startswith("json"):
        return "json"
    if method in BY_KEY:
        return "meta"
    return "label" if method in BY_LABEL else "attribute" if method.startswith("attr") else "text"


def candidate(brief: Brief, origin: str, carriers: frozenset[str]) -> Candidate:
    """The induced plan as a candidate."""
    induced = induce(brief, carriers)
    return from_plan(induced.plan, brief.family, origin, induced.notes)
