"""`run_loop`: the whole loop behind one call, for library users who bring their own fetcher, registry and model."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from crawloop.contract import Clock, FetchContext
from crawloop.errors import CrawloopError, FetchError
from crawloop.model.page import Page


@dataclass(frozen=True, slots=True)
class LoopResult:
    """How a run ended. `version` is the number of the promoted version; `reason` is "promoted" or what went wrong."""

    ok: bool
    version: int | None
    rounds: int
    escalated: bool
    reason: str


class TextFetcher:
    """A Fetcher over anything that gives the text of a page. What it raises is a FetchError."""

    def __init__(self, context: FetchContext, clock: Clock) -> None:
        self._context = context
        self._clock = clock

    async def fetch(self, url: str) -> Page:
        try:
            text = await self._context.fetch(url)
        except CrawloopError:
            raise
        except Exception as why:
            raise FetchError(f"{url}: {type(why).__name__}: {why}") from why
        return Page(url, text, fetched_at=self._clock())


def utc_now() -> str:
    """The time, to the second, in UTC."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
