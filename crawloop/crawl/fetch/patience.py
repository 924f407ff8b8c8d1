"""How long is waited: for an answer, and before another attempt."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

LONGEST_PAUSE = 30.0  # seconds; a host that asks for more is left alone


@dataclass(frozen=True, slots=True)
class Timer:
    """Time and chance as the fetcher knows them: seconds that only grow, waiting, a number from 0 to 1."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random


class Deadline:
    """The seconds that a page has for its answers, retries and redirects together; waiting for its turn is free."""

    def __init__(self, seconds: float) -> None:
        self._left = seconds

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Raises TimeoutError when they are used up."""
        begun = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(self._left):
                yield
        finally:
            self._left -= asyncio.get_running_loop().time() - begun


def back_off(pause: float, attempt: int, timer: Timer) -> float:
    """Seconds before another attempt: twice as many each time, half of them by chance, so that a crowd spreads out."""
    whole = min(pause * 2.0**attempt, LONGEST_PAUSE)
    return whole / 2 + whole / 2 * timer.chance()
