"""What a reviewer should know of a field: carriers, the path chosen, the runners-up, and why it is left out.

right readings: 4 of json, 2 of label, 1 of text
reads page.json("@Product.sku"): right on 3 of 3 pages
would also do: page.labelled("SKU") (3 of 3); page.text("td.sku") (2 of 3)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from crawloop.extract.plan import FieldPlan
from crawloop.extract.reading import printed
from crawloop.model.kind import Field
from crawloop.schemas.expect import shown
from crawloop.strategy.judging.judgement import Judged, Sight

_RUNNERS_UP = 3
_DIFFERENCES = 3


def notes(chosen: Sequence[Judged], found: Sequence[Judged], field: Field, sights: Sequence[Sight]) -> tuple[str, ...]:
    """The lines on one field: `chosen` are its readers in order, `found` all that were judged on `sights`."""
    known = [number for number, sight in enumerate(sights) if field.name in sight.values]
    right = [one for one in found if one.right and not one.wrong]
    lines = [_carriers(right)] if right else []
    if chosen:
        first, *rest = chosen
        lines.append(f"reads {_path(first)}: right on {_share(first, known)} pages")
        lines += [f"where that is empty: {_path(one)}, right on {_share(one, known)}" for one in rest]
        others = list(_runners_up(right, chosen))
        if others:
            lines.append("would also do: " + "; ".join(f"{_path(one)} ({_share(one, known)})" for one in others))
        return (*lines, *_differences(first, field, sights))
    nearest = max(found, key=lambda one: (len(one.right), -one.cost), default=None)
    if nearest is None:
        return ("no carrier on the page gives this value",)
    if not nearest.wrong:
        return (*lines, f"left out: {_path(nearest)}, right on {_share(nearest, known)}, may be a coincidence")
    lines.append(f"left out: the nearest, {_path(nearest)}, is wrong on {len(nearest.wrong)} of the pages")
    return (*lines, *_differences(nearest, field, sights))


def by_its_name(plan: FieldPlan, place: str = "page") -> str:
    """The line on a field that nobody taught."""
    return f"taught by no sample, read by its name: {printed(plan.expression, place)}"


def _carriers(right: Sequence[Judged]) -> str:
    counts = Counter(one.reader.carrier for one in right)
    return "right readings: " + ", ".join(f"{count} of {carrier}" for carrier, count in counts.most_common())


def _path(one: Judged) -> str:
    return printed(one.reader.expression)


def _share(one: Judged, known: Sequence[int]) -> str:
    return f"{len(one.right)} of {len(known)}"


def _runners_up(right: Sequence[Judged], chosen: Sequence[Judged]) -> Iterator[Judged]:
    """The likeliest of each carrier that were not chosen, the most often right first."""
    best: dict[str, Judged] = {}
    for one in sorted(right, key=lambda one: (-len(one.right), one.cost)):
        if one not in chosen:
            best.setdefault(one.reader.carrier, one)
    yield from list(best.values())[:_RUNNERS_UP]


def _differences(nearest: Judged, field: Field, sights: Sequence[Sight]) -> Iterator[str]:
    for number in sorted(nearest.wrong)[:_DIFFERENCES]:
        sight = sights[number]
        said = shown(sight.values[field.name]) if field.name in sight.values else "that there is none"
        yield f"{sight.lens.url} says {said}, the page shows {shown(nearest.got[number])}"
