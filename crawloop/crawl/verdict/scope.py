"""The list in which the rows of a page stand: a page may have other lists of such elements beside it.

<ul><li class="hit">…<li class="hit">…</ul>   <ul><li>…<li>…<li>…</ul>   the first is the list of ".hit"
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from crawloop.extract.view import Element, PageView


def around(html: str, css: str) -> str:
    """The source of the nearest elements that hold more than one match; "" where there are none."""
    rows = PageView(html).css(css)
    held = Counter(above for row in rows for above in _above(row))
    lists = dict.fromkeys(next((one for one in _above(row) if held[one] > 1), row) for row in rows)
    outermost = (one for one in lists if not any(above in lists for above in _above(one)))
    return "\n".join(one.html for one in outermost)


def _above(row: Element) -> Iterator[Element]:
    above = row.parent
    while above is not None:
        yield above
        above = above.parent
