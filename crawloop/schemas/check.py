"""Records against their schema, field by field: the user's pydantic class judges the plain JSON values."""

from __future__ import annotations

import json
from datetime import timedelta
from decimal import Decimal
from typing import Any

from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Record
from crawloop.schemas.expect import expected, shown
from crawloop.schemas.fields import leaves, originals
from crawloop.values import is_blank, normalise, urljoin
from crawloop.values.duration import SECONDS


def check(schema: Schema, record: Record, *, base: str = "") -> dict[str, str]:
    """{field: problem} of a record; empty where it is valid.

    A missing or null value is a problem only in a required field. Relative URLs are joined to `base`, if it is given.
    """
    problems = {name: f"is no field of {schema.ref}" for name in record if name not in schema.names}
    given = {name: value for name, value in record.items() if value is not None and name not in problems}
    for one in schema.fields:
        if one.name in given and (problem := _misshapen(given[one.name], one, base)):
            problems[one.name] = problem
        elif one.required and one.name not in given:
            problems[one.name] = f"is required and missing: expected {expected(one)}"
    return problems | {k: v for k, v in _refused(schema, given, base).items() if k not in problems}


def contradictions(schema: Schema, record: Record, *, base: str = "") -> dict[str, str]:
    """{field: problem} of a labelled record. What is missing asserts nothing, so it contradicts nothing.

    A value may stand as it does on the page ("12,50 €" for an amount), as long as it is of the field's kind. Any text
    may be a URL of a field that is a `str`: what is labelled as it stands may lack all signs of a link.
    """
    loose = {one.name for one in schema.fields if one.kind is Kind.URL and _is_text(schema, one)}
    given = {name: value for name, value in record.items() if name not in loose or not _are_texts(value, schema[name])}
    problems = check(schema, readable(schema, given, base=base), base=base)
    return {name: problem for name, problem in problems.items() if name in given and not is_blank(given[name])}


def readable(schema: Schema, record: Record, *, base: str = "") -> Record:
    """The record with numbers, dates, booleans and labels in plain form where they were written as on the page.

    The values of a `str` field keep the form in which they were written, as that is the form asked for.
    """
    typed = {one.name: one for one in schema.fields if schema.model is None or not _is_text(schema, one)}
    return {name: _readable(value, typed[name], base) if name in typed else value for name, value in record.items()}


def _readable(value: Any, field: Field, base: str) -> Any:
    if field.kind in (Kind.TEXT, Kind.URL):
        return value
    if isinstance(value, list):
        return [_readable(item, field, base) for item in value] if field.many else value
    if not isinstance(value, str):
        return value
    form = normalise([value] if field.many else value, field, base=base)
    form = form[0] if field.many and form else form
    return value if form is None else form


def _is_text(schema: Schema, field: Field) -> bool:
    return schema.model is None or str in leaves(schema.model, field.name)


def _are_texts(value: Any, field: Field) -> bool:
    items = value if field.many else [value]
    return isinstance(items, list) and all(isinstance(item, str) for item in items)


def _misshapen(value: Any, field: Field, base: str) -> str | None:
    """Why a value is not of the field's kind, or None."""
    if isinstance(value, list) != field.many:
        return f"expected {expected(field)}, got {shown(value)}"
    if is_blank(value) or value == []:
        return None
    if normalise(value, field, base=base) is None:
        return f"expected {expected(field)}, got {shown(value)}"
    return None


def _refused(schema: Schema, given: Record, base: str) -> dict[str, str]:
    """What the pydantic class says of the values that are there."""
    from pydantic import ValidationError

    if schema.model is None:
        return {}
    forms = {name: _form(value, schema[name], schema.model, base) for name, value in given.items()}
    try:
        schema.model.model_validate_json(json.dumps(forms, default=str), by_alias=False, by_name=True)
    except ValidationError as refusal:
        return _by_field(schema, given, refusal.errors(include_url=False, include_context=False, include_input=False))
    return {}


def _by_field(schema: Schema, given: Record, errors: list[Any]) -> dict[str, str]:
    names = {alias: one.name for one in schema.fields for alias in (*one.aliases, one.name)}
    problems: dict[str, str] = {}
    for error in errors:
        where = names.get(str(error["loc"][0])) if error["loc"] else None
        if error["type"] == "missing" and (where is None or where not in given):
            continue  # named already
        # a rule over several fields has no place of its own: it is named under the first field
        field = where or schema.fields[0].name
        got = f", got {shown(given[field])}" if where in given else ""
        problems.setdefault(field, f"{error['msg'][:1].lower()}{error['msg'][1:]}{got}")
    return problems


def _joined(base: str, link: str) -> str:
    try:
        return urljoin(base, link)
    except ValueError:  # "http://[": pydantic says what is wrong with it
        return link


def _form(value: Any, field: Field, model: Any, base: str) -> Any:
    """The JSON form that the annotation takes: timedelta wants seconds, an enum of numbers its number."""
    if isinstance(value, list):
        return [_form(item, field, model, base) for item in value]
    if field.kind is Kind.URL and base and isinstance(value, str):
        return _joined(base, value)
    if field.kind is Kind.ENUM:
        return originals(model, field.name).get(str(value), value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        types = leaves(model, field.name)
        if timedelta in types:
            return value * SECONDS[field.unit or "seconds"]
        if field.kind is not Kind.TEXT and str in types and not {int, float, Decimal} & set(types):
            return str(value)
    return value
