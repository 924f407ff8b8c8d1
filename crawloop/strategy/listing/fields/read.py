"""How each field is read from the rows: readings learned from some of them, judged on all.

A reading that is wrong on more than a few rows is out: null is better than wrong. Of the rest the one that is right
most often comes first, with others to fall back on where it finds nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from crawloop import values
from crawloop.extract.plan import FieldPlan
from crawloop.extract.reading import Expression, innermost, printed
from crawloop.model.kind import Field, Kind
from crawloop.schemas.expect import shown
from crawloop.strategy.listing.fields.chain import Judged, chained
from crawloop.strategy.listing.fields.coded import coded
from crawloop.strategy.listing.fields.marked import marked
from crawloop.strategy.listing.fields.readings import Reading, above, around, once
from crawloop.strategy.listing.fields.shapes import shapes
from crawloop.strategy.listing.fields.table import Row, same
from crawloop.strategy.listing.sheet import spread
from crawloop.strategy.shaping.shape import Shape, loosely
from crawloop.strategy.shaping.typed import DATES

_TEACHERS = 8
_LEARNT_FROM = 60
_MOST_READINGS = 70
_FINALISTS = 14
_HOLDS = 0.3
_DEAR = 1.0
_SURPLUS = 0.3  # what it costs a reading that most of it has to be cut off


@dataclass(frozen=True, slots=True)
class Found:
    """A field's plan with notes; `chosen` is None where nothing reads it, `judged` are all readings, the best first."""

    plan: FieldPlan | None
    notes: tuple[str, ...]
    chosen: Judged | None = None
    judged: tuple[Judged, ...] = ()


def read_field(rows: Sequence[Row], field: Field) -> Found:
    """The readers of one field from rows that have records."""
    known = [number for number, row in enumerate(rows) if field.name in row.truth]
    if not known:
        return Found(None, ())
    best: list[Judged] = []
    for source in (_inside, _above, _once):
        best += _judged(list(source(rows, known, field)), rows, known, field)
        best.sort(key=lambda one: -one.worth(len(known)))
        if best and best[0].worth(len(known)) > 0.9:
            break
    best = sorted([*best, *_excepted(best, rows, known, field)], key=lambda one: -one.worth(len(known)))
    if not best or best[0].wrong or best[0].silent or best[0].cost >= _DEAR:
        more = [*_marked(best, rows, known, field), *_coded(rows, known, field)]
        best = sorted([*best, *more], key=lambda one: -one.worth(len(known)))
    return believed(best, rows, known, field)


def believed(best: Sequence[Judged], rows: Sequence[Row], known: Sequence[int], field: Field) -> Found:
    """What is made of these readings, the best first, of which the rows `known` tell the field."""
    chain = chained(best, len(known), linked=field.kind in (Kind.URL, *DATES) and len(known) == len(rows))
    if not chain:
        return Found(None, _left_out(best, rows, field))
    lines = [f"reads {printed(chain[0].expression, 'row')}: right on {len(chain[0].right)} of {len(known)} rows"]
    if chain[0].wrong:
        row = rows[min(chain[0].wrong)]
        lines.append(
            f"wrong on {len(chain[0].wrong)}: {shown(row.truth[field.name])} "
            f"is read as {shown(row.read(chain[0].expression))}"
        )
    return Found(FieldPlan(tuple(one.expression for one in chain)), tuple(lines), chain[0], tuple(best))


def _excepted(best: Sequence[Judged], rows: Sequence[Row], known: Sequence[int], field: Field) -> Iterator[Judged]:
    """The reading that is right most often after those that are right wherever it is wrong."""
    common = max(best, key=lambda one: len(one.right), default=None)
    if common is not None and len(odd := sorted(common.wrong)) > 1:
        for one in (*best, *_judged(list(_inside(rows, odd, field)), rows, known, field, odd)):
            if common.wrong <= one.right and not one.wrong and not one.spurious:
                yield one.before(common)


def _inside(rows: Sequence[Row], known: Sequence[int], field: Field) -> Iterator[Reading]:
    for number in spread(known, _TEACHERS):
        row = rows[number]
        yield from row.readings(field)


def _above(rows: Sequence[Row], known: Sequence[int], field: Field) -> Iterator[Reading]:
    for number in spread(known, _TEACHERS):
        row = rows[number]
        if row.span is not None:
            yield from around(row.sheet, row.span, row.value(field), field)
            yield from above(row.sheet, row.span, row.truth[field.name], field)


def _once(rows: Sequence[Row], known: Sequence[int], field: Field) -> Iterator[Reading]:
    said: dict[int, set[str]] = {}
    for number in known:
        said.setdefault(id(rows[number].sheet), set()).add(repr(rows[number].truth[field.name]))
    if any(len(one) > 1 for one in said.values()):
        return
    for number in spread(known, 3):
        yield from once(rows[number].sheet, rows[number].value(field))


def _marked(best: Sequence[Judged], rows: Sequence[Row], known: Sequence[int], field: Field) -> Iterator[Judged]:
    """The best readings with a word of the row where that makes them right everywhere."""
    others = [number for number in range(len(rows)) if field.name not in rows[number].truth]
    for plain in best[:_FINALISTS]:
        for one in marked(plain.expression, rows, known, field):
            made = judge(one.expression, plain.cost + one.cost, rows, known, others, field)
            if not made.wrong:
                yield made


def _coded(rows: Sequence[Row], known: Sequence[int], field: Field) -> Iterator[Judged]:
    others = [number for number in range(len(rows)) if field.name not in rows[number].truth]
    for one in coded(rows, known, field):
        yield judge(one.expression, one.cost, rows, known, others, field)


def _judged(
    readings: Iterable[Reading], rows: Sequence[Row], known: Sequence[int], field: Field, taught: Sequence[int] = ()
) -> list[Judged]:
    """The readings with the shapes that fit them, judged on a part of the rows first, on those that are to be `taught`
    if any, and the best on all."""
    cheapest: dict[Expression, Reading] = {}
    for one in readings:
        if one.expression not in cheapest or one.cost < cheapest[one.expression].cost:
            cheapest[one.expression] = one
    ranked = sorted(cheapest.values(), key=lambda one: one.cost)[:_MOST_READINGS]
    part = spread(taught or known, _LEARNT_FROM)
    others = [number for number in range(len(rows)) if field.name not in rows[number].truth]
    some = [one for reading in ranked for one in _shaped(reading, rows, part, others, field)]
    some.sort(key=lambda one: -one.worth(len(part)))
    found = [judge(one.expression, one.cost, rows, known, others, field) for one in some[:_FINALISTS]]
    best = max(found, key=lambda one: one.worth(len(known)), default=None)
    if best is not None and (odd := best.wrong.difference(part)):
        # the few rows that are different were not among those from which shapes were learned
        same_place = [one for one in ranked if innermost(one.expression) == innermost(best.expression)]
        more = [one for reading in same_place for one in _shaped(reading, rows, [*part, *sorted(odd)], others, field)]
        found += [judge(one.expression, one.cost, rows, known, others, field) for one in more]
    return found


def _shaped(
    reading: Reading, rows: Sequence[Row], part: Sequence[int], others: Sequence[int], field: Field
) -> list[Judged]:
    """The best two shapes of a reading on a part of the rows, those too that truth says in other signs."""
    pairs = [
        (raw, rows[number].truth[field.name])
        for number in part
        if (raw := rows[number].read(reading.expression)) is not None
    ]
    if not pairs or len(pairs) * 4 < len(part) or _too_long(pairs) or not _may_hold(pairs, field):
        return []
    reading = replace(reading, cost=reading.cost + _SURPLUS * _surplus(pairs))
    said = [number for number in others if field.name in rows[number].said][:_LEARNT_FROM]
    near = [number for number in said if _stands_in(rows[number].read(reading.expression), rows[number], field)]
    pairs += [(rows[number].read(reading.expression), rows[number].said[field.name]) for number in near]
    tried = [_judge(shape, reading, rows, part, near, field) for shape in shapes(pairs, field, reading.carrier)]
    return sorted((one for one in tried if one.right), key=lambda one: -one.worth(len(part)))[:2]


def _judge(
    shape: Shape, reading: Reading, rows: Sequence[Row], known: Sequence[int], others: Sequence[int], field: Field
) -> Judged:
    return judge(shape.on(reading.expression), reading.cost + shape.cost, rows, known, others, field)


def judge(
    expression: Expression, cost: float, rows: Sequence[Row], known: Sequence[int], others: Sequence[int], field: Field
) -> Judged:
    right, wrong, silent, unlike = set(), set(), set(), 0
    most_wrong = 0.34 * len(known) + 1
    for number in known:
        row = rows[number]
        got = row.read(expression)
        if values.is_blank(got):
            silent.add(number)
        elif same(got, row.truth[field.name], field, row.sheet.url):
            right.add(number)
            unlike += isinstance(got, str) and str(row.truth[field.name]).split() != got.split()
        else:
            wrong.add(number)
            if len(wrong) > most_wrong:
                break
    spurious = 0
    for number in others:
        got = rows[number].read(expression)
        if values.is_blank(got):
            continue
        said = rows[number].said.get(field.name)
        if said is not None and same(got, said, field, rows[number].sheet.url):
            right.add(number)
        elif said is None:
            spurious += 1
    return Judged(expression, cost, frozenset(right), frozenset(wrong), frozenset(silent), spurious, unlike)


def _too_long(pairs: Sequence[tuple[Any, Any]]) -> bool:
    """Whether the readings are of much more than the values: of a whole page where a line was wanted."""
    read, wanted = (sum(len(str(pair[side])) for pair in pairs) for side in (0, 1))
    return read > 1500 * len(pairs) + 3 * wanted


def _surplus(pairs: Sequence[tuple[Any, Any]]) -> float:
    """The share of what is read that is not wanted."""
    read, wanted = (sum(len(str(pair[side])) for pair in pairs) for side in (0, 1))
    return max(0.0, 1 - wanted / read) if read else 0.0


def _may_hold(pairs: Sequence[tuple[Any, Any]], field: Field) -> bool:
    """A cheap look before shapes are tried: whether letters and digits of the values are there."""
    if field.kind not in (Kind.TEXT, Kind.URL) or field.many:
        return True
    hits = 0
    for raw, value in pairs:
        there, wanted = loosely(str(raw)), loosely(str(value).removeprefix("https:").removeprefix("http:"))
        hits += wanted in there or (len(there) > 0 and there in wanted) or len(there) <= 24
    return hits >= _HOLDS * len(pairs)


def _stands_in(raw: Any, row: Row, field: Field) -> bool:
    """Whether the letters of what is said of a row are in a text."""
    return field.kind is Kind.TEXT and isinstance(raw, str) and loosely(str(row.said[field.name])) in loosely(raw)


def _left_out(best: Sequence[Judged], rows: Sequence[Row], field: Field) -> tuple[str, ...]:
    if not best:
        return ("no reading of the rows gives this value",)
    one = best[0]
    lines = [
        f"left out: the nearest, {printed(one.expression, 'row')}, "
        f"is right on {len(one.right)} and wrong on {len(one.wrong)} rows"
    ]
    if one.wrong:
        row = rows[min(one.wrong)]
        lines.append(f"{shown(row.truth[field.name])} is read as {shown(row.read(one.expression))}")
    return tuple(lines)
