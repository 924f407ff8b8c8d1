"""Ways to reach the place of a value in the object of a list, where the records stand in the page's JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from crawloop.extract.data.paths import EVERY, Step, format_path
from crawloop.extract.reading import Read
from crawloop.model.kind import Field, Kind
from crawloop.strategy.listing.fields.readings import Reading
from crawloop.strategy.listing.rows.json_lists import day, leaves, plain
from crawloop.strategy.listing.sheet import days
from crawloop.strategy.shaping.shape import loosely
from crawloop.strategy.shaping.typed import DATES

_FIGURES = (Kind.NUMBER, Kind.MONEY, Kind.DURATION)


def in_object(row: Any, value: Any, field: Field) -> Iterator[Reading]:
    """Readings of the places of a value in an object of a list."""
    for steps, leaf in leaves(row):
        if not _may_be(leaf, value, field):
            continue
        places = [at for at, step in enumerate(steps) if isinstance(step, int)]
        free = [step for step in steps if not isinstance(step, int)]
        cost = 0.1 + 0.08 * len(free)
        if field.many:
            every: list[Step] = [EVERY if isinstance(step, int) else step for step in steps]
            yield Reading(Read("json_all", (format_path("", every),)), cost, "list")
        else:
            yield Reading(Read("json", (format_path("", free),)), cost, "json")
            if places:
                yield Reading(Read("json", (format_path("", list(steps)),)), cost + 0.4, "json")


def _may_be(leaf: Any, value: Any, field: Field) -> bool:
    """Whether a scalar may hold a value of the field."""
    text = loosely(str(leaf))
    if field.kind in DATES:
        return str(value)[:10] in days(str(leaf)) or day(value) in text
    wanted = plain(value)
    if field.kind is Kind.URL:
        return len(text) > 3 and (text in wanted or wanted in text)
    if field.kind in _FIGURES:
        figures = set(re.findall(r"\d+", str(leaf)))
        return bool(figures) and set(re.findall(r"\d+", str(value).removesuffix(".0"))) <= figures
    return wanted == text or (len(wanted) > 3 and wanted in text)
