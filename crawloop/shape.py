"""The shape of URLs and pages: which addresses are the same, which belong together, which layouts are alike."""

from __future__ import annotations

from urllib.parse import urlsplit


def url_key(url: str) -> str:
    """What tells pages apart: the URL without scheme, fragment, default port and case of the host."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:  # not a URL; as good as any other name
        return url.strip()
    host = (parts.hostname or "") + (f":{port}" if port not in (None, 80, 443) else "")
    return host + (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
