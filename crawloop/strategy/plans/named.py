"""Fields that no sample teaches, read by a label or heading of their name, where that is how the site calls fields.

    taught     opened   date(page.labelled("Opened"))   untaught   closed   date(page.labelled("closed"))
               owner    page.labelled("Owner")

None of the samples was closed; others may be. Where a sample has something under the name, and nobody said that it is
the field's, it is another thing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from crawloop import values
from crawloop.carriers.naming import affinity
from crawloop.extract.plan import FieldPlan
from crawloop.extract.reading import Apply, Expression, Read, innermost
from crawloop.model.kind import Field, Kind, Schema
from crawloop.strategy.judging.alone import Readable
from crawloop.strategy.shaping.shape import Shape, Step, step
from crawloop.strategy.shaping.typed import DATES, TYPED, conversions

_CUSTOM = 2  # words of names by which fields are called, after which others are taken to be
_CALLED = {"labelled": "labelled", "tail": "labelled", "column": "column"}


def named(
    unknown: Sequence[Field], plans: Mapping[str, FieldPlan], schema: Schema, places: Sequence[Readable]
) -> dict[str, FieldPlan]:
    """Plans for those of these fields that can be read so; nobody speaks of them in `places`, the pages or rows."""
    found = {}
    for method, others in _customs(plans, schema).items():
        for field in unknown if sum(len(one.split("_")) for one in others) >= _CUSTOM else ():
            shape = _shape(field, others, schema)
            read = Read(method, (field.name.replace("_", " "),))
            if shape is not None and all(values.is_blank(one.read(read)) for one in places):
                found[field.name] = FieldPlan((shape.on(read),))
    return found


def _customs(plans: Mapping[str, FieldPlan], schema: Schema) -> dict[str, dict[str, Expression]]:
    """By method the readings that find a field by its very name."""
    found: dict[str, dict[str, Expression]] = defaultdict(dict)
    for name, plan in plans.items():
        read = innermost(plan.readers[0])
        method = _CALLED.get(read.method) if isinstance(read, Read) and read.args else None
        if method and isinstance(read, Read) and affinity(schema[name], str((read.args or ("",))[0])) == 1.0:
            found[method][name] = plan.readers[0]
    return found


def _shape(field: Field, others: Mapping[str, Expression], schema: Schema) -> Shape | None:
    """What makes a value of the field's kind of a text; a date is written as those of the others are."""
    if field.many or (field.kind is not Kind.TEXT and field.kind not in TYPED):
        return None
    if field.kind in DATES:
        alike = (one for name, one in others.items() if schema[name].kind in DATES and isinstance(one, Apply))
        return Shape((_dated(field, next(alike, None)),))
    return Shape(tuple(one for one, _ in [*conversions(field)][:1]))


def _dated(field: Field, alike: Apply | None) -> Step:
    name = "date" if field.kind is Kind.DATE else "datetime"
    if alike is None or alike.transform not in ("date", "datetime"):
        return step(name, order="either")
    return name, (), alike.named
