"""What a page may ask of the parser, which is quadratic in nesting and attributes and copies unclosed formatting.

`check` looks at the text only, in linear time, and errs on the side of refusing; real pages stay far below each limit.
"""

from __future__ import annotations

import re
from collections import Counter

from crawloop.errors import PageRefused
from crawloop.extract.bounds.markup import ATTRIBUTE_NAME, CUT_OFF, MAX_ATTRIBUTES, NAME, TOKENS
from crawloop.extract.bounds.nesting import FORMATTED, MAX_DEPTH, Nesting
from crawloop.extract.dom.tags import FORMATTING
from crawloop.model.policy import LARGEST_PAGE

MAX_BYTES = LARGEST_PAGE
MAX_TAGS = 1_000_000

# Start tags that cannot nest in their own kind without others between them: those are counted as if all of them nested.
_FLAT = (
    *("a", "br", "button", "form", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "img", "input", "li", "link", "meta"),
    *("option", "p", "source", "tbody", "td", "th", "thead", "tr"),
)
_FEW_STARTS = 1_000
_SAFE_COPIES = 250_000
_MERGED = re.compile(r"<(?:[hH][tT][mM][lL]|[bB][oO][dD][yY])[ \t\n\r\f/][^>]*")
_PASSED: dict[tuple[int, int], None] = {}
_REMEMBERED = 512


def check(html: str, *, max_bytes: int = MAX_BYTES) -> None:
    """Passes a page that is safe to parse. Raises PageRefused, which names the limit that the page breaks.

    It takes about as long as parsing, several times that where thousands of elements may nest; a page that has
    just passed takes no time.
    """
    if len(html) > max_bytes or (len(html) > max_bytes // 4 and len(html.encode("utf-8", "replace")) > max_bytes):
        raise PageRefused(f"the page is larger than {max_bytes:,} bytes")
    key = (hash(html), len(html))
    if key in _PASSED:
        return
    tags = html.count("<")
    if tags > MAX_TAGS:
        raise PageRefused(f"the page has more than {MAX_TAGS:,} tags")
    _check_attributes(html)
    if tags - html.count("</") > _FEW_STARTS and _may_nest(html, tags):
        Nesting().follow(html)
    if len(_PASSED) >= _REMEMBERED:
        _PASSED.clear()
    _PASSED[key] = None


def _may_nest(html: str, tags: int) -> bool:
    """Whether it could break a limit if nothing were ever closed."""
    names = Counter(NAME.findall(html))
    starts = sum(count for name, count in names.items() if name[0] != "/") - sum(map(names.__getitem__, _FLAT))
    formatting = sum(count for name, count in names.items() if name.lower() in FORMATTING)
    if starts > MAX_DEPTH:
        return True
    # Three alike of each formatting element are opened anew in every block.
    return formatting * tags > _SAFE_COPIES and 3 * len(set(FORMATTED.findall(html))) * tags > _SAFE_COPIES


def _check_attributes(html: str) -> None:
    at = 0
    while at < len(html):
        run = TOKENS.match(html, at)
        if run is None or run.end() == at:
            if CUT_OFF.match(html, at) is not None:
                return
            raise PageRefused(f"a tag of the page has more than {MAX_ATTRIBUTES:,} attributes")
        at = run.end()
    merged = _MERGED.findall(html)
    if len(merged) > 4 and sum(len(ATTRIBUTE_NAME.findall(one)) for one in merged) > MAX_ATTRIBUTES:
        raise PageRefused(f"the page's html and body tags have more than {MAX_ATTRIBUTES:,} attributes together")
