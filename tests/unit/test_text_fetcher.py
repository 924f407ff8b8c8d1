"""The library's fetcher: what a caller's `fetch` gives in error is a page that was not fetched, and says so."""

import asyncio

import pytest

from crawloop.errors import FetchError
from crawloop.loop.standard import TextFetcher


class Pages:
    async def fetch(self, url: str) -> str:
        return None if url.endswith("nothing") else f"<h1>{url}</h1>"  # type: ignore[return-value]


def test_a_fetch_that_gives_no_text_is_named() -> None:
    fetcher = TextFetcher(Pages(), lambda: "2026-01-01T00:00:00Z")
    assert asyncio.run(fetcher.fetch("https://a.example/p")).html == "<h1>https://a.example/p</h1>"
    with pytest.raises(FetchError, match=r"/nothing: fetch\(\) gave NoneType, not the text"):
        asyncio.run(fetcher.fetch("https://a.example/nothing"))
