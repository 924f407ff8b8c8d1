"""The files that records go to, one a row: JSON lines, CSV, Parquet. Columns are the schema's fields, in its order."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from crawloop.errors import UserError, how_to_install
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Record

Writer = Callable[[Path, Iterable[Record], Schema], None]

_ROWS_AT_ONCE = 5_000


def writer(path: Path) -> Writer:
    """The writer for a file's ending. Raises UserError where there is none, or its extra is not installed."""
    found = _WRITERS.get(path.suffix.lower())
    if found is None:
        raise UserError(f"{path}: records are written as {', '.join(_WRITERS)}; give the file one of these endings")
    if found is _parquet:
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            raise UserError(f"{path}: Parquet needs an extra: {how_to_install('parquet')}") from None
    return found


def _jsonl(path: Path, records: Iterable[Record], schema: Schema) -> None:
    with path.open("w", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def _csv(path: Path, records: Iterable[Record], schema: Schema) -> None:
    """A list is one cell, as JSON; a null is an empty cell."""
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.DictWriter(file, schema.names, extrasaction="ignore")
        rows.writeheader()
        for record in records:
            rows.writerow({name: _cell(value) for name, value in record.items()})


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else value


def _parquet(path: Path, records: Iterable[Record], schema: Schema) -> None:
    import pyarrow
    from pyarrow import parquet

    shape = pyarrow.schema([(field.name, _type(field, pyarrow)) for field in schema.fields])
    with parquet.ParquetWriter(path, shape) as file:
        for rows in _chunks(records):
            columns = [[_typed(row.get(field.name), field) for row in rows] for field in schema.fields]
            file.write_table(pyarrow.table(columns, schema=shape))


def _chunks(records: Iterable[Record]) -> Iterator[list[Record]]:
    left = iter(records)
    while rows := list(islice(left, _ROWS_AT_ONCE)):
        yield rows


def _type(field: Field, pyarrow: Any) -> Any:
    numbers = {Kind.NUMBER, Kind.MONEY, Kind.DURATION}
    if field.kind is Kind.BOOL:
        one = pyarrow.bool_()
    elif field.kind in numbers:
        one = pyarrow.int64() if field.integer else pyarrow.float64()
    else:
        one = pyarrow.string()
    return pyarrow.list_(one) if field.many else one


def _typed(value: Any, field: Field) -> Any:
    """Numbers as the column's type wants them: 3 is 3.0 in a column of floats."""
    if isinstance(value, list):
        return [_typed(item, field) for item in value]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    if field.integer:
        return int(value)
    return float(value) if field.kind in (Kind.NUMBER, Kind.MONEY, Kind.DURATION) else str(value)


_WRITERS: dict[str, Writer] = {".jsonl": _jsonl, ".csv": _csv, ".parquet": _parquet}
