"""The form that an answer of records is to have, as a JSON schema for models that can keep to one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crawloop.model.kind import Field, Kind, Schema

_TYPES: dict[Kind, dict[str, Any]] = {
    Kind.NUMBER: {"type": "number"},
    Kind.MONEY: {"type": "number"},
    Kind.DURATION: {"type": "number"},
    Kind.BOOL: {"type": "boolean"},
}
_LINE: dict[str, Any] = {"type": "integer"}
_WORDS = {"type": ["string", "null"]}
WORDED_OTHERWISE = (Kind.ENUM, Kind.BOOL)


def records(schema: Schema) -> dict[str, Any]:
    """`{"records": [{field: {"value": …, "line": …, "snippet": …} or null}]}`; every key is there, as strict forms
    ask for. A list may stand in several lines, which are a list too. Snippets are for what a page may word otherwise.
    """
    row = _object({one.name: {"anyOf": [_cell(one), {"type": "null"}]} for one in schema.fields})
    return _object({"records": {"type": "array", "items": row}})


def choices(ways: Mapping[str, int]) -> dict[str, Any]:
    """`{"choices": {field: number}}`: for each field the number of one of so many ways, or 0."""
    return _object(
        {"choices": _object({name: {"type": "integer", "enum": [*range(n + 1)]} for name, n in ways.items()})}
    )


def _cell(field: Field) -> dict[str, Any]:
    value = dict(_TYPES.get(field.kind, {"type": "string"}))
    if field.choices:
        value["enum"] = list(field.choices)
    said = {"value": value, "line": _LINE}
    if field.many:
        said = {name: {"type": "array", "items": one} for name, one in said.items()}
    return _object(said | {"snippet": _WORDS} if field.kind in WORDED_OTHERWISE else said)


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
