"""Which regular expressions of generated programs may run, and on how long a text, so that none of them runs away.

A repeat inside a repeat, or alternatives inside one, may take exponential time: such patterns are refused. Repeats that
compete for the same characters take the text's length to the power of their number: the text is cut accordingly.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any

LONGEST_PATTERN = 300
LONGEST_TEXT = 20_000

_STEPS = 10_000_000
_SHORTEST = 25
_FEW = 8
_WORK = 3_000
_SAMPLE = [chr(code) for code in range(128)] + list("\xa0é§ßЖ日٣€‐“")
_FLAGS = re.IGNORECASE | re.MULTILINE | re.DOTALL | re.VERBOSE | re.ASCII | re.UNICODE
_parser = import_module("re._parser")
_REPEATS = frozenset(("MAX_REPEAT", "MIN_REPEAT"))
_Characters = frozenset[str]
_CLASSES: dict[str, Callable[[str], bool]] = {
    "DIGIT": str.isdigit,
    "SPACE": str.isspace,
    "WORD": lambda char: char.isalnum() or char == "_",
}
_ANY: _Characters = frozenset(_SAMPLE)


@dataclass(frozen=True, slots=True)
class Bounded:
    """A pattern that may run, on texts of up to `longest` characters."""

    compiled: re.Pattern[str]
    longest: int


class _RunsAway(Exception):
    """The pattern can take exponential time."""


@lru_cache(maxsize=1024)
def bounded(pattern: str) -> Bounded | None:
    """The pattern with its bound; None where it is too long, is none, or can run away."""
    if len(pattern) > LONGEST_PATTERN:
        return None
    chain = _Chain()
    try:
        compiled = re.compile(pattern)
        items = list(_parser.parse(pattern))
        chain.follow(items)
    except (re.error, OverflowError, RecursionError, _RunsAway):
        return None
    if compiled.flags & ~_FLAGS:
        return None
    power = chain.most.power + (0 if _is_anchored(items) else 1)
    longest = int((_STEPS / chain.most.ways) ** (1 / max(power, 1)))
    return Bounded(compiled, min(LONGEST_TEXT, longest)) if longest >= _SHORTEST else None


def found(pattern: str, text: str) -> re.Match[str] | None:
    """The first match in a text, a long one cut; None for a pattern that may not run."""
    runs = bounded(pattern)
    return runs.compiled.search(text[: runs.longest]) if runs is not None else None


def several(pattern: str, text: str) -> bool:
    """Whether a text, a long one cut, has matches that differ; also for a pattern that may not run."""
    runs = bounded(pattern)
    if runs is None:
        return True
    said = (one[0] for one in runs.compiled.finditer(text[: runs.longest]))
    first = next(said, None)
    return any(one != first for one in said)


def _name(item: Any) -> str:
    return str(item[0])


def _is_anchored(items: list[Any]) -> bool:
    return bool(items) and _name(items[0]) == "AT" and str(items[0][1]) in ("AT_BEGINNING", "AT_BEGINNING_STRING")


def _inner(item: Any) -> list[list[Any]]:
    """The sequences inside an item: of a group, a repeat, an alternative, a look-around, a condition."""
    name, argument = _name(item), item[1]
    if name == "BRANCH":
        return [list(one) for one in argument[1]]
    if name in _REPEATS or name == "POSSESSIVE_REPEAT":
        return [list(argument[2])]
    if name == "SUBPATTERN":
        return [list(argument[3])]
    if name in ("ASSERT", "ASSERT_NOT"):
        return [list(argument[1])]
    if name == "ATOMIC_GROUP":
        return [list(argument)]
    if name == "GROUPREF_EXISTS":
        return [list(one) for one in argument[1:] if one]
    return []


def _is_single(items: list[Any]) -> bool:
    return len(items) == 1 and _name(items[0]) in ("LITERAL", "NOT_LITERAL", "IN", "ANY")


def _characters(item: Any) -> _Characters:
    """Which of the sample an item matches; of what is not one character, everything it may hold."""
    name, argument = _name(item), item[1]
    if name == "LITERAL":
        return frozenset(chr(argument).lower() + chr(argument).upper() + chr(argument))
    if name == "NOT_LITERAL":
        return _ANY - {chr(argument)}
    if name == "IN":
        negated = bool(argument) and str(argument[0][0]) == "NEGATE"
        held = frozenset().union(*(_members(str(kind), value) for kind, value in argument))
        return _ANY - held if negated else held
    if name in _REPEATS or name in ("SUBPATTERN", "BRANCH", "POSSESSIVE_REPEAT", "ATOMIC_GROUP"):
        return frozenset().union(*(_characters(one) for inner in _inner(item) for one in inner))
    return frozenset() if name in ("AT", "ASSERT", "ASSERT_NOT") else _ANY


@lru_cache(maxsize=1024)
def _members(kind: str, argument: Any) -> _Characters:
    """Which of the sample one member of a class matches."""
    return frozenset(char for char in _SAMPLE if _holds(kind, argument, char))


def _holds(kind: str, argument: Any, char: str) -> bool:
    if kind == "LITERAL":
        return char.lower() == chr(argument).lower()
    if kind == "RANGE":
        return any(
            argument[0] <= ord(one) <= argument[1] for one in (char, char.lower(), char.upper()) if len(one) == 1
        )
    if kind == "CATEGORY":
        wanted = str(argument).removeprefix("CATEGORY_")
        return _CLASSES[wanted.removeprefix("NOT_")](char) != wanted.startswith("NOT_")
    return False


@dataclass(frozen=True, slots=True, order=True)
class _Cost:
    """Ways to share out a text among repeats that compete: its length to the `power`, times `ways` for short ones."""

    power: int = 0
    ways: int = 1

    def __add__(self, other: _Cost) -> _Cost:
        return _Cost(self.power + other.power, self.ways * other.ways)


class _Chain:
    """Follows a pattern; `most` is the cost of its longest run of repeats that compete.

    Two compete where one may give up what the other would take, and all that must stand between them too.
    """

    __slots__ = ("_left", "_open", "most")

    def __init__(self, left: int = _WORK) -> None:
        # What a repeat takes and what competes up to it, for those that reach the place where we are.
        self._open: list[tuple[_Characters, _Cost]] = []
        self._left = left
        self.most = _Cost()

    def follow(self, items: Iterable[Any]) -> None:
        """Raises _RunsAway."""
        for item in items:
            self._left -= 1
            if self._left < 0:
                raise _RunsAway
            name = _name(item)
            if name in _REPEATS:
                self._repeat(item)
            elif name == "BRANCH":
                self._branch([list(one) for one in item[1][1]])
            elif _inner(item):
                for inner in _inner(item):
                    self.follow(inner)
            elif name != "AT":
                self._pass(_characters(item))

    def _repeat(self, item: Any) -> None:
        least, most, inner = item[1][0], item[1][1], list(item[1][2])
        taken = _characters(item)
        if most > _FEW:
            first = _characters(inner[0]) if inner and _takes_one(inner[0]) else taken
            cost = _Cost(1) if _is_single(inner) else self._loop(inner)
            self._compete(first, taken, cost, optional=least == 0)
        elif _is_single(inner):
            for _ in range(least):
                self._pass(taken)
            if most > least:
                self._compete(taken, taken, _Cost(0, most - least + 1), optional=True)
        else:
            for turn in range(most):
                self._branch([inner] if turn < least else [inner, []])

    def _loop(self, inner: list[Any]) -> _Cost:
        """The cost of one turn. A turn that competes with the next makes the time exponential."""
        turns = _Chain(self._left)
        turns.follow(inner)
        once = turns.most
        turns.follow(inner)
        self._left = turns._left
        if turns.most > once or _is_ambiguous(inner):
            raise _RunsAway
        return max(once, _Cost(1))

    def _compete(self, first: _Characters, taken: _Characters, cost: _Cost, *, optional: bool) -> None:
        total = cost + max((one for held, one in self._open if held & first), default=_Cost())
        self.most = max(self.most, total)
        if not optional:
            self._pass(taken)
        self._open.append((taken, total))

    def _branch(self, ways: list[list[Any]]) -> None:
        before, after = list(self._open), list[tuple[_Characters, _Cost]]()
        for way in ways:
            self._open = list(before)
            self.follow(way)
            after.extend(one for one in self._open if one not in after)
        self._open = after

    def _pass(self, passed: _Characters) -> None:
        """One character that must be there: a repeat that cannot take it goes no further."""
        self._open = [(held, cost) for held, cost in self._open if held & passed]


def _is_ambiguous(items: Iterable[Any]) -> bool:
    """Whether alternatives in it may start alike, or a reference stands in it: turns may then be cut in many ways."""
    for item in items:
        name = _name(item)
        if name in ("GROUPREF", "GROUPREF_EXISTS"):
            return True
        inner = _inner(item)
        if name == "BRANCH":
            starts = [_characters(one[0]) if one and _takes_one(one[0]) else _ANY for one in inner]
            if sum(map(len, starts)) > len(frozenset().union(*starts)):
                return True
        if any(map(_is_ambiguous, inner)):
            return True
    return False


def _takes_one(item: Any) -> bool:
    """Whether the item always takes a character, and `_characters` says which."""
    return _is_single([item]) or (_name(item) in _REPEATS and item[1][0] > 0 and _is_single(list(item[1][2])))
