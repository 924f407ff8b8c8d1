"""What a row must have to be a record's, whatever it says: elsewhere a remark or a pager may stand among the rows.

first(row.text("b"), row.link("a"))                        one of the parts that all records have
enough(row.text("b"), row.link("a"), date(…), …, least=2)  half of the many values that all records say
"""

from __future__ import annotations

from collections.abc import Sequence

from crawloop.extract.plan import FieldPlan
from crawloop.extract.reading import Apply, Expression, Read, innermost, printed, steps
from crawloop.strategy.listing.fields.table import Row

_MANY = 20  # rows that all have a part: one without it is none, whatever it says
_MUCH = 4  # values that all records say: a row that says less than half of them, and lacks a part, is none


def furnished(mine: Sequence[Row], fields: dict[str, FieldPlan]) -> tuple[Expression, ...]:
    """The tests that a row has one of the parts that all records have, and that it says half of the many values that
    all of them say or has all of their parts.

    What a part says does not matter by itself: a code of a new form is no reason to lose its record.
    """
    plans = of_rows(fields)
    reads = {plan: [read for one in plan.readers if isinstance(read := innermost(one), Read)] for plan in plans}
    said = _always([plan.expression for plan in plans], mine)
    there = _always([one for plan in plans for one in reads[plan]], mine)
    tests = (_says(said, there),) if len(said) >= _MUCH and there else ()
    parted = [plan for plan in plans if reads[plan] and all(one.args and one.args[0] for one in reads[plan])]
    if len(parted) < len(plans) and len(mine) < _MANY:
        return tests  # what the row itself says may be all that a record has
    if tests and len(parted) == len(plans):
        return tests  # what says half of them has one of the parts
    parts = _always([one for plan in parted for one in reads[plan]], mine)
    return (*((Apply("first", parts),) if len(parts) > 1 else parts), *tests)


def _says(said: Sequence[Expression], parts: Sequence[Expression]) -> Expression:
    plainest = sorted(said, key=lambda one: len(list(steps(one))))
    half = Apply("enough", tuple(plainest), named=(("least", (len(said) + 1) // 2),))
    return Apply("first", (half, Apply("enough", tuple(parts), named=(("least", len(parts)),))))


def _always(readings: Sequence[Expression], rows: Sequence[Row]) -> tuple[Expression, ...]:
    """Those that say something of every row, each once."""
    return tuple(one for one in dict.fromkeys(readings) if all(row.read(one) is not None for row in rows))


def of_rows(fields: dict[str, FieldPlan]) -> list[FieldPlan]:
    """The plans that read what stands in the row itself."""
    return [
        plan
        for plan in fields.values()
        if "preceding" not in printed(plan.expression) and "page." not in printed(plan.expression, "row")
    ]
