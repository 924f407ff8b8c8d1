"""Links whose right value is written from another base than the page's: learned by comparing.

"2014/13CC2970.pdf"  →  "https://files.example/2014/13CC2970.pdf"    rebased(…, "https://files.example/")
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from crawloop.strategy.shape import Shape, step
from crawloop.values import base_of

_ENOUGH = 0.6


def rebased(pairs: Sequence[tuple[str, str]]) -> Iterator[Shape]:
    """The bases that may fit most pairs of (link as it is written, URL that is wanted); a folder that shows first."""
    found = [base for link, url in pairs if (base := base_of(link, url)) is not None]
    if found and len(found) >= _ENOUGH * len(pairs):
        counts = Counter(found)
        for base in sorted(counts, key=lambda one: (-counts[one], one))[:2]:
            yield Shape((step("rebased", base),), 0.3)
