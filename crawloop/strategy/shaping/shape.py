"""A chain of transforms as data, and whether what it gives is the value that was wanted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from crawloop import values
from crawloop.carriers.stream import bare
from crawloop.extract.reading import Absolute, Apply, Expression, transform
from crawloop.model.kind import Field, Kind
from crawloop.values import squash, urljoin

Step = tuple[str, tuple[Any, ...], tuple[tuple[str, Any], ...]]
JOINED = "absolute"
SENTENCE = r"^(.+?)(?:(?<=[.!?])\s|$)"  # the first of a text; all of a text without a full stop
_MARKUP = re.compile(r"<[a-zA-Z/][^<>]*>|&(?:[a-z]+|#\d+);")


@dataclass(frozen=True, slots=True)
class Shape:
    """A chain of transforms, applied in order, with what it costs to believe in it."""

    steps: tuple[Step, ...] = ()
    cost: float = 0.0

    def on(self, expression: Expression) -> Expression:
        """The expression with the chain around it."""
        for name, args, named in self.steps:
            expression = Absolute(expression) if name == JOINED else Apply(name, (expression,), args, named)
        return expression

    def of(self, value: Any, base: str = "") -> Any:
        """What the chain makes of a value on a page whose links are relative to `base`."""
        for name, args, named in self.steps:
            if name == JOINED:
                value = [urljoin(base, one) for one in value] if isinstance(value, list) else urljoin(base, value)
                continue
            thawed = [list(one) if isinstance(one, tuple) else one for one in args]
            value = transform(name)(value, *thawed, **dict(named))
        return value


def step(name: str, *args: Any, **named: Any) -> Step:
    return name, args, tuple(named.items())


def same(got: Any, value: Any, field: Field, base: str = "") -> bool:
    """Whether an extractor's value is the wanted one, in form too: no number where a text was asked for."""
    if isinstance(got, list) != isinstance(value, list) or isinstance(got, dict):
        return False
    if isinstance(got, list) and len(got) != len(value):
        return False
    if not _alike(got, value, field) or (_is_marked_up(got) and not _is_marked_up(value)):
        return False
    return values.equal(got, value, field, base=base)


def _is_marked_up(value: Any) -> bool:
    if isinstance(value, list):
        return any(_is_marked_up(one) for one in value)
    return isinstance(value, str) and _MARKUP.search(value) is not None


def _alike(got: Any, value: Any, field: Field) -> bool:
    """A cheap look before values are compared in earnest: texts of other letters and digits are not the same, nor is a
    number a text."""
    if field.kind not in (Kind.TEXT, Kind.ENUM):
        return True
    if isinstance(got, list):
        return all(_alike(one, other, field) for one, other in zip(got, value, strict=True))
    if not isinstance(value, str):
        return True
    return isinstance(got, str) and loosely(got) == loosely(value)


@lru_cache(maxsize=8192)
def loosely(text: str) -> str:
    """Letters and digits of a text, markup left out."""
    return squash(bare(text))
