"""Readings whose match stood alone on all samples may demand it: where it does not, they give null and no guess.

page.text(".price")   →   page.text(".price", alone=True)

So are the rows of listings. A second match that says the same costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from crawloop.extract.plan import FieldPlan
from crawloop.extract.reading import Absolute, Apply, Expression, Read, Several

_IN_THE_HEAD = ("meta[property=", "meta[name=", "link[rel=")  # where by custom the first one counts
_OF_THE_FIRST = ("text", "own_text", "attr", "lines", "link", "json")


class Readable(Protocol):
    """A page or a row under study."""

    def read(self, expression: Expression) -> Any:
        """What an expression gives there."""


def demanding(plan: FieldPlan, places: Sequence[Readable]) -> FieldPlan:
    """The field's plan, with each of its readings alone that then gives the same in all places."""

    def alone(read: Read) -> Read:
        where = str(read.args[0]) if read.args else ""
        if read.method not in _OF_THE_FIRST or not where or where.startswith(_IN_THE_HEAD):
            return read
        strict = replace(read, alone=True)
        return strict if all(one.read(strict) == one.read(read) for one in places) else read

    return replace(plan, readers=tuple(_changed(one, alone) for one in plan.readers))


def lenient(expression: Expression) -> Expression:
    """The expression that takes the first match again: pages of today say anew whether there is one."""
    return _changed(expression, lambda read: replace(read, alone=False))


def _changed(expression: Expression, change: Callable[[Read], Read]) -> Expression:
    """The expression with each of its readings changed."""
    match expression:
        case Read():
            return change(expression)
        case Apply(_, to):
            return replace(expression, to=tuple(_changed(one, change) for one in to))
        case Several(items):
            return Several(tuple(_changed(one, change) for one in items))
        case Absolute(link):
            return Absolute(_changed(link, change))
    return expression
