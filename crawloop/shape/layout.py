"""The layout of a page as a set of marks, cheap enough for serving: no DOM is built."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

_CLASSES = re.compile(r"""<(\w+)\b[^<>]{0,400}?\sclass=(?:"([^"<>]{0,400})"|'([^'<>]{0,400})'|([\w-]{1,80}))""")
# Names made by a build or by a record ("css-1q2w3e", "post-4711") would make every page a layout of its own.
_MADE = re.compile(r"(?:(?<=[-_])|^)(?=[a-zA-Z]*\d)[a-zA-Z0-9]{4,}$|\d+")
_BARE = ("tr", "li", "article", "dt", "section", "h2", "h3")
_ENOUGH = 20_000


def marks(html: str) -> Counter[str]:
    """How often each mark stands on the page: "div.price" for elements with a class, "tr" for a few without."""
    found: Counter[str] = Counter()
    for count, one in enumerate(_CLASSES.finditer(html)):
        if count >= _ENOUGH:
            break
        tag = one[1].lower()
        found.update({f"{tag}.{_MADE.sub('', name)}" for name in (one[2] or one[3] or one[4] or "").split()})
    for tag in _BARE:
        if number := html.count(f"<{tag}>") + html.count(f"<{tag} "):
            found[tag] = number
    return found


def likeness(one: Collection[str], other: Collection[str]) -> float:
    """How alike the marks of two layouts are, from 0 to 1: the shared ones among both, and among the poorer's own."""
    if not one or not other:
        return float(not one and not other)
    shared = len(set(one) & set(other))
    return (shared / (len(one) + len(other) - shared) + shared / min(len(one), len(other))) / 2
