"""Which readers make up a field: judged on every page with truth, then by cost, with fallbacks from other carriers.

A reader that is wrong on any page is out, for null is better than wrong, unless many pages speak for it. Among the rest
those right on most pages come first, then the likelier; so are readers of the object in which most fields stand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from crawloop.carriers.called import BY_LABEL
from crawloop.extract.plain import flat
from crawloop.extract.plan import FieldPlan
from crawloop.extract.reading import Absolute, Apply, Expression, Read, Several, innermost, json_path, steps
from crawloop.model.kind import Field
from crawloop.strategy.belief import believable, checks_form, is_anothers, rivalry
from crawloop.strategy.beside import BESIDE
from crawloop.strategy.labels import GUESSED, is_written
from crawloop.strategy.lens import Lens, Told
from crawloop.strategy.reader import Reader
from crawloop.strategy.selectors import FROM_LAST
from crawloop.strategy.shape import same
from crawloop.values import fold, squash
from crawloop.values.votes import is_cut, may_be_outvoted

_JOINT = 0.6
_TIDIED = 0.4
_MARK_AT_THE_EDGE = re.compile(r"\A\s*[:|•·;–—-]\s|\s[:|•·;–—-]\s*\Z")
_SURE = 3
_MOST_READERS = 400
_FALLBACKS = 2
_LOOKED_AT = 60
_TELLING = 6
_DEAREST_FALLBACK = 1.5


@dataclass(frozen=True, slots=True)
class Sight:
    """A page under study with what is true of it. A field in neither `values` nor `absent` is unknown there; of those
    in `hearsay` a model alone speaks."""

    lens: Lens
    values: dict[str, Any]
    absent: frozenset[str]
    hearsay: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Judged:
    """A reader with its count over the pages that know the field, and its values on all pages."""

    reader: Reader
    right: frozenset[int]
    wrong: frozenset[int]
    got: tuple[Any, ...]

    @property
    def cost(self) -> float:
        return self.reader.cost


def judged(readers: Iterable[Reader], field: Field, sights: Sequence[Sight]) -> list[Judged]:
    """The readers, each expression once at its lowest cost, with what they give on every page.

    A label that is itself a value of some page ("New", a product's name), or half of it, is none: those are left out.
    So are counts of the elements beside one where a single page cannot say whether they are always as many.
    """
    values: frozenset[str] | None = None
    cheapest: dict[Expression, Reader] = {}
    for one in readers:
        labels = list(_labels_of(one.expression))
        if labels and values is None:
            values = _texts_of(sights)
        if values and any(_speaks_of(fold(label), values) for label in labels):
            continue
        if len(sights) == 1 and _counts_siblings(innermost(one.expression)):
            continue
        known = cheapest.get(one.expression)
        if known is None or one.cost < known.cost:
            cheapest[one.expression] = one
    ranked = sorted(cheapest.values(), key=lambda one: one.cost)[:_MOST_READERS]
    told = [_told_of(field, one) for one in sights]
    found = [_judge(one, field, sights, told) for one in ranked]
    return [one for one in found if not _cuts_once(one, sights)]


def _cuts_once(one: Judged, sights: Sequence[Sight]) -> bool:
    """Whether an end is cut off on a single page, and on the others that are right there is nothing to cut: a slip."""
    if len(one.right) < 2:
        return False
    for step in steps(one.reader.expression):
        if step.transform in ("strip_prefix", "strip_suffix"):
            lenses = [sights[number].lens for number in one.right]
            if sum(lens.read(step) != lens.read(step.to[0]) for lens in lenses) == 1:
                return True
    return False


def _texts_of(sights: Sequence[Sight]) -> frozenset[str]:
    """The values of all pages that are texts."""
    given = (one for sight in sights for value in sight.values.values() for one in flat([value]))
    return frozenset(fold(one) for one in given if isinstance(one, str))


def _counts_siblings(read: Expression) -> bool:
    return isinstance(read, Read) and any(FROM_LAST in str(one) for one in read.args or ())


def _speaks_of(label: str, values: Set[str]) -> bool:
    """Whether a label is a value, or as good as one: "Moor College - Home"."""
    return label in values or any(one in label for one in values if _TELLING <= len(one) < len(label) <= 2 * len(one))


def _labels_of(expression: Expression) -> Iterator[str]:
    """The labels that an expression looks for."""
    match expression:
        case Read(method, (str(label), *_)) if method in BY_LABEL:
            yield label
        case Apply(_, to):
            yield from (label for one in to for label in _labels_of(one))
        case Several(items):
            yield from (label for one in items for label in _labels_of(one))
        case Absolute(link):
            yield from _labels_of(link)


def _told_of(field: Field, sight: Sight) -> Told:
    """What is known already of readers on this page; a test without another page asks the same again."""
    key = field, repr(sight.values.get(field.name)), field.name in sight.absent
    return sight.lens.told.setdefault(key, {})


def _judge(reader: Reader, field: Field, sights: Sequence[Sight], told: Sequence[Told]) -> Judged:
    right: set[int] = set()
    wrong: set[int] = set()
    got = []
    for number, (sight, known) in enumerate(zip(sights, told, strict=True)):
        if reader.expression not in known:
            value = sight.lens.read(reader.expression)
            known[reader.expression] = value, _is_right(value, field, sight)
        value, is_right = known[reader.expression]
        got.append(value)
        if is_right is not None:
            (right if is_right else wrong).add(number)
    return Judged(reader, frozenset(right), frozenset(wrong), tuple(got))


def _is_right(value: Any, field: Field, sight: Sight) -> bool | None:
    """Whether a value is the page's; None where it says nothing, or nothing is known of the field there."""
    if empty(value):
        return None
    if field.name in sight.values:
        return same(value, sight.values[field.name], field, sight.lens.url)
    return False if field.name in sight.absent else None


def empty(value: Any) -> bool:
    return value is None or value == "" or value == []


def joint(fields: dict[str, list[Judged]]) -> dict[str, list[Judged]]:
    """The same readers, cheaper by how many other fields have a right reader in the same JSON object."""
    holders: Counter[str] = Counter()
    for found in fields.values():
        holders.update({at for one in found if not one.wrong and one.right and (at := holder(one.reader))})
    most = max(len(fields) - 1, 1)
    return {
        name: [
            dearer(one, -_JOINT * (holders[at] - 1) / most if (at := holder(one.reader)) and holders[at] > 1 else 0.0)
            for one in found
        ]
        for name, found in fields.items()
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
    return replace(one, reader=replace(one.reader, cost=one.cost + by)) if by else one


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
        for label in _labels_of(one.reader.expression)
    )


def chain(found: Sequence[Judged], field: Field, sights: Sequence[Sight]) -> list[Judged]:
    """The chosen reader and its fallbacks, or nothing."""
    good = sorted((one for one in found if not one.wrong and one.right), key=lambda one: (-len(one.right), one.cost))
    told = [one.values for one in sights]
    good = [one for one in good[:_LOOKED_AT] if _is_believable(one, field) and not _is_of_one_page(one, sights)]
    good = [one for one in good if not is_anothers(one.got, one.right, told, field)]
    nearly = _nearly(found, field)
    if nearly is not None and (not good or len(nearly.right) > len(good[0].right)):
        exceptions = [] if _cuts(nearly, field, sights) else [one for one in good if nearly.wrong <= one.right]
        return [*exceptions[:1], nearly]
    if not good:
        return []
    chosen = [good[0]]
    covered = set(good[0].right)
    for one in sorted(good[1:], key=lambda one: (-len(one.right - covered), one.cost)):
        if len(chosen) > _FALLBACKS:
            break
        new = one.right - covered
        if new or _may_follow(one, chosen):
            chosen.append(one)
            covered |= new
    return chosen


def _nearly(found: Sequence[Judged], field: Field) -> Judged | None:
    """The likeliest reader that is wrong on few of many pages, rather one that reads several values: behind one that is
    right where it is wrong, as the price on sale is, or alone, for the loop to say whether it outvotes the labels."""
    some = [one for one in found if may_be_outvoted(len(one.right), len(one.wrong)) and _is_believable(one, field)]
    return max(some, key=lambda one: (len(one.right), len(set(map(repr, one.got))) > 1, -one.cost), default=None)


def _cuts(one: Judged, field: Field, sights: Sequence[Sight]) -> bool:
    """Whether a value is a part of what a reader gives there: a slip, and no exception."""
    return any(is_cut(sights[number].values.get(field.name), one.got[number]) for number in one.wrong)


def _may_follow(one: Judged, chosen: Sequence[Judged]) -> bool:
    """Whether a reader is fit to fall back on: another carrier, as right as the first, and not much less likely.

    One that takes only what has the form of a code may read from anywhere but a place that is counted: where the code
    is missing another one may be next. What is read beside another field is not to be guessed, nor what is refused
    because there are several.
    """
    first = chosen[0].reader
    refuses = first.carrier == BESIDE or any(step.transform == "only" for step in steps(first.expression))
    if len(one.right) < len(chosen[0].right) or refuses:
        return False
    if checks_form(one.reader.expression):
        reads = innermost(one.reader.expression)
        return not is_counted(reads) and all(reads != innermost(other.reader.expression) for other in chosen)
    free = one.reader.carrier != GUESSED
    apart = free and all(one.reader.carrier != other.reader.carrier for other in chosen)
    return apart and one.cost <= min(max(chosen[0].cost, 0.0) + 1.0, _DEAREST_FALLBACK)


def is_counted(read: Expression) -> bool:
    """Whether a reading finds its place by counting elements."""
    return isinstance(read, Read) and bool(read.args) and ":nth-" in str((read.args or ("",))[0])


def field_plan(chosen: Sequence[Judged], left_out: int = 0) -> FieldPlan:
    """The field's chain; with three pages or more behind every reader, those that disagree give null instead.

    Pages left out for a test count: what is tested is to be read as it will be read with them.
    What only takes the form of a code out of a text has no vote: a code that goes on after it looks the same.
    """
    voting = not any(checks_form(one.reader.expression) for one in chosen[1:])
    sure = len(chosen) > 1 and voting and all(len(one.right) + left_out >= _SURE for one in chosen)
    return FieldPlan(tuple(one.reader.expression for one in chosen), "agreed" if sure else "first")
