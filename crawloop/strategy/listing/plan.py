"""From rows to a plan: the readers of every field, and which readings a row must have to count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crawloop.extract.plan import FieldPlan, Plan, Rows
from crawloop.extract.reading import Expression, printed
from crawloop.model.kind import Schema
from crawloop.strategy.listing.fields import Found, read_field
from crawloop.strategy.listing.keep import keeping, kept
from crawloop.strategy.listing.rows import Root
from crawloop.strategy.listing.table import Row, table

_EXTRA = 1.5


@dataclass(frozen=True, slots=True)
class Listed:
    """A plan with rows. `worth` is what it reads right less what it reads wrong, as a share of all known values."""

    plan: Plan
    worth: float
    notes: dict[str, tuple[str, ...]]


def listed(root: Root, schema: Schema) -> Listed | None:
    """The plan for one set of rows; None where no field can be read."""
    rows = table(root)
    mine, others, found, keep = _kept_rows(rows, schema)
    if any(not kept(row, keep) for row in mine):
        _exchange(mine, others, keep)
        mine, others, found, keep = _kept_rows(rows, schema)
    fields = _plans(found)
    if not fields:
        return None
    left = [row for row in others if kept(row, keep)]
    spare = _spare(left)
    lost = [row for row in mine if not kept(row, keep)]
    worth = _worth(root, found, max(len(left) - spare, 0), len(lost), len(keep))
    notes = {name: one.notes for name, one in found.items() if one.notes}
    notes["rows"] = (
        f"reads {printed(root.select, 'page')}: {len(mine) - len(lost)} records, "
        f"{len(left)} other rows, {root.missing} missing",
    )
    return Listed(Plan(fields, Rows(root.select, keep)), worth, notes)


def _kept_rows(
    rows: Sequence[Row], schema: Schema
) -> tuple[list[Row], list[Row], dict[str, Found], tuple[Expression, ...]]:
    """The rows of records, the others, how each field is read and which rows count."""
    mine = [row for row in rows if row.record is not None]
    others = [row for row in rows if row.record is None and row.sheet.complete]
    found = {field.name: read_field(mine, field) for field in schema.fields}
    return mine, others, found, keeping(mine, others, _plans(found), _spare(others))


def _spare(rows: Sequence[Row]) -> int:
    """How many of these rows may be records of which most stands nowhere."""
    return sum(sheet.doubtful for sheet in {id(row.sheet): row.sheet for row in rows}.values())


def _plans(found: dict[str, Found]) -> dict[str, FieldPlan]:
    return {name: one.plan for name, one in found.items() if one.plan is not None}


def _exchange(mine: Sequence[Row], others: Sequence[Row], keep: Sequence[Expression]) -> None:
    """Gives each record whose row does not count the row that does and holds it as well."""
    for row in mine:
        if not kept(row, keep):
            rival = next(
                (one for one in others if one.rival == row.record and one.sheet is row.sheet and kept(one, keep)), None
            )
            if rival is not None:
                rival.be(row.record)
                row.be(None)


def _worth(root: Root, found: dict[str, Found], extras: int, lost: int, tests: int) -> float:
    known = sum(len(one.sheet.keys[number]) for one in root.tables for number in range(len(one.sheet.records))) or 1
    right = sum(len(one.chosen.right) - 3 * len(one.chosen.wrong) for one in found.values() if one.chosen)
    cost = sum(one.chosen.cost for one in found.values() if one.chosen) / max(len(found), 1)
    records = sum(len(one.sheet.records) for one in root.tables) or 1
    uneven = (extras + lost + root.missing) / records
    return (
        right / known
        - _EXTRA * min(uneven, 1.0)
        - 0.15 * bool(extras + lost + root.missing)
        + 0.3 * root.cover / known
        - 0.03 * cost
        - 0.02 * root.cost
        - 0.01 * tests
    )
