"""One call to a model for a map of fields to JSON paths, which becomes a program only where the truth bears it out.

For values that stand in the page's JSON in another form: scaled, coded, put together. A field that is wrong on any
sample is left out; a map of which nothing holds is declined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from inspect import signature
from typing import Any

from crawloop.brief.answer import jsons
from crawloop.brief.prompt import described, load
from crawloop.brief.samples import islands_of, shown
from crawloop.contract import Brief, Completer
from crawloop.errors import StrategyDeclined
from crawloop.extract import transforms
from crawloop.extract.plan import FieldPlan, Plan, Rows
from crawloop.extract.reading import Apply, Expression, Read, Several, Table
from crawloop.model.candidate import Candidate
from crawloop.model.truth import Sample
from crawloop.strategy.jsonpath import converted
from crawloop.strategy.judging.proof import prove
from crawloop.strategy.plans.emit import from_plan

_ROOM = 40_000
_SAMPLES = 3
Notes = dict[str, tuple[str, ...]]


class PathMap:
    """Asks once a run, in the first round."""

    name = "path-map"
    needs_model = True

    def __init__(self, completer: Completer) -> None:
        self._completer = completer

    async def propose(self, brief: Brief) -> Sequence[Candidate]:
        """One candidate. Raises StrategyDeclined where no map holds, CompletionError from the completer."""
        if brief.model is None or brief.number > 1:
            raise StrategyDeclined("a map is asked for once, in the first round" if brief.model else "no model")
        samples = [sample for sample in brief.samples if sample.truth]
        if not any(islands_of(sample, _ROOM) for sample in samples):
            raise StrategyDeclined("the pages carry no JSON")
        pages = shown(samples[:_SAMPLES], _ROOM, islands_of)
        slots = {"functions": transforms.reference(), "fields": described(brief.schema), "samples": pages}
        told = await load("path_map").ask(self._completer, brief.model, slots)
        plan, notes = plan_of(told.text, brief)
        return (replace(_proven(plan, notes, brief, samples), answer=told.key),)


def _proven(plan: Plan, notes: Notes, brief: Brief, samples: Sequence[Sample]) -> Candidate:
    """The plan cut down to the fields that hold. Raises StrategyDeclined where none does."""
    proof = prove(plan, samples, brief.schema)
    if proof.miscounted:
        raise StrategyDeclined(f"the map gives another number of records on {', '.join(proof.miscounted)}")
    kept = proof.holding
    if not kept:
        wrong = ", ".join(sorted(proof.wrong)) or "nothing read"
        raise StrategyDeclined(f"no field of the map holds on the samples (wrong: {wrong})")
    said = {name: note for name, note in notes.items() if name in kept}
    return replace(from_plan(plan.only(kept), brief.family, PathMap.name, said), model=brief.model)


def plan_of(answer: str, brief: Brief) -> tuple[Plan, Notes]:
    """The plan that an answer describes, and a note for each field. Raises StrategyDeclined."""
    found = next((one for one in jsons(answer) if isinstance(one, dict) and isinstance(one.get("fields"), dict)), None)
    if found is None:
        raise StrategyDeclined('the answer holds no JSON object with "fields"')
    rows = found.get("rows")
    fields: dict[str, FieldPlan] = {}
    notes: Notes = {}
    try:
        select = Rows(Read("json_rows", (converted(rows),), "page")) if isinstance(rows, str) and rows else None
    except ValueError as error:
        raise StrategyDeclined(f"the path of the rows cannot be used: {error}") from error
    for name, entry in found["fields"].items():
        if name not in brief.schema.names or not isinstance(entry, dict):
            continue
        try:
            fields[name] = FieldPlan((_reading(entry, brief.schema[name].many, relative=select is not None),))
            notes[name] = (f"mapped by {brief.model}: {entry.get('path') or entry.get('paths')}",)
        except (ValueError, KeyError, TypeError) as error:
            notes[name] = (f"not usable: {error}",)
    if not fields:
        why = "; ".join(f"{name}: {note}" for name, (note,) in notes.items()) or "it names no field of the schema"
        raise StrategyDeclined(f"no field of the answer can be used: {why}")
    return Plan(fields, select), notes


def _reading(entry: dict[str, Any], many: bool, *, relative: bool) -> Expression:
    """A field's expression. Raises ValueError, KeyError or TypeError where the entry makes no sense."""
    method = "json_all" if many else "json"
    paths = entry.get("paths") or [entry["path"]]
    if not all(isinstance(path, str) for path in paths):
        raise ValueError(f"{paths} are no paths")
    reads = tuple(Read(method, (converted(path, relative=relative),)) for path in paths)
    expression: Expression = reads[0] if len(reads) == 1 else Several(reads)
    for name, *args in entry.get("transform") or ():
        if name not in transforms.__all__:
            raise ValueError(f"there is no function {name}")
        signature(getattr(transforms, name)).bind(None, *args)
        expression = Apply(name, (expression,), tuple(_frozen(one) for one in args))
    return expression


def _frozen(value: Any) -> Any:
    """A JSON argument as a plan holds it. Raises TypeError for an object of objects."""
    if isinstance(value, dict):
        return Table(tuple((str(key), _plain(one)) for key, one in value.items()))
    return tuple(map(_plain, value)) if isinstance(value, list) else value


def _plain(value: Any) -> Any:
    if isinstance(value, dict | list):
        raise TypeError("arguments of a transform are plain values, or one level of a list or table")
    return value
