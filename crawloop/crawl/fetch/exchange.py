"""What a server is asked, and what it said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

REDIRECTS = frozenset({301, 302, 303, 307, 308})
_SAME_METHOD = frozenset({307, 308})


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked at a URL. Unless `any_kind` will do, the answer must be one that may hold a page."""

    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes = b""
    any_kind: bool = False

    @property
    def is_safe(self) -> bool:
        """Whether asking twice does no more than asking once."""
        return self.method in ("GET", "HEAD")

    def redirected(self, status: int) -> Question:
        """What is asked where a redirect leads: what was asked before, or only for a look."""
        return self if self.is_safe or status in _SAME_METHOD else replace(self, method="GET", content=b"")


@dataclass(frozen=True, slots=True)
class Answer:
    """`headers` have lower-case names, `body` is unpacked; `wait` is in seconds, where the server asked for it."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    wait: float | None = None

    @property
    def kind(self) -> str:
        """The Content-Type, empty where there is none."""
        return self.headers.get("content-type", "")

    @property
    def validators(self) -> Mapping[str, str]:
        """The headers by which the server can tell later whether this is still what it would say."""
        asked = (("If-None-Match", "etag"), ("If-Modified-Since", "last-modified"))
        return {name: self.headers[key] for name, key in asked if key in self.headers}

    @property
    def location(self) -> str | None:
        """Where a redirect leads."""
        return self.headers.get("location") if self.status in REDIRECTS else None


def readable(content_type: str) -> bool:
    """Whether a Content-Type may hold a page; none at all may."""
    kind = content_type.partition(";")[0].strip().lower()
    return not kind or kind.startswith("text/") or kind.endswith(("xml", "html", "json"))
