"""What transforms take for a value: a text, number or bool, or a list of those."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import Any, TypeVar

from crawloop import values

Each = TypeVar("Each", bound=Callable[..., Any])


def each(function: Each) -> Each:
    """Makes a function of one value map over lists, and answer None to what is no text, number or bool."""

    @wraps(function)
    def mapped(value: Any, *args: Any, **named: Any) -> Any:
        if type(value) is str:
            return function(value, *args, **named)
        if isinstance(value, (list, tuple)):
            # texts, which most lists are of, go straight to the function
            return [
                made
                for one in flat(value)
                if (made := (function if type(one) is str else mapped)(one, *args, **named)) is not None
            ]
        if not is_plain(value):
            return None
        return function(value, *args, **named)

    return mapped  # type: ignore[return-value]


def flat(value: Sequence[Any]) -> Iterator[Any]:
    """The elements of a list, those of the lists in it too."""
    stack = list(reversed(value))
    while stack:
        one = stack.pop()
        if isinstance(one, (list, tuple)):
            stack.extend(reversed(one))
        else:
            yield one


def as_text(value: str | int | float) -> str:
    """A value as a text: numbers without a needless ".0"."""
    if type(value) is str:
        return value
    return str(int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else value)


def shortened(text: str, most: int = 120) -> str:
    """A text for people to look at: white space collapsed, cut where it is long."""
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 3]}..."


def is_empty(value: Any) -> bool:
    """Whether it says nothing: None, a blank text, a list or object without elements. 0 and False say something."""
    if isinstance(value, str):
        return not value or value.isspace()
    return value is None or (not value and isinstance(value, (list, tuple, dict)))


def is_plain(value: Any) -> bool:
    """Whether it is a text, a finite number or a bool."""
    return isinstance(value, (str, int, float)) and not (isinstance(value, float) and not math.isfinite(value))


def comparable(value: Any) -> str:
    """The form in which two readings are the same: texts folded, lists in order."""
    if isinstance(value, (list, tuple)):
        return "\n".join(map(comparable, flat(value)))
    return values.fold(value) if isinstance(value, str) else as_text(value) if is_plain(value) else repr(value)
