"""The programs that strategies build, as data: per field a chain of readings, and where the rows are.

`Plan.read` runs on a page; `Plan.source` prints the program that does the same; `dumps` and `loads` keep it as JSON.
A detail page has no rows: the page is the one record.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from crawloop.extract.reading import (
    KEYWORDS,
    Absolute,
    Apply,
    Expression,
    Literal,
    Read,
    Several,
    Table,
    evaluate,
    literal,
    printed,
)
from crawloop.extract.transforms import distinct
from crawloop.model.page import Record


@dataclass(frozen=True, slots=True)
class FieldPlan:
    """How one field is read. `readers` are tried in turn, or with `vote` asked together.

    In turn: the first reading that is not empty. `vote` names the transform that weighs all readings instead, such
    as `agreed`, which gives None where they differ too much.
    """

    readers: tuple[Expression, ...]
    vote: str = "first"

    @property
    def expression(self) -> Expression:
        """The whole field as one expression."""
        if len(self.readers) == 1:
            return self.readers[0]
        return Apply(self.vote, self.readers) if self.readers else Literal(None)


@dataclass(frozen=True, slots=True)
class Rows:
    """Where the records of a listing are: `select` gives the rows, and a row counts where every `keep` has a value.

    With a `key`, a row whose key an earlier one has tells of the same record once more, and does not count.
    """

    select: Expression
    keep: tuple[Expression, ...] = ()
    key: Expression | None = None

    def of(self, page: Any) -> list[Any]:
        """The rows that count."""
        rows = evaluate(self.select, page, page) or []
        rows = [row for row in rows if all(evaluate(one, row, page) is not None for one in self.keep)]
        return rows if self.key is None else distinct(rows, [evaluate(self.key, row, page) for row in rows])


@dataclass(frozen=True, slots=True)
class Plan:
    """A program: `fields` by name, in the order of the record's keys; `rows` for a listing."""

    fields: Mapping[str, FieldPlan]
    rows: Rows | None = None

    def read(self, page: Any) -> list[Record]:
        """The records of a page (a PageView): exactly what `extract(page)` of the printed source returns."""
        if self.rows is None:
            return [self._record(page, page)]
        return [self._record(row, page) for row in self.rows.of(page)]

    def _record(self, row: Any, page: Any) -> Record:
        return {name: evaluate(one.expression, row, page) for name, one in self.fields.items()}

    def only(self, names: Iterable[str]) -> Plan:
        """The plan with just these fields."""
        wanted = set(names)
        return replace(self, fields={name: one for name, one in self.fields.items() if name in wanted})

    def without(self, names: Iterable[str]) -> Plan:
        """The plan with these fields left out."""
        return self.only(set(self.fields) - set(names))

    def source(self, family: str, origin: str) -> str:
        """The plan as a Python program that defines `extract(page)`."""
        says = " ".join(f"Extractor for {family}, by {origin}.".split()).replace("\\", "/").replace('"', "'")
        return f'"""{says}"""\n\n\ndef extract(page):\n{self._body()}'

    def _body(self) -> str:
        if self.rows is None:
            return "    return [\n        {\n" + "".join(self._entries("page")) + "        }\n    ]\n"
        found = printed(self.rows.select, "page", 8) + (" or []" if isinstance(self.rows.select, Apply) else "")
        select = f"        for row in {found}\n"
        tests = [
            f"        {'and' if number else 'if'} {printed(one, 'row', 8)} is not None\n"
            for number, one in enumerate(self.rows.keep)
        ]
        record = ["    return [\n        {\n", *self._entries("row"), "        }\n"]
        if self.rows.key is None:
            return "".join([*record, select, *tests, "    ]\n"])
        rows = ["    rows = [\n        row\n", select, *tests, "    ]\n"]
        keys = f"    keys = [{printed(self.rows.key, 'row', 4)} for row in rows]\n"
        return "".join([*rows, keys, *record, "        for row in distinct(rows, keys)\n    ]\n"])

    def _entries(self, row: str) -> Iterator[str]:
        for name, one in self.fields.items():
            yield f"            {literal(name)}: {printed(one.expression, row, 12)},\n"

    def dumps(self) -> str:
        """The plan as JSON text."""
        shape: dict[str, Any] = {
            "fields": {
                name: {"readers": [_packed(one) for one in plan.readers]}
                | ({"vote": plan.vote} if plan.vote != "first" else {})
                for name, plan in self.fields.items()
            }
        }
        if self.rows is not None:
            shape["rows"] = {"select": _packed(self.rows.select), "keep": [_packed(one) for one in self.rows.keep]}
            if self.rows.key is not None:
                shape["rows"]["key"] = _packed(self.rows.key)
        return json.dumps(shape, ensure_ascii=False)

    @classmethod
    def loads(cls, text: str) -> Plan:
        """The plan that `dumps` wrote. Raises ValueError where the text is none."""
        try:
            shape = json.loads(text)
            fields = {
                name: FieldPlan(tuple(map(_unpacked, one["readers"])), one.get("vote", "first"))
                for name, one in shape["fields"].items()
            }
            rows = shape.get("rows")
            keep = tuple(map(_unpacked, rows["keep"])) if rows else ()
            key = _unpacked(rows["key"]) if rows and "key" in rows else None
            return cls(fields, Rows(_unpacked(rows["select"]), keep, key) if rows else None)
        except (KeyError, TypeError, AttributeError) as why:
            raise ValueError(f"not a plan: {why!r}") from why


def _packed(expression: Expression) -> dict[str, Any]:
    shape: dict[str, Any]
    match expression:
        case Read(method, args, of):
            return {"read": method, "args": args} | ({"of": of} if of != "row" else {}) | expression.demands
        case Apply(name, to, args, named):
            shape = {"apply": name, "to": [_packed(one) for one in to]}
            if args:
                shape["args"] = [_frozen_out(one) for one in args]
            return shape | ({"named": {key: _frozen_out(one) for key, one in named}} if named else {})
        case Several(items):
            return {"several": [_packed(one) for one in items]}
        case Absolute(link):
            return {"absolute": _packed(link)}
        case Literal(value):
            return {"literal": _frozen_out(value)}


def _unpacked(shape: dict[str, Any]) -> Expression:
    if "read" in shape:
        args = shape["args"]
        args = None if args is None else tuple(args)
        demands = {name: True for name in KEYWORDS if shape.get(name)}
        return Read(shape["read"], args, shape.get("of", "row"), **demands)
    if "apply" in shape:
        named = tuple((key, _frozen_in(one)) for key, one in shape.get("named", {}).items())
        args = tuple(map(_frozen_in, shape.get("args", ())))
        return Apply(shape["apply"], tuple(map(_unpacked, shape["to"])), args, named)
    if "several" in shape:
        return Several(tuple(map(_unpacked, shape["several"])))
    if "absolute" in shape:
        return Absolute(_unpacked(shape["absolute"]))
    return Literal(_frozen_in(shape["literal"]))


def _frozen_out(value: Any) -> Any:
    if isinstance(value, Table):
        return {key: _frozen_out(one) for key, one in value.pairs}
    return [_frozen_out(one) for one in value] if isinstance(value, tuple) else value


def _frozen_in(value: Any) -> Any:
    if isinstance(value, dict):
        return Table(tuple((key, _frozen_in(one)) for key, one in value.items()))
    return tuple(map(_frozen_in, value)) if isinstance(value, list) else value
