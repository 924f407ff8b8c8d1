"""Patterns of URLs: `shop.example/p/*?id=*` for https://shop.example/p/blue-shirt?id=3&utm_source=mail.

In a path, `#` stands for digits and `*` for one segment of any name; both may carry a file extension. A query key that
matters must be there; others may be. Scheme, fragment, `www.` and a slash at the end tell no pages apart here.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import parse_qsl, urlsplit

_TRACKING = re.compile(
    r"utm_\w+|gclid|fbclid|msclkid|yclid|dclid|igshid|mc_[ce]id|_ga|_gl|_hs\w+|spm|scm|ref_?|ref_src|referr?er|source|src"
    r"|campaign|cmpid|sessionid|session_id|sid|phpsessid|jsessionid|aff(?:iliate)?(?:_?id)?|tracking\w*|share\w*",
    re.IGNORECASE,
)
# Keys that choose a part or an order of what the rest of the URL names.
_PART = re.compile(r"page|pg|paged|seite|start|offset|skip|limit|per_?page|sort\w*|order\w*", re.IGNORECASE)
_EXTENSION = re.compile(r"\.[a-z][a-z0-9]{1,4}$", re.IGNORECASE)
_LONG_NAME = 20


@lru_cache(maxsize=1024)  # each page of a crawl asks for its own several times
def url_key(url: str) -> str:
    """What two URLs of one page have in common: all but scheme, fragment, default port and the host's case."""
    bare = url.strip().partition("#")[0]
    try:
        parts = urlsplit(bare)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return bare
    if not host:
        return bare
    place = f"[{host}]" if ":" in host else host
    if port not in (None, 80, 443):
        place = f"{place}:{port}"
    return place + (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def pattern(url: str) -> str:
    """The pattern of the pages that share a template with `url`; it matches `url` itself."""
    host, segments, query = _parts(url)
    keys = _telling(query)
    path = [_slot(segment, last=n == len(segments) - 1, keyed=bool(keys)) for n, segment in enumerate(segments)]
    if len(path) == 1 and not keys and not re.search(r"[\d_%+-]", segments[0]) and len(segments[0]) <= _LONG_NAME:
        path = list(segments)  # "/about" says nothing of "/contact"
    tail = "&".join(f"{key}={value}" for key, value in sorted(keys.items()))
    return "/".join((host, *path)) + (f"?{tail}" if tail else "")


def matches(shape: str, url: str) -> bool:
    """Whether `url` has the pattern `shape`, as `pattern` makes them."""
    host, segments, query = _parts(url)
    where, _, tail = shape.partition("?")
    expected_host, *expected = where.split("/")
    if host != expected_host or len(segments) != len(expected):
        return False
    if not all(_fits(slot, segment) for slot, segment in zip(expected, segments, strict=True)):
        return False
    asked = dict(query)
    wanted = [part.partition("=") for part in tail.split("&")] if tail else []
    return all(key in asked and value in ("*", asked[key]) for key, _, value in wanted)


def cleaned(url: str) -> str:
    """The URL without fragment and without keys that only say where a reader came from."""
    parts = urlsplit(url)
    kept = [pair for pair in parts.query.split("&") if not _TRACKING.fullmatch(pair.partition("=")[0])]
    return parts._replace(query="&".join(kept), fragment="").geturl()


def specificity(shape: str) -> tuple[int, int]:
    """Of several patterns that match, the greatest says most of a URL: (fixed parts, narrowed parts)."""
    where, _, tail = shape.partition("?")
    slots = where.split("/")[1:]
    fixed = sum(not slot.startswith(("*", "#")) for slot in slots) + len(tail.split("&")) * bool(tail)
    return fixed, sum(slot.startswith("#") or "." in slot for slot in slots)


def _parts(url: str) -> tuple[str, list[str], list[tuple[str, str]]]:
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return "", [_safe(url)], []
    host = _safe(parts.netloc.rpartition("@")[2].lower().removeprefix("www."))
    segments = [_safe(segment) for segment in parts.path.split("/") if segment]
    query = [(_safe(k), _safe(v)) for k, v in parse_qsl(parts.query, keep_blank_values=True, max_num_fields=None)]
    return host, segments, query


def _safe(text: str) -> str:
    """A text without the signs by which patterns are written."""
    return re.sub(r"[*#?&=/]", "_", text)


def _telling(query: list[tuple[str, str]]) -> dict[str, str]:
    """The query keys that choose the page: any value for those that look like names of things, else the very value."""
    keys = {key: value for key, value in query if not (_TRACKING.fullmatch(key) or _PART.fullmatch(key))}
    named = {key for key, value in keys.items() if re.search(r"\d", value) or len(value) > _LONG_NAME}
    if not named:
        return dict.fromkeys(keys, "*")
    return {key: "*" if key in named else value for key, value in keys.items()}


def _slot(segment: str, *, last: bool, keyed: bool) -> str:
    extension = (_EXTENSION.search(segment) or [""])[0] if last else ""
    name = segment.removesuffix(extension) if extension else segment
    if name.isdigit():
        return "#" + extension
    if (last and not keyed) or _named_by_itself(name):
        return "*" + extension
    return segment


def _named_by_itself(name: str) -> bool:
    """Whether a segment names one thing ("blue-shirt-12") rather than a sort of things ("products")."""
    if re.search(r"\d", name):
        return not re.fullmatch(r"v\d", name)
    return sum(map(name.count, "-_%+")) >= 2 or len(name) > _LONG_NAME


def _fits(slot: str, segment: str) -> bool:
    sign, extension = slot[:1], slot[1:]
    if sign not in ("*", "#") or (extension and not extension.startswith(".")):
        return slot == segment
    if extension and not segment.endswith(extension):
        return False
    name = segment.removesuffix(extension) if extension else segment
    return name.isdigit() if sign == "#" else bool(name)
