"""What the program that served until now still finds on the pages of today, and where the values stand that it misses.

title: page.text("h1.name") matches nothing on 3 of 3 pages
  stands in text: main > section#detail > h2.headline ("Brass kettle")
price: page.text(".cost") reads another thing on 2 of 3 pages ("9.90", right is 12.5)
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from crawloop.brief.tokens import tokens
from crawloop.carriers import support
from crawloop.extract.view import PageView
from crawloop.model.kind import Field, Schema
from crawloop.model.truth import Sample
from crawloop.values import is_blank

ROOM = 1_500  # tokens
_READINGS = frozenset(
    (
        *("text", "texts", "own_text", "own_texts", "attr", "attrs", "css", "css_first", "link", "lines"),
        *("labelled", "labelled_lines", "tail", "json", "json_all", "json_rows", "meta", "metas"),
    )
)
_LONGEST = 80


@dataclass(frozen=True, slots=True)
class Reading:
    """A call of the program on the page whose arguments stand in it. `field` is the key under which it stands."""

    method: str
    args: tuple[Any, ...]
    field: str = ""

    def __str__(self) -> str:
        return f"page.{self.method}({', '.join(json.dumps(one, ensure_ascii=False) for one in self.args)})"

    def of(self, view: PageView) -> Any:
        """What it finds on a page; None for nothing, also where a selector or path is none."""
        try:
            found = getattr(view, self.method)(*self.args)
        except (ValueError, TypeError):
            return None
        if self.method in ("css", "json_rows"):
            return f"{len(found)} matches" if found else None
        if self.method == "css_first":
            return found.text() if found is not None else None
        return None if is_blank(found) else found


def changes(source: str, samples: Sequence[Sample], schema: Schema, room: int = ROOM) -> str:
    """The readings of a program that find nothing or another thing on these pages, in so many tokens; "" for none."""
    known = [(one, PageView(one.page.html, one.page.base)) for one in samples if one.truth]
    parts = [part for one in readings(source) if (part := "\n".join(_change(one, known, schema)))]
    kept: list[str] = []
    for part in parts:
        room -= tokens(part) + 1
        if room < 0:
            kept.append(f"… and {len(parts) - len(kept)} more")
            break
        kept.append(part)
    return "\n".join(kept)


def readings(source: str) -> tuple[Reading, ...]:
    """The readings of a program in their order, each once; none of a source that does not parse."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return ()
    given = {one.args.args[0].arg for one in ast.walk(tree) if isinstance(one, ast.FunctionDef) and one.args.args}
    fields = dict(_by_field(tree))
    calls = (one for one in ast.walk(tree) if isinstance(one, ast.Call))
    found = (_reading(one, given, fields.get(one, "")) for one in calls)
    ordered = sorted((one for one in found if one is not None), key=lambda one: one[0])
    return tuple(dict.fromkeys(one for _, one in ordered))


def _by_field(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """What stands below the keys of dict displays and below assignments to keys, with the key."""
    for node in ast.walk(tree):
        pairs: list[tuple[ast.AST | None, ast.AST]] = []
        if isinstance(node, ast.Dict):
            pairs = list(zip(node.keys, node.values, strict=True))
        elif isinstance(node, ast.Assign):
            pairs = [(one.slice, node.value) for one in node.targets if isinstance(one, ast.Subscript)]
        for key, value in pairs:
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield from ((below, key.value) for below in ast.walk(value))


def _reading(call: ast.Call, given: Iterable[str], field: str) -> tuple[tuple[int, int], Reading] | None:
    """A call on the page with its place in the source, where all its arguments are constants."""
    at = call.func
    if not isinstance(at, ast.Attribute) or at.attr not in _READINGS or not isinstance(at.value, ast.Name):
        return None
    if at.value.id not in given or not call.args or not all(isinstance(one, ast.Constant) for one in call.args):
        return None
    args = tuple(one.value for one in call.args if isinstance(one, ast.Constant))
    return ((call.lineno, call.col_offset), Reading(at.attr, args, field)) if args[0] else None


def _change(one: Reading, known: Sequence[tuple[Sample, PageView]], schema: Schema) -> Iterator[str]:
    """What became of a reading: the pages on which it finds nothing, and those on which it finds another value."""
    field = schema[one.field] if one.field in schema.names else None
    found = [(sample, view, one.of(view)) for sample, view in known]
    empty = [(sample, view) for sample, view, got in found if got is None and (field is None or _right(sample, field))]
    other = [(sample, view, got) for sample, view, got in found if field and _is_other(got, sample, field)]
    label = f"{one.field}: {one}" if one.field else str(one)
    if empty:
        yield f"{label} matches nothing on {len(empty)} of {len(known)} pages"
    if other and field:
        wrong, right = _short(other[0][2]), _short(_right(other[0][0], field))
        yield f"{label} reads another thing on {len(other)} of {len(known)} pages ({wrong}, right is {right})"
    if field:
        missed = [*empty, *((sample, view) for sample, view, _ in other)]
        places = (support(view, _right(sample, field), field) for sample, view in missed)
        for place in next(filter(None, places), ()):
            yield f"  stands in {place.carrier}: {place.path} ({_short(place.snippet)})"


def _right(sample: Sample, field: Field) -> Any:
    rows = sample.truth.values() if sample.truth else ()
    return rows[0].get(field.name) if len(rows) == 1 else None


def _is_other(got: Any, sample: Sample, field: Field) -> bool:
    """Whether what is read holds the right value nowhere, in no form of it."""
    right = _right(sample, field)
    if got is None or is_blank(right):
        return False
    text = json.dumps(got, ensure_ascii=False, default=str) if isinstance(got, list | dict) else str(got)
    return not support(PageView(f"<p>{escape(text)}</p>", sample.page.base), right, field)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
