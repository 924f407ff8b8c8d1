"""Which readers make up a field: by what they got right, then by cost, with fallbacks from other carriers.

A reader that is wrong on any page is out, for null is better than wrong, unless many pages speak for it. Among the rest
those right on most pages come first, then the likelier; so are readers of the object in which most fields stand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from crawloop.carriers.naming import FITTING, affinity
from crawloop.carriers.reading_names import is_in_the_head, names_along, names_of, reads_by_name
from crawloop.extract.plan import FieldPlan
from crawloop.extract.reading import Expression, Read, innermost, json_path, steps
from crawloop.model.kind import Field
from crawloop.model.truth import SUM
from crawloop.strategy.detail.beside import BESIDE
from crawloop.strategy.judging.belief import believable, checks_form, is_anothers, rivalry
from crawloop.strategy.judging.judgement import Judged, Sight, labels_of
from crawloop.strategy.readers.labels import GUESSED, is_written
from crawloop.strategy.readers.reader import Reader
from crawloop.values import squash
from crawloop.values.votes import is_cut, is_one_of, may_be_outvoted

_JOINT = 0.6
_TIDIED = 0.4
_MARK_AT_THE_EDGE = re.compile(r"\A\s*[:|•·;–—-]\s|\s[:|•·;–—-]\s*\Z")
_SURE = 3
_FALLBACKS = 2
_LOOKED_AT = 60
_DEAREST_FALLBACK, _DEAREST_NAMED = 1.5, 2.4  # the latter for a single value where the place is called as the field is
_CHEAP = 0.5
_WORD = 4  # letters of a word that is no unit
_NAMED = 0.45


def joint(fields: dict[str, list[Judged]]) -> dict[str, list[Judged]]:
    """The same readers, cheaper by how many other fields have a right reader in the same JSON object."""
    held = {name: [(one, holder(one.reader)) for one in found] for name, found in fields.items()}
    holders: Counter[str] = Counter()
    for found in held.values():
        holders.update({at for one, at in found if at and one.right and not one.wrong})
    most = max(len(fields) - 1, 1)
    return {
        name: [dearer(one, -_JOINT * (holders[at] - 1) / most if at and holders[at] > 1 else 0.0) for one, at in found]
        for name, found in held.items()
    }


def contested(found: list[Judged], field: Field, others: Sequence[Field]) -> list[Judged]:
    """The same readers, dearer where what they read is named after another field."""
    cost = rivalry(field, tuple(others))
    return [
        dearer(one, cost(innermost(one.reader.expression))) if one.right and not one.wrong else one for one in found
    ]


def bared(found: list[Judged], sights: Sequence[Sight]) -> list[Judged]:
    """The same readers, dearer where they tidy what a label stands for and values of these records keep their marks."""
    if not any(_keeps_a_mark(value) for sight in sights for value in sight.values.values()):
        return found
    return [dearer(one, _TIDIED if _is_tidied(innermost(one.reader.expression)) else 0.0) for one in found]


def _keeps_a_mark(value: Any) -> bool:
    return isinstance(value, str) and _MARK_AT_THE_EDGE.search(value) is not None


def _is_tidied(read: Expression) -> bool:
    return isinstance(read, Read) and read.method == "labelled"


def dearer(one: Judged, by: float) -> Judged:
    """The same reader at a higher cost."""
    return Judged(one.reader.dearer(by), one.right, one.wrong, one.got) if by else one


def holder(reader: Reader) -> str | None:
    """The object that a JSON reader starts from: its typed root, or the path of its parent."""
    path = json_path(innermost(reader.expression))
    if path is None:
        return None
    typed = re.match(r"[@#][\w-]+", path)
    return typed[0] if typed else re.sub(r"(\.[^.\[\]]+|\[[^\]]*\])\Z", "", path)


def _is_believable(one: Judged, field: Field) -> bool:
    shown = [one.got[number] for number in sorted(one.right)]
    return believable(one.reader.expression, one.cost, one.reader.carrier, shown, field)


def _is_of_one_page(one: Judged, sights: Sequence[Sight]) -> bool:
    """Whether a reader is right on one page only, by a text that no other page has and its own has not as a label."""
    (number,) = one.right if len(one.right) == 1 else (-1,)
    if number < 0 or len(sights) == 1:
        return False
    elsewhere = [sight.lens.index.dom for place, sight in enumerate(sights) if place != number]
    return any(
        not any(squash(label) in dom.text.text for dom in elsewhere)
        and not is_written(sights[number].lens.index.dom, label)
        for label in labels_of(one.reader.expression)
    )


def _puts_together(one: Judged, field: Field, sights: Sequence[Sight]) -> bool:
    """Whether a reader that is right on one page only adds words to what it reads, and the page says both together:
    these are the page's own words then, and no fixed ones, such as units or a name of the field."""
    if len(one.right) != 1:
        return False
    added = [str(step.args[0]) for step in steps(one.reader.expression) if step.transform in ("prefix", "suffix")]
    if all(len(text.strip()) < _WORD or affinity(field, text) >= _NAMED for text in added if text[:1]):
        return False
    (number,) = one.right
    return bool(sights[number].lens.index.places_of_text(str(sights[number].values[field.name])))


def chain(found: Sequence[Judged], field: Field, sights: Sequence[Sight]) -> list[Judged]:
    """The chosen reader and its fallbacks, or nothing."""
    right = [one for one in found if not one.wrong and one.right]
    right = sorted(right, key=lambda one: (-len(one.right), one.cost))[:_LOOKED_AT]
    told = [one.values for one in sights]

    def holds(one: Judged) -> bool:
        return (
            _is_believable(one, field)
            and not _is_of_one_page(one, sights)
            and not is_anothers(one.got, one.right, told, field)
            and not _puts_together(one, field, sights)
            and not _says_a_part(one, field, sights)
        )

    first = next(filter(holds, right), None)
    nearly = _nearly(found, field)
    if nearly is not None and (first is None or len(nearly.right) > len(first.right)):
        apart = [] if _cuts(nearly, field, sights) else [one for one in right if nearly.wrong <= one.right]
        return [*islice(filter(holds, apart), 1), nearly]
    if first is None:
        return []
    chosen = [first]
    covered = set(first.right)
    others = right[right.index(first) + 1 :]
    for one in sorted(others, key=lambda one: (-len(one.right - first.right), one.cost)):
        if len(chosen) > _FALLBACKS:
            break
        if (one.right - covered or _may_follow(one, chosen, field)) and holds(one):
            chosen.append(one)
            covered |= one.right
    sums = (one for one in right if one.reader.carrier == SUM)
    return [*chosen, *_last(filter(holds, sums), chosen, field)]


def _last(sums: Iterable[Judged], chosen: Sequence[Judged], field: Field) -> list[Judged]:
    """A sum to fall back on behind all that say the whole, where too few pages speak for these to take a vote."""
    is_new = all(one.reader.carrier != SUM for one in chosen)
    may = is_new and len(chosen[0].right) < _SURE
    return [one for one in sums if _may_follow(one, chosen, field)][:1] if may else []


def _nearly(found: Sequence[Judged], field: Field) -> Judged | None:
    """The likeliest reader that is wrong on few of many pages, rather one that reads several values: behind one that is
    right where it is wrong, as the price on sale is, or alone, for the loop to say whether it outvotes the labels."""
    some = [one for one in found if may_be_outvoted(len(one.right), len(one.wrong)) and _is_believable(one, field)]
    return max(some, key=lambda one: (len(one.right), len(set(map(repr, one.got))) > 1, -one.cost), default=None)


def _cuts(one: Judged, field: Field, sights: Sequence[Sight]) -> bool:
    """Whether a value is a part of what a reader gives there: a slip, and no exception."""
    return any(is_cut(sights[number].values.get(field.name), one.got[number]) for number in one.wrong)


def _says_a_part(one: Judged, field: Field, sights: Sequence[Sight]) -> bool:
    """Whether a reader gives one of several things that a person names where the page does not say them together."""
    said = [sight.uncarried.get(field.name) for sight in sights]
    return any(is_one_of(got, several) for got, several in zip(one.got, said, strict=True))


def _may_follow(one: Judged, chosen: Sequence[Judged], field: Field) -> bool:
    """Whether a reader is fit to fall back on: another carrier, as right as the first, and not much less likely.

    One that takes only what has the form of a code may read from anywhere but a place that is counted: where the code
    is missing another one may be next. What is read beside another field is not to be guessed, nor what is refused
    because there are several. A key of the head says what it holds: it must name the field.
    """
    first = chosen[0].reader
    refuses = first.carrier == BESIDE or any(step.transform == "only" for step in steps(first.expression))
    if len(one.right) < len(chosen[0].right) or refuses:
        return False
    if one.reader.carrier == SUM:
        return first.carrier != SUM
    reads = innermost(one.reader.expression)
    if checks_form(one.reader.expression):
        return not is_counted(reads) and all(reads != innermost(other.reader.expression) for other in chosen)
    free = one.reader.carrier != GUESSED and (not is_in_the_head(reads) or reads_by_name(reads, field))
    apart = free and all(one.reader.carrier != other.reader.carrier for other in chosen)
    is_sure = not field.many and _is_called_so(one.reader.expression, field)
    dearest = _DEAREST_NAMED if is_sure else _DEAREST_FALLBACK
    return apart and one.cost <= min(max(chosen[0].cost, 0.0) + dearest - _CHEAP, dearest)


def _is_called_so(expression: Expression, field: Field) -> bool:
    """Whether the place of a reading is named after the field, or what it stands in, or its tag as `h1` is a title."""
    called = (*names_of(expression), *names_along(innermost(expression)))
    return any(affinity(field, one) >= FITTING for one in called)


def is_counted(read: Expression) -> bool:
    """Whether a reading finds its place by counting elements."""
    return isinstance(read, Read) and bool(read.args) and ":nth-" in str((read.args or ("",))[0])


def field_plan(chosen: Sequence[Judged], left_out: int = 0, unconfirmed: bool = False) -> FieldPlan:
    """The field's chain; with three pages or more behind every reader, those that disagree give null instead.

    So do those of a text that only the markup told: it is believed where readers see the same, on later pages too.
    Pages left out for a test count: what is tested is to be read as it will be read with them.
    What only takes the form of a code out of a text has no vote: a code that goes on after it looks the same. Nor has a
    sum: the whole may hold more than its parts.
    """
    voting = not any(checks_form(one.reader.expression) or one.reader.carrier == SUM for one in chosen[1:])
    known = unconfirmed or all(len(one.right) + left_out >= _SURE for one in chosen)
    sure = len(chosen) > 1 and voting and known
    return FieldPlan(tuple(one.reader.expression for one in chosen), "agreed" if sure else "first")
