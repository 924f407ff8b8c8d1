"""Which pages a crawl goes to: also after it was interrupted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence

from crawloop.crawl.paging import followed
from crawloop.crawl.report import PageReport, PageStatus

LAST = 6


def url(number: int) -> str:
    return f"https://x.example/list?page={number}"


def report(number: int) -> PageReport:
    following = url(number + 1) if number < LAST else None
    return PageReport(url(number), "x", 1, PageStatus.OK, ({"n": number},), following=following)


async def serve(urls: Sequence[str]) -> AsyncGenerator[PageReport, None]:
    for one in urls:
        yield report(int(one.rpartition("=")[2]))


def numbers(begin: Sequence[int], most: int, done: Sequence[int] = ()) -> list[int]:
    async def whole() -> list[int]:
        known = {url(n): report(n) for n in done}
        reports = followed([url(n) for n in begin], serve, most, known)
        return [int(one.url.rpartition("=")[2]) async for one in reports]

    return asyncio.run(whole())


def test_an_interrupted_crawl_goes_on_where_it_was() -> None:
    assert numbers([1], 9) == [1, 2, 3, 4, 5, 6]
    assert numbers([1], 9, done=[1, 2, 3]) == [4, 5, 6]
    assert numbers([1], 3, done=[1, 2, 3]) == [4]
    assert numbers([1], 9, done=[1, 2, 3, 4, 5, 6]) == []


def test_two_listings_that_meet_are_gone_through_once() -> None:
    assert numbers([1, 3], 9) == [1, 3, 2, 4, 5, 6]
    assert numbers([1, 3], 1) == [1, 3, 2, 4]


def test_without_following_each_url_is_served_once() -> None:
    assert numbers([1, 4], 0) == [1, 4]
    assert numbers([1, 4], 0, done=[1]) == [4]
