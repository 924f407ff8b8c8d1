"""Listings are followed from page to page: within a bound, never in a circle, and only while pages are the family's.

A page that could not be served ends its chain, and so does one that holds the very records of another: sites answer
pages beyond the last one with the last or the first.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace

from crawloop.crawl.report import PageReport
from crawloop.shape import url_key

Serve = Callable[[Sequence[str]], AsyncGenerator[PageReport, None]]


class Trail:
    """Which pages a crawl goes to: those that it began with, and at most `most` after each of them."""

    def __init__(self, urls: Sequence[str], most: int) -> None:
        self._most = most
        self._steps = {url_key(url): 0 for url in urls}
        self._held: dict[str, str] = {}

    def note(self, report: PageReport) -> PageReport:
        """The report; where it was followed to and gives the records of another page, without them and the way on."""
        if self._most == 0 or not report.records:
            return report
        first = self._held.setdefault(_digest(report), report.url)
        if first == report.url or self._steps.get(url_key(report.url), 0) == 0:
            return report
        problem = f"the same records as {first}: the listing goes no further"
        bare = replace(report, records=(), evidence=None, filled={}, following=None)
        return replace(bare, problems=(*report.problems, problem))

    def after(self, report: PageReport) -> str | None:
        """The page to go to from there, None where the chain ends."""
        step = self._steps.get(url_key(report.url), 0) + 1
        at = report.following
        if at is None or step > self._most or not report.status.is_served or url_key(at) in self._steps:
            return None
        self._steps[url_key(at)] = step
        return at


async def followed(
    urls: Sequence[str], serve: Serve, most: int, done: Mapping[str, PageReport]
) -> AsyncGenerator[PageReport, None]:
    """The reports of `urls`, then of the pages that they lead to, one page further each time round.

    What is `done` is not served again, and is followed from where it ended.
    """
    trail = Trail(urls, most)
    going = [*(url for url in urls if url not in done), *_unfinished(urls, done, trail)]
    while going:
        coming: list[str] = []
        async with aclosing(serve(going)) as reports:
            async for one in reports:
                report = trail.note(one)
                at = trail.after(report)
                if at is not None:
                    coming.append(at)
                yield report
        going = coming


def _unfinished(urls: Sequence[str], done: Mapping[str, PageReport], trail: Trail) -> list[str]:
    """The pages at which chains of an interrupted crawl go on."""
    ends: list[str] = []
    chain = [done[url] for url in urls if url in done]
    while chain:
        at = trail.after(trail.note(chain.pop()))
        if at is not None and at in done:
            chain.append(done[at])
        elif at is not None:
            ends.append(at)
    return ends


def _digest(report: PageReport) -> str:
    return hashlib.sha256(json.dumps(report.records, sort_keys=True, default=str).encode()).hexdigest()
