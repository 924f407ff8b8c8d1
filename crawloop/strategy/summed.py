"""Fields that are the sum of others of the same record: what a page does not say as a whole, its parts do.

total([duration(page.json("@Recipe.prepTime")), duration(page.json("@Recipe.cookTime"))])
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from crawloop.carriers.naming import affinity
from crawloop.extract.reading import Apply, Expression, Several
from crawloop.model.kind import Field, Kind
from crawloop.strategy.judgement import Sight
from crawloop.strategy.reader import Reader
from crawloop.values import equal, normalise

SUM = "sum"  # the carrier
_KINDS = (Kind.DURATION, Kind.MONEY)
_MOST_PARTS = 3
_NAMED = 0.6
_COST, _WITH_GAPS = 3.0, 0.1  # dearer than what the page says itself


def summed(field: Field, parts: Mapping[Field, Expression], sights: Sequence[Sight]) -> Iterator[Reader]:
    """Readers of a field that is called a total and is the sum of two or three others; `parts` are those with how they
    are read. A sum of what is there of them is proposed where a page on which one is missing bears it out.
    """
    if field.many or field.kind not in _KINDS or affinity(field, "total") < _NAMED:
        return
    alike = [
        one for one in parts if one.kind is field.kind and one.unit == field.unit and not one.many and one != field
    ]
    for number in range(2, _MOST_PARTS + 1):
        for chosen in combinations(alike, number):
            several = Several(tuple(parts[one] for one in chosen))
            for gaps, named in enumerate(((), (("gaps", True),))):
                if _bears_out(field, chosen, sights, gaps=bool(gaps)):
                    yield Reader(Apply("total", (several,), (), named), _COST + gaps * _WITH_GAPS, SUM)


def _bears_out(field: Field, parts: Sequence[Field], sights: Sequence[Sight], *, gaps: bool) -> bool:
    """Whether on some page the parts that the page has come to the whole: all of them, or with `gaps` only some."""
    for sight in sights:
        sizes = [normalise(sight.values.get(one.name), one) for one in parts]
        known = [one for one in sizes if one]
        told = field.name in sight.values and bool(known) and (len(known) < len(parts)) == gaps
        if told and equal(sum(known), sight.values[field.name], field):
            return True
    return False
