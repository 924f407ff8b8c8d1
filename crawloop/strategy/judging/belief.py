"""Whether a reader is more than a coincidence, and what is said against it.

A short value stands in many places, and one page proves little: then the name of the place has to fit, and a cut has to
be one that people make on purpose ("By ", "Dr. ", " | Site").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from functools import lru_cache, partial
from typing import Any

from crawloop.carriers.naming import affinity
from crawloop.carriers.reading_names import names, reads_by_name, words_before
from crawloop.extract.reading import Apply, Expression, json_keys, steps
from crawloop.model.kind import Field, Kind
from crawloop.model.truth import SUM
from crawloop.strategy.shaping.marks import is_code
from crawloop.strategy.shaping.shape import SENTENCE, loosely
from crawloop.values import equal, is_blank

KEPT = -1.5  # the cost of a reader of the active version
_RIVALRY = 1.2
_COINCIDENCE = 3
FITTING = 0.45
_LIKELY = 1.3
_HIDDEN = 1.1
_FIGURES = (Kind.NUMBER, Kind.DURATION)  # stand in texts of all sorts
_CUTS = ("match", "after", "before", "split")
_BY = "by|von|par|por|de|av|af|door|di|autor|author"
_TITLES = "(?:judge|justice|hon|honou?rable|mr|mrs|ms|dr|prof|professor|rev|sen|rep|gov)"
_LEAD = re.compile(rf"[:|•·–—>/(-]\s*\Z|^\W*(?:{_BY})\W*\Z|(?:^|\s){_TITLES}\.?\s*\Z", re.I)
_TRAIL = re.compile(r"\A\s*[|•·–—:,;()/<-]")


def believable(expression: Expression, cost: float, carrier: str, shown: Sequence[Any], field: Field) -> bool:
    """Whether to believe a reader that gave the right values `shown` on as many pages."""
    if is_kept(cost) or carrier == SUM:
        return True
    if len(shown) == 1 and not all(map(_is_on_purpose, steps(expression))):
        return False
    cut_after = (affinity(field, word) for word in words_before(expression))
    fits = reads_by_name(expression, field) or max(cut_after, default=0.0) >= FITTING
    if len(shown) == 1 and carrier not in ("text", "label", "beside") and cost > _HIDDEN and not fits:
        return False
    figures = field.kind in _FIGURES and carrier != "label"
    if len(shown) == 1 and figures and not fits and _cuts_at_no_label(expression):
        return False
    sizes = [min(len(loosely(str(one))), 6) for one in {str(one): one for one in shown}.values()]
    if fits or sum(sizes) > _COINCIDENCE:
        return True
    return carrier in ("text", "label") and cost <= _LIKELY and sum(sizes) > 1


def is_kept(cost: float) -> bool:
    """Whether that is the cost of a reader of the active version."""
    return cost <= KEPT + 0.5


def is_anothers(got: Sequence[Any], right: Set[int], told: Sequence[Mapping[str, Any]], field: Field) -> bool:
    """Whether a reading says what another field is on more pages that do not tell its own than it is right on.

    `got` and `told` are by page: what it reads, and the known values. Where it is right the two must differ.
    """
    elsewhere = Counter(
        name
        for read, values in zip(got, told, strict=True)
        if not is_blank(read) and field.name not in values
        for name, value in values.items()
        if equal(read, value, field)
    )
    return any(
        count > len(right) and not any(equal(got[page], told[page].get(name), field) for page in right)
        for name, count in elsewhere.items()
    )


def _cuts_at_no_label(expression: Expression) -> bool:
    """Whether something is cut out of a text, and not after words with a colon."""
    cuts = [one for one in steps(expression) if one.transform in _CUTS]
    return bool(cuts) and not any(":" in str(said) for one in cuts for said in one.args)


def _is_on_purpose(step: Apply) -> bool:
    """Whether a cut, seen on one page only, is one that people make: at a colon, a bar, a bracket, a "by", a title.

    So is a cut at what another field reads.
    """
    if len(step.to) > 1:
        return True
    said = str(step.args[0]) if step.args else ""
    match step.transform:
        case "strip_prefix" | "after":
            return _LEAD.search(said) is not None
        case "strip_suffix" | "before":
            return _TRAIL.search(said) is not None
        case "match":
            return said != SENTENCE
        case "at":
            return False
    return True


def checks_form(expression: Expression) -> bool:
    """Whether a reader takes only what has the form of a code, such as "3:21-cv-01234"."""
    return isinstance(expression, Apply) and expression.transform == "match" and is_code(str(expression.args[0]))


@lru_cache(maxsize=256)
def rivalry(field: Field, others: tuple[Field, ...]) -> Callable[[Expression], float]:
    """What it costs a reading of the field that its place is named after another field, worked out once for each."""
    rivals = tuple(one for one in others if one is not field)
    likest = lru_cache(maxsize=2048)(lambda name: max((affinity(one, name) for one in rivals), default=0.0))
    return lru_cache(maxsize=2048)(partial(_rivalry, field, rivals, likest))


def _rivalry(field: Field, rivals: Sequence[Field], likest: Callable[[str], float], read: Expression) -> float:
    """`likest` is how much a name is that of one of the rivals."""
    called = names(read)
    mine = max((affinity(field, name) for name in called), default=0.0)
    theirs = max(map(likest, called), default=0.0)
    if theirs > max(mine + 0.25, 0.6):
        return _RIVALRY * (theirs - mine)
    return _RIVALRY * 0.7 if _is_below_a_rival(read, field, rivals) else 0.0


def _is_below_a_rival(read: Expression, field: Field, rivals: Sequence[Field]) -> bool:
    """Whether the key stands in an object that is named after another field, as `recipeInstructions.url` does."""
    keys = json_keys(read)[-2:]
    if len(keys) < 2 or affinity(field, keys[0]) >= 0.3:
        return False
    return any(affinity(one, keys[0]) >= 0.8 for one in rivals)
