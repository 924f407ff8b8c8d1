"""From a pydantic model to fields: the annotation gives the kind, `format` in json_schema_extra may sharpen it."""

from __future__ import annotations

import re
import types
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from crawloop.errors import SchemaError
from crawloop.model.kind import Field, Kind

_LISTS = (list, tuple, set, frozenset, Sequence, Iterable, Collection)
_FORMATS: dict[str, tuple[Kind, str | None]] = {
    "uri": (Kind.URL, None),
    "uri-reference": (Kind.URL, None),
    "iri": (Kind.URL, None),
    "iri-reference": (Kind.URL, None),
    "url": (Kind.URL, None),
    "date": (Kind.DATE, None),
    "date-time": (Kind.DATETIME, None),
    "duration": (Kind.DURATION, None),
    "seconds": (Kind.DURATION, "seconds"),
    "minutes": (Kind.DURATION, "minutes"),
    "hours": (Kind.DURATION, "hours"),
    "money": (Kind.MONEY, None),
    "cents": (Kind.MONEY, "cents"),
}
# Formats that a type holds already, or that make no sense of it, are left alone.
_SHARPENED = (Kind.TEXT, Kind.NUMBER, Kind.MONEY, Kind.DURATION)
_FIRST_WORD = re.compile(r"[a-z]+(?=[_A-Z])")
_GROUP = 3  # names from which on what they begin with says no more than that they belong together


@dataclass(frozen=True, slots=True)
class _Shape:
    """What an annotation says: kind, list or not, choices; None as kind where it says nothing usable."""

    kind: Kind | None = None
    many: bool = False
    optional: bool = False
    integer: bool = False
    unit: str | None = None
    choices: tuple[str, ...] = ()
    extra: tuple[tuple[str, Any], ...] = ()


def fields_of(model: Any, path: Path) -> tuple[Field, ...]:
    """The fields of a pydantic class, in order. Raises SchemaError for what a flat record cannot hold."""
    _complete(model, path)
    for reserved in ("VOLATILE", "VERSION"):
        if reserved in model.model_fields:
            raise SchemaError(f"{path}: {model.__name__}.{reserved} is a field: annotate it as ClassVar[…]")
    if not model.model_fields:
        raise SchemaError(f"{path}: {model.__name__} has no fields: add at least one")
    volatile = _volatile(model, path)
    fields = (_field(name, info, volatile, f"{path}: {model.__name__}") for name, info in model.model_fields.items())
    return _grouped(tuple(fields))


def version_of(model: Any, path: Path) -> int:
    """The class variable VERSION, 1 where there is none."""
    version = getattr(model, "VERSION", 1)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise SchemaError(f"{path}: {model.__name__}.VERSION is {version!r}: use a whole number from 1")
    return version


@lru_cache(maxsize=1024)
def leaves(model: Any, name: str) -> tuple[Any, ...]:
    """The plain types that a field's annotation comes down to; a Literal counts as one."""
    return tuple(_leaves(model.model_fields[name].annotation))


@lru_cache(maxsize=1024)
def originals(model: Any, name: str) -> dict[str, Any]:
    """The values of an enum or Literal field by the labels that records hold."""
    found: dict[str, Any] = {}
    for leaf in leaves(model, name):
        if isinstance(leaf, type) and issubclass(leaf, Enum):
            found |= {str(member.value): member.value for member in leaf}
        elif get_origin(leaf) is Literal:
            found |= {str(value): value for value in get_args(leaf)}
    return found


def _leaves(annotation: Any) -> Iterator[Any]:
    inner = getattr(annotation, "__supertype__", None) or getattr(annotation, "__value__", None)
    if inner is not None:
        yield from _leaves(inner)
    elif get_origin(annotation) is Annotated:
        yield from _leaves(get_args(annotation)[0])
    elif get_origin(annotation) in (None, Literal):
        yield annotation
    else:
        for part in get_args(annotation):
            yield from _leaves(part)


def _complete(model: Any, path: Path) -> None:
    from pydantic.errors import PydanticUserError

    try:
        model.model_rebuild()
    except (PydanticUserError, NameError) as error:
        raise SchemaError(f"{path}: {model.__name__}: {str(error).splitlines()[0]}") from error


def _volatile(model: Any, path: Path) -> frozenset[str]:
    named = getattr(model, "VOLATILE", ())
    listed = named if isinstance(named, tuple | list | set | frozenset) else [named]
    names = frozenset(one if isinstance(one, str) else repr(one) for one in listed)
    unknown = sorted(names - set(model.model_fields))
    if unknown:
        raise SchemaError(
            f"{path}: {model.__name__}.VOLATILE names {', '.join(unknown)}: fields are {', '.join(model.model_fields)}"
        )
    return names


def _grouped(fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """The fields, with the first word that several names share: of `fat_g`, `fat_kcal` and `fat_share` it is "fat"."""
    first = {one.name: found[0] for one in fields if (found := _FIRST_WORD.match(one.name))}
    shared = Counter(first.values())
    return tuple(
        replace(one, group=first[one.name]) if shared[first.get(one.name, "")] >= _GROUP else one for one in fields
    )


def _field(name: str, info: Any, volatile: frozenset[str], owner: str) -> Field:
    shape = _shape(info.annotation)
    if shape.kind is None:
        raise SchemaError(
            f"{owner}.{name} is {_named(info.annotation)}: a record holds texts, numbers, dates, durations, URLs, "
            "booleans, enums and lists of those; split it into such fields"
        )
    extra = {**dict(shape.extra), **(info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {})}
    kind, unit = _sharpened(shape, extra)
    return Field(
        name,
        kind,
        many=shape.many,
        unit=unit,
        choices=shape.choices,
        required=info.is_required() and not shape.optional,
        volatile=name in volatile,
        integer=shape.integer,
        description=info.description or "",
        aliases=_aliases(name, info, extra),
    )


def _sharpened(shape: _Shape, extra: dict[str, Any]) -> tuple[Kind, str | None]:
    kind = shape.kind or Kind.TEXT
    for key in ("format", "unit"):
        known = _FORMATS.get(str(extra.get(key, "")))
        if known and kind in _SHARPENED:
            return known[0], known[1] or (shape.unit if known[0] is kind else None)
    return kind, shape.unit


def _aliases(name: str, info: Any, extra: dict[str, Any]) -> tuple[str, ...]:
    validation = info.validation_alias
    choices = getattr(validation, "choices", [validation])
    paths = [getattr(choice, "path", [choice])[0] for choice in choices]
    more = extra.get("aliases") or ()
    named = [info.alias, *paths, *([more] if isinstance(more, str) else more)]
    return tuple(dict.fromkeys(str(alias) for alias in named if alias and alias != name))


def _named(annotation: Any) -> str:
    return str(annotation) if get_args(annotation) else getattr(annotation, "__name__", str(annotation))


def _shape(annotation: Any) -> _Shape:
    if hasattr(annotation, "__supertype__"):  # NewType
        return _shape(annotation.__supertype__)
    if hasattr(annotation, "__value__"):  # type X = …
        return _shape(annotation.__value__)
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        inner = _shape(args[0])
        extras = [m.json_schema_extra for m in args[1:] if isinstance(getattr(m, "json_schema_extra", None), dict)]
        return replace(inner, extra=(*inner.extra, *(pair for extra in extras for pair in extra.items())))
    if origin in (Union, types.UnionType):
        return _union(args)
    if origin is Literal:
        return _Shape(
            Kind.ENUM, choices=tuple(str(value) for value in args if value is not None), optional=None in args
        )
    if origin in _LISTS or annotation in _LISTS:
        inner = _shape(args[0]) if args else _Shape(Kind.TEXT)
        return replace(inner, many=True, optional=False, kind=None if inner.many else inner.kind)
    return _plain(annotation)


def _union(args: tuple[Any, ...]) -> _Shape:
    """`X | None`, and unions of kinds: the widest of them, text where they have nothing in common."""
    shapes = [_shape(arg) for arg in args if arg is not type(None)]
    optional = len(shapes) < len(args) or any(shape.optional for shape in shapes)
    kinds = {shape.kind for shape in shapes}
    if len(kinds) == 1 and len({shape.many for shape in shapes}) == 1:
        choices = tuple(dict.fromkeys(choice for shape in shapes for choice in shape.choices))
        return replace(shapes[0], optional=optional, choices=choices, integer=all(shape.integer for shape in shapes))
    if None in kinds:
        return _Shape()
    if kinds <= {Kind.NUMBER, Kind.MONEY}:
        return _Shape(Kind.MONEY, many=shapes[0].many, optional=optional)
    if kinds == {Kind.DATE, Kind.DATETIME}:
        return _Shape(Kind.DATETIME, many=shapes[0].many, optional=optional)
    return _Shape(Kind.TEXT, many=all(shape.many for shape in shapes), optional=optional)


def _plain(annotation: Any) -> _Shape:
    if annotation is Any or not isinstance(annotation, type):
        return _Shape(Kind.TEXT) if annotation is Any else _Shape()
    if issubclass(annotation, Enum):
        return _Shape(Kind.ENUM, choices=tuple(str(member.value) for member in annotation))
    if annotation.__name__.endswith("Url") and annotation.__module__.startswith("pydantic"):
        return _Shape(Kind.URL)
    for one, shape in _TYPES:
        if issubclass(annotation, one):
            return shape
    return _Shape(Kind.TEXT) if annotation.__module__ in ("uuid", "datetime", "pydantic.networks") else _Shape()


# A subclass stands before its parent: bool before int, datetime before date.
_TYPES: tuple[tuple[type, _Shape], ...] = (
    (bool, _Shape(Kind.BOOL)),
    (int, _Shape(Kind.NUMBER, integer=True)),
    (float, _Shape(Kind.NUMBER)),
    (Decimal, _Shape(Kind.MONEY)),
    (datetime, _Shape(Kind.DATETIME)),
    (date, _Shape(Kind.DATE)),
    (timedelta, _Shape(Kind.DURATION, unit="seconds")),
    (str, _Shape(Kind.TEXT)),
)
