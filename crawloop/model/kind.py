"""What sort of value a field holds, and what a schema says of each field."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any


class Kind(StrEnum):
    """The kinds by which values are normalised and compared."""

    TEXT = "text"
    NUMBER = "number"
    MONEY = "money"
    DATE = "date"
    DATETIME = "datetime"
    DURATION = "duration"
    URL = "url"
    BOOL = "bool"
    ENUM = "enum"


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a schema.

    `unit` is the unit of a number: "minutes", "seconds" or "hours" for a duration, "cents" for money held in
    minor units, else None. `choices` are the output values of an enum. `many` marks a list of `kind`. `group` is the
    first word of its name where that of other fields begins with it too, and so tells it from none of them.
    """

    name: str
    kind: Kind = Kind.TEXT
    many: bool = False
    unit: str | None = None
    choices: tuple[str, ...] = ()
    required: bool = False
    volatile: bool = False
    integer: bool = False
    description: str = ""
    aliases: tuple[str, ...] = ()
    group: str = ""

    def __hash__(self) -> int:
        return hash(self.name)  # fields are keys wherever readings are remembered

    @property
    def single(self) -> Field:
        """The field of one element, where this one is a list."""
        return _single(self) if self.many else self


@lru_cache(maxsize=1024)
def _single(field: Field) -> Field:
    return replace(field, many=False)


@dataclass(frozen=True, slots=True)
class Schema:
    """The fields of `ref` ("Name@1"). `model` is the user's pydantic class that records validate against."""

    ref: str
    fields: tuple[Field, ...]
    model: Any = field(default=None, compare=False, repr=False)

    def __getitem__(self, name: str) -> Field:
        for one in self.fields:
            if one.name == name:
                return one
        raise KeyError(name)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.fields)
