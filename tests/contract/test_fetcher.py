"""What every Fetcher promises, over the network, a folder, a WARC file, and the site in memory of other tests."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from crawloop.contract import Fetcher
from crawloop.crawl.archive import ArchiveFetcher
from crawloop.crawl.fetch import HttpFetcher
from crawloop.errors import FetchError
from crawloop.model.page import Page
from crawloop.model.policy import FetchRules
from tests.fakes.server import Reply, Server
from tests.fakes.site import Site

TEXT = "<!doctype html><meta charset=utf-8><h1>Käse – 3 €</h1>"
WHEN = "2026-01-31T12:00:00Z"


@pytest.fixture(params=["http", "folder", "warc", "memory"])
def fetcher(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Fetcher, str]]:
    """A fetcher, and the URL of a page that it has."""
    with ExitStack() as stack:
        yield {"http": _http, "folder": _folder, "warc": _warc, "memory": _memory}[request.param](tmp_path, stack)


def _http(_: Path, stack: ExitStack) -> tuple[Fetcher, str]:
    server = stack.enter_context(Server({"/a?id=1": Reply(TEXT.encode())}))
    urls = [server.url, "http://nowhere.invalid/"]
    return HttpFetcher(FetchRules(retries=0), urls, clock=lambda: WHEN), server.url + "/a?id=1"


def _folder(tmp_path: Path, _: ExitStack) -> tuple[Fetcher, str]:
    (tmp_path / "a.html").write_bytes(TEXT.encode())
    (tmp_path / "a.json").write_text(json.dumps({"url": "https://x.example/a?id=1", "date": WHEN}))
    return ArchiveFetcher(tmp_path), "https://x.example/a?id=1"


def _warc(tmp_path: Path, _: ExitStack) -> tuple[Fetcher, str]:
    body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + TEXT.encode()
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://x.example/a?id=1\r\nWARC-Date: {WHEN}\r\n"
    head += f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n"
    (tmp_path / "a.warc.gz").write_bytes(gzip.compress(head.encode() + body + b"\r\n\r\n"))
    return ArchiveFetcher(tmp_path / "a.warc.gz"), "https://x.example/a?id=1"


def _memory(_: Path, __: ExitStack) -> tuple[Fetcher, str]:
    return Site({"https://x.example/a?id=1": TEXT}, WHEN), "https://x.example/a?id=1"


def get(fetcher: Fetcher, url: str) -> Page:
    async def one() -> Page:
        try:
            return await fetcher.fetch(url)
        finally:
            if isinstance(fetcher, HttpFetcher):
                await fetcher.aclose()

    return asyncio.run(one())


def test_a_page_is_decoded_and_says_where_and_when_it_was_had(fetcher: tuple[Fetcher, str]) -> None:
    it, url = fetcher
    page = get(it, url)
    assert (page.html, page.url, page.base, page.status, page.fetched_at) == (TEXT, url, url, 200, WHEN)


def test_it_may_be_asked_again_in_another_event_loop(fetcher: tuple[Fetcher, str]) -> None:
    it, url = fetcher
    assert get(it, url) == get(it, url)


def test_what_cannot_be_had_is_a_fetch_error_that_names_the_url(fetcher: tuple[Fetcher, str]) -> None:
    with pytest.raises(FetchError, match=r"nowhere\.invalid"):
        get(fetcher[0], "http://nowhere.invalid/a")
