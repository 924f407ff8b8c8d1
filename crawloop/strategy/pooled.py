"""Lists whose elements stand in different places: a title above the page, its short form in a table below.

    unique(clean([page.text("h1"), page.labelled("Product name")]))

A place counts as a source where it gives elements of the list, or nothing, on every page that knows the field; one that
is counted ("the third heading") only where several pages do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from crawloop.extract.reading import Apply, Expression, Read, Several, innermost
from crawloop.model.kind import Field, Kind
from crawloop.strategy.choose import is_counted
from crawloop.strategy.judgement import Sight, empty
from crawloop.strategy.reader import Reader
from crawloop.strategy.scalars import of_scalar
from crawloop.strategy.shape import same

_MOST_PARTS = 4
_SOURCES = {2: 6, 3: 4, 4: 3}  # of each part, by how many there are
_BY_PLACES = 1.0


def pooled(field: Field, sights: Sequence[Sight], carriers: frozenset[str]) -> Iterator[Reader]:
    """Readers that put a short list together from one place for each of its elements, each value once."""
    known = [one for one in sights if field.name in one.values]
    teacher = max(known, key=lambda one: len(one.values[field.name]), default=None)
    if teacher is None or field.kind is not Kind.TEXT:
        return
    parts = teacher.values[field.name]
    if not 1 < len(parts) <= _MOST_PARTS or len(set(parts)) < len(parts):
        return
    most = _SOURCES[len(parts)]
    sources = [_sources(part, field, teacher, known, carriers)[:most] for part in parts]
    for chosen in product(*sources):
        together = Apply("unique", (Apply("clean", (Several(tuple(one.expression for one in chosen)),)),))
        yield Reader(together, _BY_PLACES + sum(one.cost for one in chosen) / len(chosen), "text")


def _sources(part: str, field: Field, teacher: Sight, known: Sequence[Sight], carriers: frozenset[str]) -> list[Reader]:
    """The likeliest readings of one element that give nothing but elements of the list elsewhere."""
    single = field.single
    costs: dict[Expression, float] = {}
    for one in of_scalar(teacher.lens, part, part, single, carriers):
        if _is_whole(one.expression) and (len(known) > 1 or not is_counted(innermost(one.expression))):
            costs[one.expression] = min(one.cost, costs.get(one.expression, one.cost))
    ranked = [Reader(one, cost, "text") for one, cost in sorted(costs.items(), key=lambda one: one[1])]
    return [one for one in ranked if all(_is_an_element(one, single, sight) for sight in known)]


def _is_whole(expression: Expression) -> bool:
    """Whether what stands at a place is taken as it is: a text, or one of its lines."""
    read = innermost(expression)
    return isinstance(expression, Read) or (isinstance(read, Read) and read.method == "lines")


def _is_an_element(reader: Reader, single: Field, sight: Sight) -> bool:
    value = sight.lens.read(reader.expression)
    return empty(value) or any(same(value, one, single, sight.lens.url) for one in sight.values[single.name])
