"""Which pages of a family become samples, and which do not.

Labelled pages come first, then those with history, given ones before others, then the rest of the ones given, then the
family's own; one slot stays for a given page. Where that is not enough, siblings are looked for on the pages had.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from itertools import islice

from crawloop.errors import FetchError, PageRefused
from crawloop.extract.bounds.guard import check
from crawloop.loop.kit import Attempt
from crawloop.model.events import PageDropped, PageSampled
from crawloop.model.page import Page
from crawloop.shape import url_key
from crawloop.triage import PageKind

TRIES_PER_SAMPLE = 4


def pool(at: Attempt) -> list[str]:
    """The URLs to try, the most telling first, each once."""
    task = at.task
    known = at.kit.store.known_urls(at.family.name)
    with_history = {url_key(url) for url in known}
    fresh = [url for url in task.urls if url_key(url) not in with_history]
    asked = set(map(url_key, task.urls))
    known = sorted(_had(known, at), key=lambda url: url_key(url) not in asked)
    slots = at.policy.samples - len(task.labelled) - bool(fresh)
    first = known[: max(slots, 0)]
    rest = [*known, *_had(at.family.urls, at)]
    once: dict[str, str] = {}
    for url in (*task.labelled, *first, *fresh, *task.urls, *rest):
        once.setdefault(url_key(url), url)
    return list(once.values())


def _had(urls: Iterable[str], at: Attempt) -> list[str]:
    """Those of the URLs that can be had, as the archive spells them where there is one."""
    if not at.task.only:
        return list(urls)
    there = {url_key(url): url for url in at.task.only}
    return [there[url_key(url)] for url in urls if url_key(url) in there]


async def gather(at: Attempt) -> tuple[Page, ...]:
    """Up to `policy.samples` real pages. Each URL is fetched once; what is no sample leaves a PageDropped."""
    # An archive may be asked as often as need be: one of pages that failed may hold many that were blocked.
    most = max(at.policy.samples * TRIES_PER_SAMPLE, len(at.task.only))
    urls = pool(at)[:most]
    pages = await _first(urls, (), at)
    tried = {url_key(url) for url in urls}
    seeds = 0
    while seeds < len(pages) < at.policy.samples:
        seed, seeds = pages[seeds], seeds + 1
        found = _had(at.kit.siblings(seed.base, seed.html, most), at)
        more = [url for url in found if url_key(url) not in tried]
        tried.update(map(url_key, more))
        pages = await _first(more, pages, at)
    return pages


async def _first(urls: list[str], pages: tuple[Page, ...], at: Attempt) -> tuple[Page, ...]:
    """`pages` and the first real ones of `urls`, up to the number that is wanted; no more is fetched than needed."""
    queue = iter(urls)
    digests = {page.digest for page in pages}
    while missing := at.policy.samples - len(pages):
        batch = list(islice(queue, missing))
        if not batch:
            break
        for page in await asyncio.gather(*(_one(url, at) for url in batch)):
            if page is not None and _is_new(page, digests, at):
                pages += (page,)
    return pages


async def _one(url: str, at: Attempt) -> Page | None:
    """The page, or None where it is no sample."""
    try:
        page = await at.kit.fetcher.fetch(url)
        check(page.html)
    except PageRefused as refusal:
        at.tell(PageDropped, url=url, why=f"refused: {refusal}")
        return None
    except FetchError as failure:
        at.tell(PageDropped, url=url, why=f"not fetched: {failure}")
        return None
    kind, why = at.kit.triage(page)
    if kind is not PageKind.REAL:
        at.tell(PageDropped, url=url, why=f"{kind}: {why}" if why else str(kind))
        return None
    return page


def _is_new(page: Page, digests: set[str], at: Attempt) -> bool:
    """Two URLs with the same text are one page: it must not stand among the seen and the unseen at once."""
    digest = page.digest
    if digest in digests:
        at.tell(PageDropped, url=page.url, why="the same text as another sample")
        return False
    digests.add(digest)
    at.tell(PageSampled, url=page.url, digest=digest)
    return True
