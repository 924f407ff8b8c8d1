"""URLs in comparable form: joined to a base, without scheme, fragment and trailing slash; `www.` is kept."""

from __future__ import annotations

import html
import re
from functools import lru_cache
from urllib.parse import quote, unquote_to_bytes, urlsplit

from crawloop.values.link import urljoin

_LONGEST = 8192
_NOT_LINKS = ("javascript", "data", "about", "blob")
_ESCAPE = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_LOOKS_LIKE_LINK = re.compile(r"^\S*/|\.\w{1,5}(?:[?#]|$)")
# Only with a semicolon: "&copy=1" is a parameter.
_ENTITY = re.compile(r"&(?:#\d{1,6}|#[xX][0-9a-fA-F]{1,6}|amp|quot|apos|lt|gt);")
_RELATIVE = re.compile(r"(?![a-z][a-z0-9+.-]*:|//|[?#])(?P<ups>(?:\.{1,2}/)*)(?P<rest>[^#]+)", re.I | re.S)
_PORTS = {"http": ":80", "https": ":443"}
_PASSWORD = re.compile(r"""(\b[a-z][a-z0-9+.-]*://[^\s/?#@:"'<>]*):[^\s/?#"'<>]*@""", re.IGNORECASE)
_USER = re.compile(r"\A(\s*[a-z][a-z0-9+.-]*://)[^/?#]*@", re.IGNORECASE)
_SAFE = "!$&'()*+,;=:@/?%-._~[]"


def shown(text: str) -> str:
    """A URL, or a text with URLs in it, as others may see it: without the passwords that URLs may carry."""
    return _PASSWORD.sub(r"\1:***@", text)


def without_user(url: str) -> str:
    """A URL without the user and the password that it may carry: the address of the same page."""
    return _USER.sub(r"\1", url, count=1)


@lru_cache(maxsize=8_192)
def canonical_url(text: str, base: str = "") -> str | None:
    """Comparable form of a link, e.g. "//shop.example/a?b=1"; None for what is no link. Relative without a base."""
    if len(text) > _LONGEST:
        return None
    raw = _ENTITY.sub(lambda m: html.unescape(m[0]), text.strip()).translate(_DROPPED)
    if not raw or (any(c.isspace() for c in raw) and not _LOOKS_LIKE_LINK.search(raw)):
        return None
    try:
        parts = urlsplit(urljoin(base, raw) if base else raw)
    except ValueError:
        return None
    scheme, host = parts.scheme, parts.netloc.lower()
    if scheme in _NOT_LINKS or (scheme in _PORTS and not host):
        return None
    path = _escaped(parts.path).rstrip("/;")
    query = f"?{_escaped(parts.query)}" if parts.query else ""
    if scheme and scheme not in _PORTS:
        return f"{scheme}:{'//' + host if host else ''}{path}{query}"
    host = host.removesuffix(_PORTS.get(scheme, ":80"))
    return f"//{host}{path}{query}" if host else f"{path}{query}" or "/"


def file_name(link: object) -> str:
    """The letters and digits of a link's last part: sites move their pictures from host to host, and cut them to sizes.

    "" where it has none.
    """
    try:
        path = urlsplit(str(link)).path
    except ValueError:
        return ""
    return re.sub(r"\W", "", path.rstrip("/").rpartition("/")[2])


def base_of(link: str, url: str) -> str | None:
    """The address to which a link, as it is written, is joined to give `url`; None where that can be said of none.

    "../a/1.pdf" is joined to "https://site.example/_/" to give "https://site.example/a/1.pdf".
    """
    found = _RELATIVE.fullmatch(link.strip()) if url and len(link) <= _LONGEST else None
    if found is None or not any(map(str.isalnum, found["rest"])):
        return None
    ups, rest = found["ups"], found["rest"]
    if link.strip().startswith("/"):
        base = url[: -len(rest)] if url.endswith(rest) and "://" in url[: -len(rest)] else ""
    else:
        parts = url.strip().rsplit("/", rest.count("/") + 1)
        base = f"{parts[0]}/{'_/' * ups.count('..')}" if len(parts) == rest.count("/") + 2 else ""
    joined = urljoin(base, link.strip()) if base else ""
    return base if joined and canonical_url(joined) == canonical_url(url) else None


_DROPPED = dict.fromkeys(map(ord, "\t\r\n"))


def _escaped(part: str) -> str:
    """Percent-encoding of one form: unreserved characters plain, the rest in upper-case hex."""
    if "%" in part:
        part = _ESCAPE.sub(lambda m: _unreserved(unquote_to_bytes(m[0])), part)
    return part if part.isascii() and " " not in part else quote(part, safe=_SAFE)


def _unreserved(octets: bytes) -> str:
    return "".join(chr(o) if (chr(o).isalnum() and o < 128) or chr(o) in "-._~" else f"%{o:02X}" for o in octets)
