"""The layout of a page as a set of marks, cheap enough for serving: no DOM is built."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cached_property, lru_cache

_CLASSES = re.compile(r"""<(\w+)\b[^<>]{0,400}?\sclass=(?:"([^"<>]{0,400})"|'([^'<>]{0,400})'|([\w-]{1,80}))""")
# Names made by a build or by a record ("css-1q2w3e", "post-4711") would make every page a layout of its own.
_MADE = re.compile(r"(?:(?<=[-_])|^)(?=[a-zA-Z]*\d)[a-zA-Z0-9]{4,}$|\d+")
_BARE = ("tr", "li", "article", "dt", "section", "h2", "h3")
NEW_LAYOUT = 0.5  # below this, no page of the layout that was learnt was alike in a sample of 469 pairs of real pages
SAME_LAYOUT = 0.75  # above this, 97 of 100 pages of one layout are alike
KEPT = 0.7  # of 297 real redesigns none kept this share of the marks that were learnt
_ROOM = 0.8
_TELLING = 5  # marks: fewer may stand on any page


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


class Layouts:
    """The layouts of pages that are known, as the measure for another page's marks."""

    def __init__(self, pages: Sequence[str]) -> None:
        self._known = tuple(marks(html) for html in pages)

    def likeness(self, found: Counter[str]) -> float:
        """How alike a page's marks are to the known page that is most alike; 1 where there is none to compare."""
        return max((likeness(one, found) for one in self._known), default=1.0)

    def is_new(self, found: Counter[str]) -> bool:
        """Whether a page is clearly of another layout; pages that vary among themselves are given more room.

        One that has most of what a known layout has, and more besides, is none.
        """
        return self.likeness(found) < min(NEW_LAYOUT, _ROOM * self._usual) and self._kept(found) < KEPT

    def is_same(self, found: Counter[str]) -> bool:
        """Whether a page is as much like the known pages as those are like each other."""
        return self.likeness(found) >= min(SAME_LAYOUT, self._usual)

    def _kept(self, found: Counter[str]) -> float:
        """The share of a known page's own marks that a page has, by the known page of which it has most."""
        some = (one for one in self._known if len(one) >= _TELLING)
        return max((len(one.keys() & found.keys()) / len(one) for one in some), default=0.0)

    @cached_property
    def _usual(self) -> float:
        """How alike known pages are to each other, by the one that is least like any other; 1 where there is one."""
        best = []
        for place, one in enumerate(self._known):
            others = self._known[:place] + self._known[place + 1 :]
            best.append(max((likeness(one, other) for other in others), default=1.0))
        return min(best, default=1.0)
