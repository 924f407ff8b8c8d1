"""Whether one text is another of which some words, or only the signs between them, were changed."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Any

from crawloop.values.text import fold, squash

_ALIKE = 0.6
_WORDS = 12  # texts of fewer are compared sign by sign
_LEAST = 12  # signs: shorter texts are alike by chance
_TELLING = 4  # letters and digits: shorter texts are others as soon as a sign is
_FIGURES = re.compile(r"\d+")


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


def respelled(old: Any, new: Any) -> bool:
    """Whether two texts, or two lists of as many, differ in spaces and signs only, as they do when a page is set anew.

    Figures stay as they are: "1.5 cups" are not "15 cups".
    """
    if isinstance(old, list) and isinstance(new, list):
        pairs = list(zip(old, new, strict=False))
        return len(old) == len(new) > 0 and all(fold(str(a)) == fold(str(b)) or respelled(a, b) for a, b in pairs)
    if not isinstance(old, str) or not isinstance(new, str):
        return False
    before, after = fold(old), fold(new)
    letters = squash(before)
    if len(letters) < _TELLING or letters.isdigit() or letters != squash(after):
        return False
    return _FIGURES.findall(before) == _FIGURES.findall(after)
