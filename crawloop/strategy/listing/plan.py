"""From rows to a plan: the readers of every field, and which readings a row must have to count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from crawloop.extract.plan import FieldPlan, Plan, Rows
from crawloop.extract.reading import Apply, Expression, Read, printed
from crawloop.model.kind import Schema
from crawloop.strategy.listing.fields import Found, read_field
from crawloop.strategy.listing.rows import Root
from crawloop.strategy.listing.table import Row, table
from crawloop.strategy.listing.text import pattern_of

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
    mine = [row for row in rows if row.record is not None]
    others = [row for row in rows if row.record is None and row.sheet.complete]
    found = {field.name: read_field(mine, field) for field in schema.fields}
    fields = {name: one.plan for name, one in found.items() if one.plan is not None}
    if not fields:
        return None
    keep = _keep(mine, others, fields)
    left = [row for row in others if _kept(row, keep)]
    spare = sum(one.doubtful for one in {id(row.sheet): row.sheet for row in left}.values())
    lost = [row for row in mine if not _kept(row, keep)]
    worth = _worth(root, found, max(len(left) - spare, 0), len(lost), bool(keep))
    notes = {name: one.notes for name, one in found.items() if one.notes}
    notes["rows"] = (
        f"reads {printed(root.select, 'page')}: {len(mine) - len(lost)} records, "
        f"{len(left)} other rows, {root.missing} missing",
    )
    return Listed(Plan(fields, Rows(root.select, keep)), worth, notes)


def _worth(root: Root, found: dict[str, Found], extras: int, lost: int, keep: bool) -> float:
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
    )


def _kept(row: Row, keep: Sequence[Expression]) -> bool:
    return all(row.read(one) is not None for one in keep)


def _keep(mine: Sequence[Row], others: Sequence[Row], fields: dict[str, FieldPlan]) -> tuple[Expression, ...]:
    """The fewest readings that all records have and the other rows have not."""
    if not others:
        return ()
    tests = []
    for expression, cost in _tests(mine, fields):
        if all(row.read(expression) is not None for row in mine):
            passed = frozenset(number for number, row in enumerate(others) if row.read(expression) is not None)
            if len(passed) < len(others):
                tests.append((passed, cost, expression))
    best: tuple[Expression, ...] = ()
    lowest = (len(others), 0.0)
    for size in (1, 2):
        for chosen in combinations(sorted(tests, key=lambda one: (len(one[0]), one[1]))[:12], size):
            left = frozenset.intersection(*(one[0] for one in chosen))
            rank = (len(left), sum(one[1] for one in chosen) + size)
            if rank < lowest:
                best, lowest = tuple(one[2] for one in chosen), rank
    return best


def _tests(mine: Sequence[Row], fields: dict[str, FieldPlan]) -> Iterator[tuple[Expression, float]]:
    """Readings that may tell a record: the fields' own, links, and texts of one shape."""
    fields = {
        name: plan
        for name, plan in fields.items()
        if "preceding" not in printed(plan.expression) and "page." not in printed(plan.expression, "row")
    }
    for plan in fields.values():
        yield plan.expression, 0.3
        if len(plan.readers) > 1:
            yield plan.readers[0], 0.3
    for plan in fields.values():
        texts = [got for row in mine if isinstance(got := row.read(plan.expression), str)]
        pattern = pattern_of(list(dict.fromkeys(texts))[:400]) if len(texts) == len(mine) else None
        if pattern:
            yield Apply("match", (plan.expression,), (f"^({pattern})$",)), 0.3
    yield Read("attr", ("a[href]", "href")), 0.32
    for tag in ("td", "a", "p", "h2", "h3", "h4", "li", "strong", "b", "span"):
        yield Read("css_first", (tag,)), 0.5
    for place in range(1, 8):
        yield Read("css_first", (f"td:nth-child({place})",)), 0.2
        yield Read("text", (f"td:nth-child({place})",)), 0.35
