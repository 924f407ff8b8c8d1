"""Kinds from labelled values, where neither annotation nor format says more than "a text"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Record
from crawloop.values import is_blank, parse_date

_ISO = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]|\Z)")
_DAY = len("2026-01-31")
_LINK = re.compile(r"https?://[^\s/]+\S*", re.IGNORECASE)


def sharpen(schema: Schema, records: Iterable[Record]) -> Schema:
    """The schema with text fields made URL, date or datetime (ISO) fields where all their labelled values are such.

    Figures stay texts: a docket number is none to count with. Fields without labelled values stay as they are.
    """
    rows = list(records)
    return replace(schema, fields=tuple(_sharpened(one, rows) for one in schema.fields))


def _sharpened(field: Field, records: Sequence[Record]) -> Field:
    if field.kind is not Kind.TEXT:
        return field
    values = [value for record in records for value in _items(record.get(field.name))]
    if not values or not all(isinstance(value, str) for value in values):
        return field
    if all(_LINK.fullmatch(value.strip()) for value in values):
        return replace(field, kind=Kind.URL)
    # Output has the form of the labelled values: a day that they write in another way than ISO is a text.
    if not all(_ISO.match(value.strip()) and parse_date(value, strict=True) for value in values):
        return field
    return replace(field, kind=Kind.DATETIME if any(len(value.strip()) > _DAY for value in values) else Kind.DATE)


def _items(value: Any) -> list[Any]:
    items = value if isinstance(value, list) else [value]
    return [item for item in items if not is_blank(item)]
