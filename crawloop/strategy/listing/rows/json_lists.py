"""Listings that stand in the page's JSON: the list whose objects hold one record each, and paths from there.

{"items": [{"name": "Kettle"}, …]}   →   page.json_rows("STATE.items[*]"), row.json("name")
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from crawloop.extract.data.paths import EVERY, Step, format_path
from crawloop.strategy.listing.rows.alignment import Aligned, Root, candidates, matched
from crawloop.strategy.listing.sheet import Sheet, Value
from crawloop.strategy.shaping.shape import loosely
from crawloop.strategy.shaping.typed import DATES

_MOST_LEAVES = 400
_DEEPEST = 8
_DAY = 8  # digits
_LONGEST_DATED = 400
_NUMBERED = re.compile(r"\Ajson\[\d+\]")


def json_roots(sheets: Sequence[Sheet]) -> list[Root]:
    """The lists that may hold the records, the likeliest first."""
    lead = max(sheets, key=lambda one: len(one.records))
    found = []
    for path, cost in _lists(lead):
        tables = tuple(_aligned(sheet, path) for sheet in sheets)
        if sum(one.missing for one in tables) * 2 <= sum(len(one.sheet.records) for one in tables):
            found.append(Root("json_rows", path, cost, tables))
    return sorted(found, key=lambda one: (-one.cover, one.extras, one.cost))


def _lists(sheet: Sheet) -> list[tuple[str, float]]:
    """The paths of the lists in whose elements most values of truth stand."""
    counts: dict[str, set[tuple[Value, Any]]] = defaultdict(set)
    costs: dict[str, float] = {}
    for value, places in sheet.places.items():
        for place in places:
            if place.carrier != "json":
                continue
            leaf = sheet.index.leaf(place)
            for depth, step in enumerate(leaf.steps):
                if isinstance(step, int) and leaf.island != "#":
                    steps: list[Step] = [EVERY if isinstance(one, int) else one for one in leaf.steps[: depth + 1]]
                    path = format_path(leaf.island, steps)
                    counts[path].add((value, leaf.steps[: depth + 1]))
                    costs[path] = 0.2 + (0.4 if _NUMBERED.match(leaf.island) else 0.0) + 0.02 * depth
    best = sorted(counts, key=lambda path: -len(counts[path]))[:4]
    return [(path, costs[path]) for path in best]


def _aligned(sheet: Sheet, path: str) -> Aligned:
    rows = [_texts(row.json("")) for row in sheet.view.json_rows(path)]
    texts_of, days_of = _sought(sheet)
    found = [_held(texts, texts_of, days_of) for texts in rows]
    all_with, before = Counter(one for there in found for one in there), Counter[Value]()
    told = []
    for there in found:
        told.append(candidates(sheet, there, lambda value: before[value] / all_with[value]))
        before.update(there)
    return matched(sheet, (), told)


def _sought(sheet: Sheet) -> tuple[dict[str, list[Value]], dict[str, list[Value]]]:
    """The values by what is looked for: by their letters and digits, and dates by their day."""
    texts: dict[str, list[Value]] = defaultdict(list)
    dates: dict[str, list[Value]] = defaultdict(list)
    for value in sheet.values:
        said = sheet.value_of(value)
        if sheet.schema[value[0]].kind in DATES:
            dates[day(said)].append(value)
        else:
            texts[plain(said)].append(value)
    return texts, dates


def _held(there: Collection[str], texts: dict[str, list[Value]], dates: dict[str, list[Value]]) -> set[Value]:
    """The values that a row's texts hold: each as a whole, of dates the day somewhere in it."""
    found: set[Value] = set()
    for text in there:
        found.update(texts.get(text, ()))
        for start in range(min(len(text), _LONGEST_DATED) - _DAY + 1 if dates else 0):
            found.update(dates.get(text[start : start + _DAY], ()))
    return found


def day(value: Any) -> str:
    """The figures of an ISO date's day."""
    return str(value)[:10].replace("-", "")


def _texts(value: Any) -> dict[str, list[tuple[Step, ...]]]:
    """The scalars below a value, squashed, with the steps that lead to each."""
    found: dict[str, list[tuple[Step, ...]]] = defaultdict(list)
    for steps, leaf in leaves(value):
        found[loosely(str(leaf))].append(steps)
    return found


def leaves(value: Any) -> Iterator[tuple[tuple[Step, ...], Any]]:
    """The scalars below a value that say something, with the steps that lead to each; bounded."""
    stack: list[tuple[tuple[Step, ...], Any]] = [((), value)]
    for _ in range(_MOST_LEAVES):
        if not stack:
            return
        steps, one = stack.pop()
        if isinstance(one, dict | list) and len(steps) < _DEEPEST:
            pairs = list(one.items()) if isinstance(one, dict) else list(enumerate(one))
            stack.extend(((*steps, key), inner) for key, inner in reversed(pairs))
        elif one is not None and one != "" and not isinstance(one, dict | list):
            yield steps, one


def plain(value: Any) -> str:
    """A value's letters and digits, of a list those of its first element."""
    one = value[0] if isinstance(value, list) and value else value
    return loosely(str(one))
