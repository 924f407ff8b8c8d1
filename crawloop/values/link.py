"""Links joined to the address of their page."""

from __future__ import annotations

import re
import urllib.parse
from functools import lru_cache

# Links that stay as they are behind what the base gives: no "." or ".." as a step, nothing that joining would drop.
_TAIL = r"(?:\?[^#\t\r\n]+)?(?:#[^\t\r\n]+)?"
_ORDINARY = re.compile(
    rf"https?://[a-zA-Z0-9.-]+(?::[0-9]+)?(?:/[^?#;\t\r\n]*)?{_TAIL}"
    rf"|(?P<rooted>/(?!/)[^?#;\t\r\n]*{_TAIL})"
    rf"|(?P<beside>[a-zA-Z0-9_%~-][^?#;:\t\r\n]*{_TAIL})"
)


def urljoin(base: str, url: str, allow_fragments: bool = True) -> str:
    """What `urllib.parse.urljoin` gives, several times as fast for links of the usual forms. Raises ValueError."""
    if type(url) is str and type(base) is str and base and allow_fragments is True:
        rest, steps = url, 0
        while rest.startswith("../"):
            rest, steps = rest[3:], steps + 1
        form = _ORDINARY.fullmatch(rest) if "/." not in rest else None
        if form is not None:
            rooted, beside = _prefixes(base, steps)
            if form.lastgroup == "beside":
                if beside and "//" not in rest:
                    return beside + rest
            elif not steps:
                if form.lastgroup is None:
                    return url
                if rooted:
                    return rooted + url
    return urllib.parse.urljoin(base, url, allow_fragments)


def base_url(url: str, href: str) -> str:
    """The address to which a page's links are joined where it names this base; its own where that is no URL."""
    try:
        return urljoin(url, href)
    except ValueError:
        return url


def followable(base: str, url: str) -> str | None:
    """The link joined to its base; None for javascript:, mailto: and the like, and for what is no URL."""
    try:
        joined = urljoin(base, url)
        if base and joined.startswith(("https://", "http://")):
            return joined
        scheme = urllib.parse.urlsplit(joined).scheme
    except ValueError:
        return None
    return joined if scheme in ("http", "https", "ftp", "") else None


@lru_cache(maxsize=64)
def _prefixes(base: str, steps: int) -> tuple[str, str]:
    """What stands before a link that starts with "/", and before one that does not but goes up so many steps; empty
    where that is not all that joining does."""
    parts = urllib.parse.urlsplit(base)
    beside = urllib.parse.urljoin(base, f"{'../' * steps}x")[:-1]
    if parts.scheme in ("http", "https") and parts.netloc:
        return urllib.parse.urljoin(base, "/x")[:-2], beside
    return "", "" if parts.scheme or parts.netloc else beside
