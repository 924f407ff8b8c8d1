"""How fast one host is asked: so many at once, so long apart, and not at all while it asks to be left alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from crawloop.crawl.fetch.patience import LONGEST_PAUSE, Timer, back_off
from crawloop.errors import FetchError


class Pace:
    """The pace of one host. `at_once` bounds its requests, `everywhere` those of all hosts together."""

    def __init__(
        self, timer: Timer, everywhere: asyncio.Semaphore, *, at_once: int, interval: float, pause: float
    ) -> None:
        self._timer = timer
        self._everywhere = everywhere
        self._places = asyncio.Semaphore(at_once)
        self._queue = asyncio.Lock()
        self._interval = interval
        self._pause = pause
        self._free_at = self._held_until = timer.now()
        self._refusals = 0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """The time in which one request may be made. Raises FetchError where the host wants to be left alone."""
        async with self._places:
            async with self._queue:  # one at a time waits, so that whoever was late makes no crowd
                while (wait := max(self._free_at, self._held_until) - self._timer.now()) > 0:
                    if self._held_until - self._timer.now() > LONGEST_PAUSE:
                        raise FetchError(f"the host asked to be left alone for {wait:.0f} s")
                    await self._timer.sleep(wait)
                await self._everywhere.acquire()
                self._free_at = self._timer.now() + self._interval
            try:
                yield
            finally:
                self._everywhere.release()

    def keep_apart(self, seconds: float) -> None:
        """From now on requests begin at least so many seconds apart."""
        self._interval = max(self._interval, seconds)

    def refused(self, wait: float | None) -> None:
        """The host has had enough: nobody asks it for `wait` seconds, or for longer each time where it said nothing."""
        now = self._timer.now()
        is_news = now >= self._held_until  # what was under way already is refused for the same reason
        if wait is None:
            wait = back_off(self._pause, self._refusals, self._timer) if is_news else 0.0
        self._refusals += is_news
        self._held_until = max(self._held_until, now + wait)

    def served(self) -> None:
        """The host answers again."""
        self._refusals = 0
