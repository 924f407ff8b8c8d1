"""How many tokens a text takes, without any model's vocabulary: near the truth, and rather above than below it.

A word costs by its length, a number by three figures, a sign by itself; letters of other scripts cost more.
"""

from __future__ import annotations

import re

_PIECE = re.compile(r"[ ]?[/._(-]?[a-zA-Z]+|\d{1,3}|\s+|[^\W\d_a-zA-Z]+|_+|([^\w\s])\1*")
_SHORT_WORD = 7  # letters of an English word that is one token
_LETTERS = 3.2  # letters a token in a longer word
_OTHER = 1.6  # letters a token in another script


def tokens(text: str) -> int:
    """An estimate of the tokens of a text."""
    return sum(map(_cost, (found[0] for found in _PIECE.finditer(text))))


def _cost(piece: str) -> int:
    word = piece.strip(" /._(-")
    if not word.isalpha():
        return 1
    if word.isascii():
        return 1 if len(word) <= _SHORT_WORD else round(len(word) / _LETTERS)
    return max(1, round(len(word) / _OTHER))
