"""Fields that are the sum of others of the same record: what a page does not say as a whole, its parts do.

total([duration(page.json("@Recipe.prepTime")), duration(page.json("@Recipe.cookTime"))])
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from crawloop.carriers.totals import comes_to, parts_of
from crawloop.extract.reading import Apply, Expression, Several
from crawloop.model.kind import Field
from crawloop.model.truth import SUM
from crawloop.strategy.judging.judgement import Sight
from crawloop.strategy.readers.reader import Reader

_COST, _WITH_GAPS = 3.0, 0.1  # dearer than what the page says itself


def summed(field: Field, parts: Mapping[Field, Expression], sights: Sequence[Sight]) -> Iterator[Reader]:
    """Readers of a field that is called a total and is the sum of two or three others; `parts` are those with how they
    are read. A sum of what is there of them is proposed where a page on which one is missing bears it out.
    """
    for chosen in parts_of(field, parts):
        several = Several(tuple(parts[one] for one in chosen))
        for gaps, named in enumerate(((), (("gaps", True),))):
            if _bears_out(field, chosen, sights, gaps=bool(gaps)):
                yield Reader(Apply("total", (several,), (), named), _COST + gaps * _WITH_GAPS, SUM)


def _bears_out(field: Field, parts: Sequence[Field], sights: Sequence[Sight], *, gaps: bool) -> bool:
    """Whether on some page the parts that the page has come to the whole: all of them, or with `gaps` only some."""
    return any(
        comes_to(sight.values[field.name], field, [sight.values.get(one.name) for one in parts], parts, gaps=gaps)
        for sight in sights
        if field.name in sight.values
    )
