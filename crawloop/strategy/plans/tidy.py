"""Texts of a page's JSON are read clean: another page may have markup and entities there, which the samples have not.

page.json("@Product.name")   →   clean(page.json("@Product.name"))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from crawloop.extract.plan import FieldPlan
from crawloop.extract.reading import Apply, Expression, innermost, json_path, steps
from crawloop.model.kind import Field, Kind
from crawloop.strategy.judging.alone import Readable


def tidied(plan: FieldPlan, field: Field, places: Sequence[Readable]) -> FieldPlan:
    """The field's plan, with each reading of JSON clean that then gives the same in all places but for its spaces.

    Not where a text is split: markup in it may say where its parts are, and no part is right without.
    """
    if field.kind is not Kind.TEXT:
        return plan
    return replace(plan, readers=tuple(_tidied(one, places) for one in plan.readers))


def _tidied(reader: Expression, places: Sequence[Readable]) -> Expression:
    done = [one.transform for one in steps(reader)]
    if json_path(innermost(reader)) is None or done[:1] == ["clean"] or "split" in done:
        return reader
    clean = Apply("clean", (reader,))
    return clean if all(one.read(clean) == _spaced(one.read(reader)) for one in places) else reader


def _spaced(value: Any) -> Any:
    """A text, or those of a list, with single spaces; lines are kept apart."""
    if isinstance(value, list):
        return [_spaced(one) for one in value]
    return "\n".join(" ".join(line.split()) for line in value.split("\n")) if isinstance(value, str) else value
