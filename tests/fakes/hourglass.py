"""Time that passes only where somebody waits for it."""

from __future__ import annotations

import asyncio


class Hourglass:
    """Seconds that `sleep` spends at once; several sleepers never turn it back."""

    def __init__(self) -> None:
        self._now = 0.0

    def now(self) -> float:
        return self._now

    async def sleep(self, seconds: float) -> None:
        until = self._now + seconds
        await asyncio.sleep(0)
        self._now = max(self._now, until)
