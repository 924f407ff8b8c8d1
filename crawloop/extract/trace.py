"""A plan traced: a plan of its own, whose program gives for each field what every reader says beside what it read.

Being a plan it is printed, admitted and run like any other, and nothing of a page is read outside of the sandbox.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from crawloop.extract.plan import FieldPlan, Plan
from crawloop.extract.reading import Absolute, Apply, Expression, Several, printed
from crawloop.extract.vocabulary.plain import as_text, comparable, flat, shortened

_ENOUGH = r"(\S[\s\S]{0,199})"  # a result has a limit: of each text no more is asked for than is shown


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value comes from: the reading as it is printed, what it read, the transforms in their order.

    `reader` counts from 1 in a chain `of` so many.
    """

    path: str
    snippet: str
    transform: tuple[str, ...]
    reader: int
    of: int


def traced(plan: Plan) -> Plan:
    """The plan whose records hold, for each field, [[a reader's value, what it read], …]."""
    return replace(plan, fields={name: FieldPlan((_pairs(one),)) for name, one in plan.fields.items()})


def _pairs(field: FieldPlan) -> Expression:
    read = (Apply("match", (_unfolded(one)[0],), (_ENOUGH,)) for one in field.readers)
    return Several(tuple(Several(pair) for pair in zip(field.readers, read, strict=True)))


def origin(plan: Plan, name: str, told: Sequence[Sequence[Any]], value: Any) -> Origin | None:
    """Which reader gave `value`, of what the traced plan told of the field; None where none did."""
    field = plan.fields[name]
    row = "page" if plan.rows is None else "row"
    for number, (reader, (said, read)) in enumerate(zip(field.readers, told, strict=True), 1):
        if said is not None and comparable(said) == comparable(value):
            inner, around = _unfolded(reader)
            texts = [as_text(one) for one in flat([read]) if one is not None]
            path = " ".join(printed(inner, row).split())
            return Origin(path, shortened(" | ".join(texts)), around, number, len(field.readers))
    return None


def _unfolded(expression: Expression) -> tuple[Expression, tuple[str, ...]]:
    """The reading in an expression, and the transforms around it, as printed without it, the first one first."""
    around: list[str] = []
    while isinstance(expression, Absolute) or (isinstance(expression, Apply) and len(expression.to) == 1):
        if isinstance(expression, Absolute):
            around.append("page.absolute")
            expression = expression.link
        else:
            around.append(" ".join(printed(replace(expression, to=())).split()))
            expression = expression.to[0]
    return expression, tuple(reversed(around))
