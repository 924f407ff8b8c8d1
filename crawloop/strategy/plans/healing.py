"""What is left of the active version on the pages of today, reader by reader."""

from __future__ import annotations

from collections.abc import Sequence

from crawloop import values
from crawloop.carriers.reading_names import is_in_the_head, reads_by_name
from crawloop.extract.plan import FieldPlan, Plan
from crawloop.extract.reading import Expression, innermost, json_path
from crawloop.model.family import Version
from crawloop.model.kind import Field, Schema
from crawloop.strategy.judging.alone import lenient
from crawloop.strategy.judging.judgement import Sight, empty


def standing(active: Version | None) -> dict[str, tuple[Expression, ...]]:
    """The readers of the active version by field, each of the first match; none where nobody kept its plan, or where it
    reads rows."""
    plan = _plan_of(active)
    if plan is None or plan.rows is not None:
        return {}
    return {name: tuple(map(lenient, one.readers)) for name, one in plan.fields.items()}


def reads_pages(active: Version | None) -> bool:
    """Whether the active version takes each page for one record, and reads no rows."""
    plan = _plan_of(active)
    return plan is not None and plan.rows is None


def _plan_of(active: Version | None) -> Plan | None:
    try:
        return Plan.loads(active.plan) if active is not None and active.plan is not None else None
    except ValueError:
        return None


def by_name(active: Version, schema: Schema) -> frozenset[str]:
    """The fields that the active version reads first from a place of the page's data that is named after them."""
    first = {name: readers[0] for name, readers in standing(active).items() if readers and name in schema.names}
    return frozenset(name for name, reader in first.items() if _is_data(reader) and reads_by_name(reader, schema[name]))


def _is_data(reader: Expression) -> bool:
    read = innermost(reader)
    return is_in_the_head(read) or json_path(read) is not None


def still(readers: Sequence[Expression], field: Field, pages: Sequence[Sight]) -> FieldPlan | None:
    """The readers of a field that no page knows any more, where they still give values of its kind on most pages."""
    kept = tuple(one for one in readers if _serves(one, field, pages))
    return FieldPlan(kept) if kept else None


def _serves(reader: Expression, field: Field, pages: Sequence[Sight]) -> bool:
    given = [(sight, sight.lens.read(reader)) for sight in pages if field.name not in sight.absent]
    there = [(sight, value) for sight, value in given if not empty(value)]
    of_kind = all(values.normalise(value, field, base=sight.lens.url) is not None for sight, value in there)
    return bool(there) and 2 * len(there) >= len(given) and of_kind
