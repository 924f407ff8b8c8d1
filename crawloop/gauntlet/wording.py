"""Findings in words: what came, what was right, and in what way they differ."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from crawloop.model.kind import Field
from crawloop.model.verdict import Finding
from crawloop.values import equal, fold, normalise

LONGEST = 120
PER_FIELD = 3


def shown(value: Any) -> str:
    """A value as JSON, shortened where it is long."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def difference(expected: Any, got: Any, field: Field, *, base: str = "") -> str:
    """How a wrong value differs from the right one: "12.5 is right, got 1250: 100 times as much"."""
    if expected is None:
        return f"the page has no {field.name}, got {shown(got)}"
    hint = _hint(expected, got, field, base)
    return f"{shown(expected)} is right, got {shown(got)}" + (f": {hint}" if hint else "")


def few(findings: Iterable[Finding]) -> Iterator[Finding]:
    """At most `PER_FIELD` findings for each field and severity; the last of them says how many more there are."""
    groups: dict[tuple[str | None, bool], list[Finding]] = {}
    for one in findings:
        groups.setdefault((one.field, one.fatal), []).append(one)
    for group in groups.values():
        more = len(group) - PER_FIELD
        yield from group[: PER_FIELD - 1]
        for last in group[PER_FIELD - 1 : PER_FIELD]:
            yield replace(last, message=f"{last.message} (and {more} more like it)") if more > 0 else last


def _hint(expected: Any, got: Any, field: Field, base: str) -> str:
    if isinstance(expected, list) and isinstance(got, list):
        return _list_hint(expected, got, field.single, base)
    left, right = normalise(expected, field, base=base), normalise(got, field, base=base)
    if isinstance(left, bool) or isinstance(right, bool):
        return ""
    if isinstance(left, int | float) and isinstance(right, int | float) and left:
        for power in (10, 100, 1000):
            if abs(right / left - power) < 1e-9:
                return f"{power} times as much"
            if abs(right / left - 1 / power) < 1e-9:
                return f"a {power}th of it"
        return ""
    if isinstance(expected, str) and isinstance(got, str):
        return _text_hint(fold(expected), fold(got))
    return ""


def _text_hint(expected: str, got: str) -> str:
    if got in expected:
        return "only a part of it"
    if expected in got:
        return "it stands in more text"
    return ""


def _list_hint(expected: list[Any], got: list[Any], field: Field, base: str) -> str:
    found = [one for one in expected if any(equal(one, other, field, base=base) for other in got)]
    if len(found) == len(expected) == len(got):
        return "the same elements in another order"
    return f"{len(found)} of {len(expected)} elements are there, among {len(got)}"
