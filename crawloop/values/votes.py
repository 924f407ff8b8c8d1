"""How many right values of a field outvote one that its reading contradicts: the fewer, the less likely the label is.

Strategies propose a reading that may outvote labels; the loop says whether it does.
"""

from __future__ import annotations

import re
from typing import Any

from crawloop.values.text import fold, squash

ANY = 20  # whatever the label
ODD = 4  # a label that the page shows nowhere as a whole
PLAIN = 3  # a plain slip: a part of what the page shows, or another field's value
_BETWEEN = re.compile(r"[,;|\n]")


def outvoted(right: int, wrong: int, votes: int) -> bool:
    """Whether there are so many right values for each wrong one, and a wrong one at all."""
    return wrong > 0 and votes * wrong <= right


def may_be_outvoted(right: int, wrong: int) -> bool:
    """Whether the loop may say so of these and of one more right value, on a page that was kept from the strategy."""
    return outvoted(right + 1, wrong, PLAIN)


def is_cut(said: Any, got: Any) -> bool:
    """Whether what is said is a part of what is shown: a text without its first or last words, a list without items."""
    if isinstance(said, list) and isinstance(got, list):
        left = [fold(str(one)) for one in got]
        return len(said) < len(got) and all(fold(str(one)) in left for one in said)
    if not isinstance(said, str) or not isinstance(got, str):
        return False
    part, whole = fold(said), fold(got)
    return part != whole and re.search(rf"\A{re.escape(part)}(?!\w)|(?<!\w){re.escape(part)}\Z", whole) is not None


def is_one_of(got: Any, said: Any) -> bool:
    """Whether what is shown is one of several things that a text says one after the other, or all of them run together:
    "Soup" or "SoupVegan" of "Soup, Vegan"."""
    if not isinstance(got, str) or not isinstance(said, str):
        return False
    several = [fold(one) for one in _BETWEEN.split(said) if fold(one)]
    return len(several) > 1 and (fold(got) in several or squash(got) == squash("".join(several)))
