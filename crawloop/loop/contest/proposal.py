"""Having a strategy propose, without holding up whatever else goes on in the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from crawloop.contract import Brief, Strategy
from crawloop.model.candidate import Candidate


async def proposals(strategy: Strategy, brief: Brief) -> Sequence[Candidate]:
    """What the strategy proposes; raises what it raises.

    A free one only computes, for seconds on end: it does so in a thread of its own, while a crawl goes on beside it.
    """
    if strategy.needs_model:
        return await strategy.propose(brief)
    return await asyncio.to_thread(lambda: asyncio.run(_proposed(strategy, brief)))


async def _proposed(strategy: Strategy, brief: Brief) -> Sequence[Candidate]:
    return await strategy.propose(brief)
