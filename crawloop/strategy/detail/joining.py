"""How the texts of these records join the parts of lists: "Soup, Starter" or "Soup,Starter".

A list of which a page has two elements or more tells it; one of a single element is then joined like the others, and
read by `only` where no other does.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from crawloop.extract.reading import Expression, innermost, steps
from crawloop.strategy.detail.choose import dearer
from crawloop.strategy.judging.judgement import Judged, Sight

_OTHER_JOIN = 0.4
_SHORT = 100


def separator_of(found: Iterable[Sequence[Judged]], sights: Sequence[Sight]) -> str | None:
    """What the lists of these records are joined by, where all agree.

    Without one, a comma with nothing after it in a short text tells, for no prose is written so.
    """
    seen = {separator for readers in found for separator in _separators(readers)}
    if seen:
        return seen.pop() if len(seen) == 1 else None
    texts = (one for sight in sights for one in sight.values.values() if isinstance(one, str) and len(one) <= _SHORT)
    return "," if any(re.search(r"[^\W\d],[^\W\d]", one) for one in texts) else None


def joined_alike(found: list[Judged], separator: str | None) -> list[Judged]:
    """The same readers, dearer where they join lists in another way than these records do elsewhere, or not at all."""
    if separator is None:
        return found
    return [dearer(one, _OTHER_JOIN if any(_joins_by_another(one, separator)) else 0.0) for one in found]


def _separators(readers: Sequence[Judged]) -> Iterator[str]:
    """What several elements are joined by: where others would do as well, there is only one."""
    joins: dict[Expression, set[str]] = defaultdict(set)
    for one in readers:
        for step in steps(one.reader.expression) if one.right and not one.wrong else ():
            if step.transform == "join":
                joins[innermost(one.reader.expression)].add(str(step.args[0]))
    yield from (by for seen in joins.values() if len(seen) == 1 for by in seen)


def _joins_by_another(one: Judged, separator: str) -> Iterator[bool]:
    for step in steps(one.reader.expression):
        yield step.transform == "only" or (step.transform == "join" and step.args != (separator,))
