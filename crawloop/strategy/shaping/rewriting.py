"""A text in another spelling and a link on another base, learned by comparing: on single pages and over rows alike.

"Filed , today"       →  "Filed, today"                               tight(…)
"Date Filed"          →  "date_filed"                                 slug(…, "_")
"2014/13CC2970.pdf"   →  "https://files.example/2014/13CC2970.pdf"    rebased(…, "https://files.example/")
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from crawloop.carriers.support import separator_of_key
from crawloop.extract.transforms import slug, tight
from crawloop.strategy.shaping.shape import Shape, step
from crawloop.values import base_of

_ENOUGH = 0.6


def rewritten(raw: str, value: str) -> Iterator[Shape]:
    """The whole text in another spelling: without stray spaces, or as a key such as "date_filed"."""
    if raw != value and tight(raw) == value:
        yield Shape((step("tight"),), 0.15)
    signs = "".join(sign for sign in ",.;:!?)" if f" {sign}" in raw and f" {sign}" not in value)
    if signs and tight(raw, signs) == value:
        yield Shape((step("tight", signs),), 0.18)
    separator = separator_of_key(value)
    if separator and slug(raw, separator) == value:
        yield Shape((step("slug", separator),), 0.3)


def rebased(pairs: Sequence[tuple[str, str]]) -> Iterator[Shape]:
    """The bases that may fit most pairs of (link as it is written, URL that is wanted); a folder that shows first.

    A link that is wanted as it is written says nothing of a base.
    """
    pairs = [(link, url) for link, url in pairs if link.strip() != url.strip()]
    found = [base for link, url in pairs if (base := base_of(link, url)) is not None]
    if found and len(found) >= _ENOUGH * len(pairs):
        counts = Counter(found)
        for base in sorted(counts, key=lambda one: (-counts[one], one))[:2]:
            yield Shape((step("rebased", base),), 0.3)
