"""Choices among several readings of one value; a reading behind a `lambda:` is only made where its turn comes."""

from __future__ import annotations

from collections import Counter
from typing import Any

from crawloop.extract.vocabulary.plain import comparable, is_empty


def first(*readings: Any) -> Any:
    """The first reading that is not empty; one behind a `lambda:` is only made where its turn comes."""
    for reading in readings:
        one = _made(reading)
        if not is_empty(one):
            return one
    return None


def agreed(*readings: Any) -> Any:
    """The reading on which more than half of those that are not empty agree, else None; with `lambda:` as above."""
    said: list[Any] = []
    votes: Counter[str] = Counter()
    for one in map(_made, readings):
        if not is_empty(one):
            said.append(one)
            votes[comparable(one)] += 1
            if votes[comparable(one)] * 2 > len(readings):
                break
    form, most = next(iter(votes.most_common(1)), ("", 0))
    return next(one for one in said if comparable(one) == form) if most * 2 > len(said) else None


def enough(*readings: Any, least: int = 1) -> Any:
    """The first reading that is not empty where so many of them are not, else None; with `lambda:` as above."""
    said: list[Any] = []
    for left, reading in zip(range(len(readings), 0, -1), readings, strict=True):
        if len(said) + left < least:
            break
        one = _made(reading)
        if not is_empty(one):
            said.append(one)
        if len(said) >= least:
            return said[0]
    return None


def _made(reading: Any) -> Any:
    return reading() if callable(reading) else reading
