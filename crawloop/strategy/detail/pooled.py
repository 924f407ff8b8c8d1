"""Values whose parts stand in different places: a title above the page and its short form in a table below, the two
sides of a case, each beside its label.

    unique(clean([page.text("h1"), page.labelled("Product name")]))              a list
    match(join([page.text("h1"), page.labelled("Against")], " v. "), "…")        a text; null where a side is missing
    join([page.labelled("For", blank=True), page.labelled("Against", blank=True)], " v. ", whole=True)
                                                    one side alone where the place of the other is empty

A place counts as a source where it gives parts of the value, or nothing, on every page that knows the field; one that
is counted ("the third heading") only where several pages do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from crawloop.carriers.support import sides_of
from crawloop.extract.reading import Apply, Expression, Read, Several, innermost
from crawloop.model.kind import Field, Kind
from crawloop.strategy.detail.choose import is_counted
from crawloop.strategy.judging.judgement import Sight, empty
from crawloop.strategy.readers.reader import Reader
from crawloop.strategy.readers.scalars import of_scalar
from crawloop.strategy.shaping.shape import same
from crawloop.values import fold

_MOST_PARTS = 4
_SOURCES = {2: 6, 3: 4, 4: 3}  # of each part, by how many there are
_TEACHERS = 2
_BY_PLACES = 1.0
_LACKING = 0.2  # what it costs that one side alone is a value too

IsPart = Callable[[Any, Sight], bool]


def pooled(field: Field, sights: Sequence[Sight], carriers: frozenset[str]) -> Iterator[Reader]:
    """Readers that put a value together from one place for each of its parts."""
    known = [one for one in sights if field.name in one.values]
    if known and field.kind is Kind.TEXT:
        yield from (_listed if field.many else _joined)(field, known, carriers)


def _listed(field: Field, known: Sequence[Sight], carriers: frozenset[str]) -> Iterator[Reader]:
    """A short list, each of its elements once."""
    teacher = max(known, key=lambda one: len(one.values[field.name]))
    parts = teacher.values[field.name]
    if not 1 < len(parts) <= _MOST_PARTS or len(set(parts)) < len(parts):
        return

    def is_element(value: Any, sight: Sight) -> bool:
        return any(same(value, one, field.single, sight.lens.url) for one in sight.values[field.name])

    most = _SOURCES[len(parts)]
    sources = [_sources(part, field.single, teacher, known, carriers, is_element)[:most] for part in parts]
    for chosen in product(*sources):
        together = Apply("unique", (Apply("clean", (Several(tuple(one.expression for one in chosen)),)),))
        yield Reader(together, _cost(chosen), "text")


def _joined(field: Field, known: Sequence[Sight], carriers: frozenset[str]) -> Iterator[Reader]:
    """A text of two sides with the same words between them; both are there, or one alone is a value too."""
    for teacher in known[:_TEACHERS]:
        for sep, head, tail in sides_of(teacher.values[field.name]):
            pairs = list(product(*_both(head, tail, field, teacher, known, carriers)))
            for chosen in pairs:
                sides = Several(tuple(one.expression for one in chosen))
                if labelled := _by_labels(sides):
                    yield Reader(Apply("join", (labelled,), (sep,), (("whole", True),)), _cost(chosen), "text")
                together = Apply("join", (Apply("clean", (sides,)),), (sep,))
                yield Reader(Apply("match", (together,), (f"^(.+{_plain(sep)}.+)$",)), _cost(chosen), "text")
                yield Reader(together, _cost(chosen) + _LACKING, "text")
            if pairs:
                return


def _by_labels(sides: Several) -> Several | None:
    """The two sides where each stands beside its label: a page whose label has an empty place says that it lacks it."""
    labelled = [one for one in sides.items if isinstance(one, Read) and one.method == "labelled"]
    return Several(tuple(replace(one, blank=True) for one in labelled)) if len(labelled) == len(sides.items) else None


def _both(
    head: str, tail: str, field: Field, teacher: Sight, known: Sequence[Sight], carriers: frozenset[str]
) -> Iterator[list[Reader]]:
    def starts(value: Any, sight: Sight) -> bool:
        return fold(sight.values[field.name]).startswith(fold(str(value)))

    def ends(value: Any, sight: Sight) -> bool:
        return fold(sight.values[field.name]).endswith(fold(str(value)))

    for part, is_part in ((head, starts), (tail, ends)):
        yield _sources(part, field, teacher, known, carriers, is_part)[: _SOURCES[2]]


def _sources(
    part: str, field: Field, teacher: Sight, known: Sequence[Sight], carriers: frozenset[str], is_part: IsPart
) -> list[Reader]:
    """The likeliest readings of one part that give nothing but parts of the value elsewhere."""
    costs: dict[Expression, float] = {}
    for one in of_scalar(teacher.lens, part, part, field, carriers):
        if _is_whole(one.expression) and (len(known) > 1 or not is_counted(innermost(one.expression))):
            costs[one.expression] = min(one.cost, costs.get(one.expression, one.cost))
    ranked = [Reader(one, cost, "text") for one, cost in sorted(costs.items(), key=lambda one: one[1])]
    return [one for one in ranked if all(_gives_parts(one, sight, is_part) for sight in known)]


def _is_whole(expression: Expression) -> bool:
    """Whether what stands at a place is taken as it is: a text, or one of its lines."""
    read = innermost(expression)
    return isinstance(expression, Read) or (isinstance(read, Read) and read.method == "lines")


def _gives_parts(reader: Reader, sight: Sight, is_part: IsPart) -> bool:
    value = sight.lens.read(reader.expression)
    return empty(value) or is_part(value, sight)


def _cost(chosen: Sequence[Reader]) -> float:
    return _BY_PLACES + sum(one.cost for one in chosen) / len(chosen)


def _plain(words: str) -> str:
    return re.escape(words).replace("\\ ", " ")
