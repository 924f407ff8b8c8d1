"""Pages from the network: by HTTP alone, or through a browser that is fed by it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from crawloop.contract import Clock, Source
from crawloop.crawl.fetch.cache import PageCache
from crawloop.crawl.fetch.fetcher import HttpFetcher
from crawloop.model.policy import FetchRules, RenderRules

Warn = Callable[[str], None]


@asynccontextmanager
async def network(
    urls: Iterable[str], rules: FetchRules, render: RenderRules | None, cache: Path, *, clock: Clock, warn: Warn
) -> AsyncIterator[Source]:
    """A source that asks only hosts of `urls` and those that the rules name. `warn` hears at the end what was odd."""
    kept = PageCache(cache, rules.cache_mb * 1_000_000) if rules.cache_mb else None
    async with HttpFetcher(rules, urls, clock=clock, cache=kept) as http:
        if render is None:
            yield http
            warnings = http.warnings
        else:
            from crawloop.crawl.fetch.browser import BrowserFetcher

            async with BrowserFetcher(http, render, rules) as browser:
                yield browser
            warnings = browser.warnings
    for warning in warnings:
        warn(warning)
