"""The layout of a page as a set of marks, cheap enough for serving: no DOM is built."""

from __future__ import annotations

import re

_CLASSES = re.compile(r"""<(\w+)\b[^<>]{0,400}?\sclass=(?:"([^"<>]{0,400})"|'([^'<>]{0,400})'|([\w-]{1,80}))""")
# Names made by a build or by a record ("css-1q2w3e", "post-4711") would make every page a layout of its own.
_MADE = re.compile(r"(?:(?<=[-_])|^)(?=[a-zA-Z]*\d)[a-zA-Z0-9]{4,}$|\d+")
_ENOUGH = 4000


def layout(html: str) -> frozenset[str]:
    """Marks such as "div.price", of the first 4,000 elements that have a class."""
    marks: set[str] = set()
    for count, found in enumerate(_CLASSES.finditer(html)):
        if count >= _ENOUGH:
            break
        tag = found[1].lower()
        for name in (found[2] or found[3] or found[4] or "").split():
            marks.add(f"{tag}.{_MADE.sub('', name)}")
    return frozenset(marks)


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """How alike two layouts are, from 0 to 1: the marks they share among the marks of the poorer one, and of both."""
    if not one or not other:
        return 1.0 if one == other else 0.0
    shared = len(one & other)
    return (shared / len(one | other) + shared / min(len(one), len(other))) / 2
