"""What a page may ask of the parser, which is quadratic in nesting and attributes and copies unclosed formatting.

`check` looks at the text only, in linear time, and errs on the side of refusing; real pages stay far below each limit.
"""

from __future__ import annotations

import re

from crawloop.errors import PageRefused
from crawloop.extract.markup import ATTRIBUTE_NAME, CUT_OFF, MAX_ATTRIBUTES, TOKENS
from crawloop.extract.nesting import FORMATTED, MAX_DEPTH, Nesting
from crawloop.model.policy import LARGEST_PAGE

MAX_BYTES = LARGEST_PAGE
MAX_TAGS = 1_000_000

# Start tags that never nest in themselves, as they are mostly written: what is left is counted as if it nested.
_FLAT = (
    *("<br>", "<br/", "<br ", "<p>", "<p ", "<li>", "<li ", "<td>", "<td ", "<tr>", "<tr "),
    *("<img ", "<input ", "<option>", "<option ", "<meta ", "<link "),
)
_FEW_TAGS = 700
_SAFE_COPIES = 250_000
_MERGED = re.compile(r"<(?:html|body)\s[^>]*", re.I)


def check(html: str, *, max_bytes: int = MAX_BYTES) -> None:
    """Passes a page that is safe to parse. Raises PageRefused, which names the limit that the page breaks."""
    if len(html) > max_bytes or (len(html) > max_bytes // 4 and len(html.encode("utf-8", "replace")) > max_bytes):
        raise PageRefused(f"the page is larger than {max_bytes:,} bytes")
    tags = html.count("<")
    if tags > MAX_TAGS:
        raise PageRefused(f"the page has more than {MAX_TAGS:,} tags")
    _check_attributes(html)
    if tags > _FEW_TAGS and (_may_be_deep(html, tags) or _may_multiply(html, tags)):
        Nesting().follow(html)


def _may_be_deep(html: str, tags: int) -> bool:
    starts = tags - html.count("</")
    return starts > MAX_DEPTH and starts - sum(map(html.count, _FLAT)) > MAX_DEPTH


def _may_multiply(html: str, tags: int) -> bool:
    """Three alike of each formatting element are opened anew in every block, if none is ever closed."""
    return 3 * len(set(FORMATTED.findall(html))) * tags > _SAFE_COPIES


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
