"""The layout of a page as a set of marks, cheap enough for serving: no DOM is built."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from functools import lru_cache

_CLASSES = re.compile(r"""<(\w+)\b[^<>]{0,400}?\sclass=(?:"([^"<>]{0,400})"|'([^'<>]{0,400})'|([\w-]{1,80}))""")
# Names made by a build or by a record ("css-1q2w3e", "post-4711") would make every page a layout of its own.
_MADE = re.compile(r"(?:(?<=[-_])|^)(?=[a-zA-Z]*\d)[a-zA-Z0-9]{4,}$|\d+")
_BARE = ("tr", "li", "article", "dt", "section", "h2", "h3")


def marks(html: str) -> Counter[str]:
    """How often each mark stands on the page: "div.price" for an element with that class."""
    found: Counter[str] = Counter()
    for (tag, *names), count in Counter(_CLASSES.findall(html)).items():
        for mark in _marks(tag, "".join(names)):
            found[mark] += count
    return found


def bare_tags(html: str) -> Counter[str]:
    """How often the tags stand on the page that rows are often made of, whether they have a class or not."""
    return Counter({tag: html.count(f"<{tag}>") + html.count(f"<{tag} ") for tag in _BARE})


def likeness(one: Collection[str], other: Collection[str]) -> float:
    """How alike the marks of two layouts are, from 0 to 1: the shared ones among both, and among the poorer's own."""
    if not one or not other:
        return float(not one and not other)
    shared = len(set(one) & set(other))
    return (shared / (len(one) + len(other) - shared) + shared / min(len(one), len(other))) / 2


@lru_cache(maxsize=8192)
def _marks(tag: str, names: str) -> frozenset[str]:
    """The marks of one element, without what is made by machine."""
    return frozenset(f"{tag.lower()}.{_MADE.sub('', name)}" for name in names.split())
