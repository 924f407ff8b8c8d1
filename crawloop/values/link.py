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
    if type(url) is str and type(base) is str and base and allow_fragments is True and "/." not in url:
        form = _ORDINARY.fullmatch(url)
        if form is not None:
            rooted, beside = _prefixes(base)
            if form.lastgroup is None:
                return url
            if form.lastgroup == "rooted" and rooted:
                return rooted + url
            if form.lastgroup == "beside" and beside and "//" not in url:
                return beside + url
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
def _prefixes(base: str) -> tuple[str, str]:
    """What stands before a link that starts with "/", and before one that does not; empty for no address of the web."""
    parts = urllib.parse.urlsplit(base)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return "", ""
    return urllib.parse.urljoin(base, "/x")[:-2], urllib.parse.urljoin(base, "x")[:-1]
