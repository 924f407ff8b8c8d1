"""Readers counted: on which pages with truth each is right, on which it is wrong, and what it gives there.

A label that is a value of the records is none, and what a single page cannot tell apart from chance is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from crawloop.carriers.reading_names import BY_LABEL
from crawloop.extract.reading import Absolute, Apply, Expression, Read, Several, innermost, steps
from crawloop.extract.vocabulary.plain import flat
from crawloop.model.kind import Field
from crawloop.strategy.readers.labels import is_written
from crawloop.strategy.readers.lens import Lens, Told
from crawloop.strategy.readers.reader import Reader
from crawloop.strategy.readers.selectors import FROM_LAST
from crawloop.strategy.shaping.shape import same
from crawloop.values import fold

_MOST_READERS = 400
_TELLING = 6


@dataclass(frozen=True, slots=True)
class Sight:
    """A page under study with what is true of it. A field in neither `values` nor `absent` is unknown there; of those
    in `hearsay` a model alone speaks, of those `unconfirmed` the page's markup alone. `spoken_of` are also those whose
    values the page does not carry, `uncarried` what a person says of them."""

    lens: Lens
    values: dict[str, Any]
    absent: frozenset[str]
    hearsay: frozenset[str] = frozenset()
    spoken_of: frozenset[str] = frozenset()
    unconfirmed: frozenset[str] = frozenset()
    uncarried: Mapping[str, Any] = field(default_factory=dict)


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
    cheapest: dict[Expression, Reader] = {}
    for one in readers:
        known = cheapest.get(one.expression)
        if known is None or one.cost < known.cost:
            cheapest[one.expression] = one
    ranked = sorted(_fit(cheapest, sights), key=lambda one: one.cost)[:_MOST_READERS]
    told = [_told_of(field, one) for one in sights]
    found = [_judge(one, field, sights, told) for one in ranked]
    return [one for one in found if not _cuts_once(one, sights)]


def _fit(found: Mapping[Expression, Reader], sights: Sequence[Sight]) -> Iterator[Reader]:
    """The readers whose labels are labels, and whose counts are told by more than one page."""
    values: frozenset[str] | None = None
    for expression, reader in found.items():
        labels = labels_of(expression)
        if labels and values is None:
            values = _texts_of(sights)
        if values and any(_speaks_of(fold(label), values) for label in labels):
            continue
        if len(sights) > 1 or not _counts_siblings(innermost(expression)):
            yield reader


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
    """All values that are texts; without what all pages write as a label and only a model calls a value."""
    doms = [sight.lens.index.dom for sight in sights]
    given = ((one, name in at.hearsay) for at in sights for name, said in at.values.items() for one in flat([said]))
    texts = ((one, doubted) for one, doubted in given if isinstance(one, str))
    return frozenset(
        fold(one) for one, doubted in texts if not doubted or not all(is_written(dom, one) for dom in doms)
    )


def _counts_siblings(read: Expression) -> bool:
    return isinstance(read, Read) and any(FROM_LAST in str(one) for one in read.args or ())


def _speaks_of(label: str, values: Set[str]) -> bool:
    """Whether a label is a value, or as good as one: "Moor College - Home"."""
    return label in values or any(one in label for one in values if _TELLING <= len(one) < len(label) <= 2 * len(one))


def labels_of(expression: Expression) -> tuple[str, ...]:
    """The labels that an expression looks for."""
    match expression:
        case Read(method, (str(label), *_)) if method in BY_LABEL:
            return (label,)
        case Apply(_, parts) | Several(parts):
            return tuple(chain.from_iterable(map(labels_of, parts)))
        case Absolute(link):
            return labels_of(link)
    return ()


def _told_of(field: Field, sight: Sight) -> Told:
    """What is known already of readers on this page; a test without another page asks the same again."""
    key = field, repr(sight.values.get(field.name)), field.name in sight.absent
    return sight.lens.told.setdefault(key, {})


def _judge(reader: Reader, field: Field, sights: Sequence[Sight], told: Sequence[Told]) -> Judged:
    right: set[int] = set()
    wrong: set[int] = set()
    got = []
    for number, (sight, known) in enumerate(zip(sights, told, strict=True)):
        judgement = known.get(reader.expression)
        if judgement is None:
            value = sight.lens.read(reader.expression)
            judgement = known[reader.expression] = value, _is_right(value, field, sight)
        value, is_right = judgement
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
