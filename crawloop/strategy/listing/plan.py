"""From rows to a plan: the readers of every field, and which readings a row must have to count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from crawloop.extract.plan import FieldPlan, Plan, Rows
from crawloop.extract.reading import Apply, Expression, Read, printed
from crawloop.model.kind import Schema
from crawloop.strategy.judging.alone import demanding
from crawloop.strategy.judging.notes import by_its_name
from crawloop.strategy.listing.counting.keep import Counting, counting, spare_in
from crawloop.strategy.listing.counting.parts import furnished
from crawloop.strategy.listing.fields.codes import told_once
from crawloop.strategy.listing.fields.guarded import guarded
from crawloop.strategy.listing.fields.read import Found, read_field
from crawloop.strategy.listing.fields.rivals import told_apart
from crawloop.strategy.listing.fields.table import Row, table
from crawloop.strategy.listing.rows.alignment import Root
from crawloop.strategy.plans.named import named

_EXTRA = 1.5
_SHARED = 0.05  # what it costs that two fields have one reading: other rows may tell them apart


@dataclass(frozen=True, slots=True)
class Listed:
    """A plan with rows. `worth` is what it reads right less what it reads wrong, as a share of all known values.

    `wary` are other readings of fields that are wrong on some row: they say nothing there.
    """

    plan: Plan
    worth: float
    notes: dict[str, tuple[str, ...]]
    wary: Mapping[str, FieldPlan]


def listed(root: Root, schema: Schema) -> Listed | None:
    """The plan for one set of rows; None where no field can be read."""
    rows = table(root)
    found, counts = _told(rows, schema)
    if _exchanged(rows, counts):
        found, counts = _told(rows, schema)
    fields = _plans(found)
    if not fields:
        return None
    counted = counts.of(rows)
    mine = [row for row in counted if row.record is not None]
    left = [row for row in counted if row.record is None and row.sheet.complete]
    lost = sum(row.record is not None for row in rows) - len(mine)
    worth = _worth(root, found, max(len(left) - spare_in(left), 0), lost, counts.tests)
    notes = {name: one.notes for name, one in found.items() if one.notes}
    notes["rows"] = (
        f"reads {printed(root.select, 'page')}: {len(mine)} records, {len(left)} other rows, {root.missing} missing",
    )
    parts = furnished(mine, fields) if root.method != "json_rows" else ()
    unknown = [one for one in schema.fields if not any(one.name in row.said for row in mine)]
    for name, one in named(unknown, fields, schema, mine).items():
        fields[name], notes[name] = one, (by_its_name(one, "row"),)
    wary = guarded(found, [row for row in rows if row.record is not None], schema)
    fields, wary = (
        {name: demanding(one, counted) for name, one in told_once(some, mine, schema).items()}
        for some in (fields, wary)
    )
    plan = Plan(fields, Rows(_select(root, counted, counts), counts.keep + parts, counts.key))
    return Listed(plan, worth, notes, wary)


def _select(root: Root, counted: Sequence[Row], counts: Counting) -> Expression:
    """How the rows are found; by their tags alone where no element has the names of the samples any more.

    Only where tests tell a row, and give these very rows on the samples.
    """
    if root.method != "css" or not counts.keep or not counted:
        return root.select
    sheets = [one.sheet for one in root.tables]
    lead = max(root.tables, key=lambda one: len(one.spans))
    dom, number = lead.sheet.index.dom, lead.spans[0].first
    tag, above = dom.tags[number], dom.tags[dom.parents[number]]
    for css in (f"{above} > {tag}", tag) if root.target != tag else ():
        found = counts.of([Row(one.elements[place], one, None, None) for one in sheets for place in one.find(css)])
        if css != root.target and [row.thing for row in found] == [row.thing for row in counted]:
            return Apply("first", (root.select, Read("css", (css,), "page")))
    return root.select


def _told(rows: Sequence[Row], schema: Schema) -> tuple[dict[str, Found], Counting]:
    """How each field is read, and which rows count."""
    mine = [row for row in rows if row.record is not None]
    others = [row for row in rows if row.record is None and row.sheet.complete]
    found = told_apart({field.name: read_field(mine, field) for field in schema.fields}, mine, schema)
    return found, counting(mine, others, _plans(found))


def _plans(found: dict[str, Found]) -> dict[str, FieldPlan]:
    return {name: one.plan for name, one in found.items() if one.plan is not None}


def _exchanged(rows: Sequence[Row], counts: Counting) -> bool:
    """Whether records whose row does not count got one that does and holds them as well, or has their key."""
    counted = counts.of(rows)
    free = [row for row in counted if row.record is None]
    there = set(map(id, counted))
    lost = [row for row in rows if row.record is not None and id(row) not in there] if free else []
    for row in lost:
        one = next((one for one in free if one.sheet is row.sheet and counts.alike(one, row)), None)
        if one is not None:
            one.be(row.record)
            row.be(None)
    return bool(lost)


def _worth(root: Root, found: dict[str, Found], extras: int, lost: int, tests: int) -> float:
    known = sum(len(one.sheet.keys[number]) for one in root.tables for number in range(len(one.sheet.records))) or 1
    chosen = [one.chosen for one in found.values() if one.chosen]
    cost = sum(one.cost for one in chosen) / max(len(found), 1)
    right = sum(len(one.right) - 3 * len(one.wrong) for one in chosen)
    shared = len(chosen) - len({one.expression for one in chosen})
    records = sum(len(one.sheet.records) for one in root.tables) or 1
    uneven = (extras + lost + root.missing) / records
    return (
        right / known
        - _EXTRA * min(uneven, 1.0)
        - 0.15 * bool(extras + lost + root.missing)
        + 0.3 * root.cover / known
        - 0.03 * cost
        - 0.03 * root.cost
        - 0.01 * tests
        - _SHARED * shared
    )
