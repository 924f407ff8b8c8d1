"""Events as rows: the kind and body go in, the class of that kind comes out.

A kind that this program does not know, or whose facts it cannot place, stays readable as a `ForeignEvent`: audits
outlive the programs that wrote them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from crawloop.model.events import Event
from crawloop.registry.packing import dumps
from crawloop.shape import shown


@dataclass(frozen=True, slots=True)
class ForeignEvent(Event):
    """An event that another version of the program, or a room that is not loaded, has written."""

    name: str = ""
    facts: dict[str, Any] = dataclasses.field(default_factory=dict)

    @property
    def kind(self) -> str:
        return self.name

    def body(self) -> dict[str, Any]:
        return dict(self.facts)


def kept(event: Event) -> str:
    """The event's body as the audit keeps it: JSON text, without the passwords that URLs may carry."""
    return shown(dumps(event.body()))


def from_entry(kind: str, body: dict[str, Any], *, family: str, at: str, run: str) -> Event:
    """The event that was written as `kind` and `body`."""
    cls = next((c for c in _classes(Event) if c.__name__ == kind), None)
    if cls is not None:
        facts = {f.name: f for f in dataclasses.fields(cls) if f.name not in ("family", "at", "run")}
        needed = {n for n, f in facts.items() if _has_no_default(f)}
        if needed <= set(body) <= set(facts):
            return cls(family, at, run, **{n: _shaped(v, facts[n]) for n, v in body.items()})
    return ForeignEvent(family, at, run, name=kind, facts=body)


def _classes(root: type[Event]) -> Iterator[type[Event]]:
    for cls in root.__subclasses__():
        # dataclass(slots=True) makes a second class; the first has no __slots__ and lives until it is collected
        if "__slots__" in vars(cls) and cls is not ForeignEvent:
            yield cls
        yield from _classes(cls)


def _has_no_default(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _shaped(value: Any, field: dataclasses.Field[Any]) -> Any:
    is_tuple = str(field.type).startswith("tuple")
    return tuple(value) if is_tuple and isinstance(value, list) else value
