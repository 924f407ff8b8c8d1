"""The rows of a listing with their records, every reading of a row made once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from crawloop import values
from crawloop.extract.reading import Apply, Expression, Literal, evaluate
from crawloop.extract.view import JsonNode
from crawloop.model.kind import Field
from crawloop.model.page import Record
from crawloop.strategy.listing.fields.objects import in_object
from crawloop.strategy.listing.fields.readings import Reading, inside
from crawloop.strategy.listing.rows.alignment import Root, Span
from crawloop.strategy.listing.sheet import Sheet, Value, key


class Row:
    """A row of a sheet. `truth` is its record's values, empty where it is no record's, `said` also those that
    stand nowhere for sure; `span` is where the row stands. `rival` is the record that it holds as well as the
    record's own row does."""

    def __init__(
        self, thing: Any, sheet: Sheet, record: int | None, span: Span | None, rival: int | None = None
    ) -> None:
        self.thing = thing
        self.sheet = sheet
        self.span = span
        self.rival = rival
        self.be(record)
        self._known: dict[Expression, Any] = {}

    def be(self, record: int | None) -> None:
        """Makes this the row of a record, or of none."""
        sheet = self.sheet
        self.record = record
        self.truth: Record = sheet.records[record] if record is not None else {}
        self.said: Record = sheet.said[record] if record is not None else {}

    def value(self, field: Field) -> Value:
        return key(field.name, self.truth[field.name])

    def readings(self, field: Field) -> Iterator[Reading]:
        """Ways to the places of the field's value in this row."""
        if self.span is not None:
            yield from inside(self.sheet, self.span, self.value(field), field)
        elif isinstance(self.thing, JsonNode):
            yield from in_object(self.thing.json(""), self.truth[field.name], field)

    def read(self, expression: Expression) -> Any:
        """What an expression gives on this row; None where a transform cannot take what it is given."""
        if expression not in self._known:
            self._known[expression] = self._evaluated(expression)
        return self._known[expression]

    def _evaluated(self, expression: Expression) -> Any:
        try:
            if isinstance(expression, Apply) and len(expression.to) == 1:
                whole = Apply(
                    expression.transform, (Literal(self.read(expression.to[0])),), expression.args, expression.named
                )
                return evaluate(whole, self.thing, self.sheet.view)
            return evaluate(expression, self.thing, self.sheet.view)
        except (ValueError, TypeError, AttributeError, OverflowError):
            return None


def table(root: Root) -> list[Row]:
    """All rows that a root finds, those without a record too."""
    found = []
    for one in root.tables:
        things = evaluate(root.select, one.sheet.view, one.sheet.view)
        spans: tuple[Span | None, ...] = one.spans or (None,) * len(things)
        found += [
            Row(thing, one.sheet, record, span, rival)
            for thing, record, span, rival in zip(things, one.records, spans, one.rivals, strict=True)
        ]
    return found


def same(got: Any, value: Any, field: Field, base: str) -> bool:
    """Whether a reader's value is the wanted one, in form too: no number where a text was asked for."""
    if isinstance(got, dict) or isinstance(got, list) != isinstance(value, list):
        return False
    if isinstance(got, str) and isinstance(value, str):
        return _same_text(got, value, field, base)
    return values.equal(got, value, field, base=base)


@lru_cache(maxsize=65_536)
def _same_text(got: str, value: str, field: Field, base: str) -> bool:
    return values.equal(got, value, field, base=base)
