"""Whether one text is another of which some words were changed."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Any

from crawloop.values.text import fold

_ALIKE = 0.6
_WORDS = 12  # texts of fewer are compared sign by sign
_LEAST = 12  # signs: shorter texts are alike by chance


def alike(old: Any, new: Any) -> bool:
    """For two texts, or two lists of texts. Short ones are never alike."""
    if isinstance(old, list) != isinstance(new, list):
        return False
    first, second = (fold(" ".join(map(str, one)) if isinstance(one, list) else str(one)) for one in (old, new))
    if min(len(first), len(second)) < _LEAST:
        return False
    words = len(first.split()) >= _WORDS
    parts: tuple[Any, Any] = (first.split(), second.split()) if words else (first, second)
    return SequenceMatcher(None, *parts, autojunk=False).ratio() >= _ALIKE
