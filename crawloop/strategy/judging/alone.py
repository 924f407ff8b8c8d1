"""Readings whose match stood alone on all samples may demand it: where it does not, they give null and no guess.

page.text(".price")   →   page.text(".price", alone=True)
page.texts("main p")  →   page.texts("main p", plain=True)
page.labelled("Tel")  →   page.labelled("Tel", plain=True)

So are the rows of listings. A second match that says the same costs nothing. Lists of which no element was a link or a
heading as a whole may demand that: where a page has such an element, it may belong to the list or not. So may whatever
else stands beside a label or in a line, where all that stood there was bare, or in elements of one name; and lists
whose elements all had the same classes may demand that they are `alike`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Protocol

from crawloop.extract.plan import FieldPlan
from crawloop.extract.reading import Absolute, Apply, Expression, Read, Several

_IN_THE_HEAD = ("meta[property=", "meta[name=", "link[rel=")  # where by custom the first one counts
_CUTS = ("strip_prefix", "strip_suffix")
_ALWAYS = (("always", True),)
_OF_THE_FIRST = ("text", "own_text", "attr", "lines", "link", "json")
_OF_ALL_WORDS = ("texts", "lines", "labelled", "labelled_lines")  # they take in whatever stands there
_LISTS = ("texts", "own_texts")
_ADDRESSES = (r"[^\s@]+@[^\s@]+\.[a-zA-Z]{2,}", r"(?:https?://|www\.)\S+")

_SOME = 3  # elements of a list that say how its elements look

Step = Read | Apply


class Readable(Protocol):
    """A page or a row under study."""

    def read(self, expression: Expression) -> Any:
        """What an expression gives there."""


def demanding(plan: FieldPlan, places: Sequence[Readable]) -> FieldPlan:
    """The field's plan, with each of its readings alone that then gives the same in all places."""

    def strict(one: Step) -> Step:
        if isinstance(one, Read) and one.method in _LISTS and sum(len(at.read(one) or ()) for at in places) < _SOME:
            return one
        if isinstance(one, Apply) and any(isinstance(at.read(one), list) for at in places):
            return one
        for demand in _demands(one):
            asked = replace(one, **demand)
            if all(at.read(asked) == at.read(one) for at in places):
                one = asked
        return one

    return replace(plan, readers=tuple(_changed(one, strict) for one in plan.readers))


def addressed(plan: FieldPlan, places: Sequence[Readable]) -> FieldPlan:
    """The plan of a text, with each of its readings a web or mail address that only gave such: of two labels "Website"
    the other may stand before a name."""
    return replace(plan, readers=tuple(_addressed(one, places) for one in plan.readers))


def _addressed(reader: Expression, places: Sequence[Readable]) -> Expression:
    said = [one for at in places if (one := at.read(reader)) is not None]
    for form in _ADDRESSES if said else ():
        if all(isinstance(one, str) and re.fullmatch(form, one) for one in said):
            return Apply("match", (reader,), (f"^({form})$",))
    return reader


def lenient(expression: Expression) -> Expression:
    """The expression that demands nothing: pages of today say anew what is so."""
    return _changed(expression, _undemanding)


def _demands(one: Step) -> Iterator[dict[str, Any]]:
    """What a step may demand, each demand by its keyword."""
    if isinstance(one, Apply):
        if one.transform in _CUTS:
            yield {"named": _ALWAYS}
        return
    where = str(one.args[0]) if one.args else ""
    if one.method in _OF_THE_FIRST and where and not where.startswith(_IN_THE_HEAD):
        yield {"alone": True}
    if one.method in _OF_ALL_WORDS:
        yield {"plain": True}
    if one.method in _LISTS:
        yield {"alike": True}


def _undemanding(one: Step) -> Step:
    if isinstance(one, Apply):
        return replace(one, named=()) if one.transform in _CUTS else one
    return replace(one, alone=False, plain=False, alike=False)


def _changed(expression: Expression, change: Callable[[Step], Step]) -> Expression:
    """The expression with each of its readings and transforms changed."""
    match expression:
        case Read():
            return change(expression)
        case Apply(_, to):
            return change(replace(expression, to=tuple(_changed(one, change) for one in to)))
        case Several(items):
            return Several(tuple(_changed(one, change) for one in items))
        case Absolute(link):
            return Absolute(_changed(link, change))
    return expression
