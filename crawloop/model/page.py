"""A page as it was fetched, and the record that an extractor returns."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

# A record holds plain JSON values only: text, URL, enum label, ISO date or datetime as str; number, money and
# duration (in the field's unit) as int or float; bool; None; or a list of those.
Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Page:
    """One fetched page, decoded. `url` is the one asked for; `final_url` is where redirects ended.

    `body` are the bytes as the server sent them, unpacked, for the archive; empty where only the text is known.
    """

    url: str
    html: str = field(repr=False)
    status: int = 200
    final_url: str = ""
    content_type: str = "text/html"
    fetched_at: str = ""
    body: bytes = field(default=b"", repr=False, compare=False)

    @property
    def base(self) -> str:
        """The URL against which relative links resolve (before any `<base href>`)."""
        return self.final_url or self.url

    @property
    def digest(self) -> str:
        """SHA-256 of the decoded text, by which pages are stored once and states refer to them."""
        return hashlib.sha256(self.html.encode("utf-8", "surrogatepass")).hexdigest()
