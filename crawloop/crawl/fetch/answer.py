"""What a server said to one request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_REDIRECTS = frozenset({301, 302, 303, 307, 308})


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
    def location(self) -> str | None:
        """Where a redirect leads."""
        return self.headers.get("location") if self.status in _REDIRECTS else None


def readable(content_type: str) -> bool:
    """Whether a Content-Type may hold a page; none at all may."""
    kind = content_type.partition(";")[0].strip().lower()
    return not kind or kind.startswith("text/") or kind.endswith(("xml", "html", "json"))
