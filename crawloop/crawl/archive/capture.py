"""What an archive holds: captures of pages, each of which loads when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Response:
    """What the server said when the page was saved. `location` is where a redirect leads."""

    body: bytes
    content_type: str = "text/html"
    status: int = 200
    final_url: str = ""
    location: str = ""


@dataclass(frozen=True, slots=True)
class Capture:
    """One saved page: `where` names its file for messages, `saved_at` is empty where nobody wrote it down."""

    url: str
    where: str
    saved_at: str
    load: Callable[[], Response]
    listed: bool = True
