"""Texts that hold one code in every known row: where a later one holds several, nothing is cut out of it.

"24-101, Roe v. Doe"                  →  "24-101", "Roe v. Doe"
"24-102, 24-103, Poe v. Coe & a."     →  null: which of the codes is meant, and whether it is one, no row has told
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from crawloop.extract.plan import FieldPlan
from crawloop.extract.reading import Apply, Expression, Read, innermost, steps
from crawloop.extract.vocabulary.patterns import found, several
from crawloop.model.kind import Kind, Schema
from crawloop.strategy.listing.fields.table import Row
from crawloop.strategy.listing.fields.text import AFTER, BEFORE, pattern_of
from crawloop.strategy.shaping.shape import loosely

_CUTS = frozenset(("match", "split"))
_MOSTLY = 0.8  # rows with a code, of those that a reading speaks of


def told_once(fields: Mapping[str, FieldPlan], rows: Sequence[Row], schema: Schema) -> dict[str, FieldPlan]:
    """The plans of texts, with each reading that cuts its value out of a text with one code demanding that it has no
    other."""
    forms = list(dict.fromkeys(_forms(rows, schema)))
    texts = [one.name for one in schema.fields if one.kind is Kind.TEXT and not one.many and one.name in fields]
    asked = {name: tuple(_asked(one, forms, rows) for one in fields[name].readers) for name in texts}
    return {**fields, **{name: replace(fields[name], readers=readers) for name, readers in asked.items()}}


def _forms(rows: Sequence[Row], schema: Schema) -> Iterator[str]:
    """The patterns of the fields whose values are codes."""
    for field in schema.fields:
        if field.kind is Kind.TEXT and not field.many:
            known = [str(row.truth[field.name]) for row in rows if field.name in row.truth]
            if known and (form := pattern_of(known)):
                yield f"{BEFORE}(?:{form}){AFTER}"


def _asked(reader: Expression, forms: Sequence[str], rows: Sequence[Row]) -> Expression:
    """A reading that demands of its text that it holds one code."""
    text = innermost(reader)
    if not isinstance(text, Read) or not any(one.transform in _CUTS for one in steps(reader)):
        return reader
    pairs = [(raw, row.read(reader)) for row in rows if (raw := row.read(text)) is not None]
    if 2 * sum(loosely(str(raw)) == loosely(str(got)) for raw, got in pairs) > len(pairs):
        return reader  # the text is the value but for its signs: two codes may well be one value
    raws = [raw for raw, _ in pairs]
    form = next((one for one in forms if _is_always_one(one, raws)), None)
    return _within(reader, text, Apply("once", (text,), (form,))) if form else reader


def _is_always_one(form: str, raws: Sequence[object]) -> bool:
    """Whether these are texts of which none holds two codes, and most hold one."""
    if not raws or not all(isinstance(one, str) for one in raws):
        return False
    there = [one for one in map(str, raws) if found(form, one)]
    return len(there) >= _MOSTLY * len(raws) and not any(several(form, one) for one in there)


def _within(expression: Expression, text: Read, asked: Expression) -> Expression:
    if isinstance(expression, Apply) and len(expression.to) == 1:
        return replace(expression, to=(_within(expression.to[0], text, asked),))
    return asked if expression == text else expression
