"""Lists whose elements stand in different places: a title above the page, its short form in a table below.

    unique(clean([page.text("h1"), page.labelled("Product name")]))

A place counts as a source where it gives elements of the list, or nothing, on every page that knows the field.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from crawloop.extract.reading import Apply, Read, Several
from crawloop.model.kind import Field, Kind
from crawloop.strategy.choose import Sight, empty
from crawloop.strategy.reader import Reader
from crawloop.strategy.scalars import of_scalar
from crawloop.strategy.shape import same

_MOST_PARTS = 4
_SOURCES = 6  # of each part
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
    sources = [_sources(part, field, teacher, known, carriers) for part in parts]
    for chosen in product(*sources):
        together = Apply("unique", (Apply("clean", (Several(tuple(one.expression for one in chosen)),)),))
        yield Reader(together, _BY_PLACES + sum(one.cost for one in chosen) / len(chosen), "text")


def _sources(part: str, field: Field, teacher: Sight, known: Sequence[Sight], carriers: frozenset[str]) -> list[Reader]:
    """The likeliest plain readings of one element that give nothing but elements of the list elsewhere."""
    single = replace(field, many=False)
    plain = {
        one.expression: one
        for one in sorted(of_scalar(teacher.lens, part, part, single, carriers), key=lambda one: -one.cost)
        if isinstance(one.expression, Read)
    }
    found: list[Reader] = []
    for one in sorted(plain.values(), key=lambda one: one.cost):
        if len(found) < _SOURCES and all(_is_an_element(one, single, sight) for sight in known):
            found.append(one)
    return found


def _is_an_element(reader: Reader, single: Field, sight: Sight) -> bool:
    value = sight.lens.read(reader.expression)
    return empty(value) or any(same(value, one, single, sight.lens.url) for one in sight.values[single.name])
