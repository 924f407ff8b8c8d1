"""Pages as a browser makes them, which may go nowhere that the fetcher may not.

The browser has no network (chromium.py). Every request of a page comes here and is answered by the fetcher, so that
hosts, addresses, robots.txt, pace and caps are looked at in one place. Interception alone would not do: Playwright
shows no redirect of a request, and the browser resolves names for itself.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import TYPE_CHECKING

from crawloop.contract import Source
from crawloop.crawl.fetch.chromium import Chromium
from crawloop.crawl.fetch.exchange import Answer, Question
from crawloop.crawl.fetch.fetcher import HttpFetcher
from crawloop.errors import AnswerLost, FetchError, HostNotAllowed, PageForbidden, PageRefused
from crawloop.model.page import Page
from crawloop.model.policy import FetchRules, RenderRules
from crawloop.shape import shown

if TYPE_CHECKING:
    from playwright.async_api import Page as Tab
    from playwright.async_api import Request, Route

# What no text depends on, and what never ends.
_UNSEEN = frozenset({"image", "media", "font", "manifest", "ping", "texttrack", "eventsource", "websocket"})
_SHARED = frozenset({"script", "stylesheet"})
_MOST_SHARED = 50_000_000  # bytes of scripts and styles that are kept for a crawl
_MOST_PARTS = 300  # that one page may ask for
_MOST_TOLD = 5
_OURS = frozenset({"host", "connection", "cookie", "accept-encoding", "content-length", "user-agent"})
_OF_THE_WIRE = frozenset({"content-encoding", "content-length", "transfer-encoding", "connection", "set-cookie"})


class BrowserFetcher(Source):
    """A Source that renders what `http` fetches, used within one `async with`. Raises UserError without a browser."""

    def __init__(self, http: HttpFetcher, rules: RenderRules, fetch: FetchRules) -> None:
        self._rules, self._cap = rules, fetch.max_bytes
        self._places = asyncio.Semaphore(rules.at_once)
        self._chromium = Chromium(rules, fetch.user_agent)
        self._parts = _Parts(http)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know of the crawl, one line each."""
        often = (why for why, _ in self._parts.refused.most_common(_MOST_TOLD))
        return (*self._parts.http.warnings, *(f"parts of pages were left out: {why}" for why in often))

    @property
    def renders(self) -> bool:
        return True

    def allow(self, urls: Iterable[str]) -> None:
        self._parts.http.allow(urls)

    async def __aenter__(self) -> BrowserFetcher:
        await self._chromium.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        await self._chromium.__aexit__(kind, error, tb)

    async def fetch(self, url: str) -> Page:
        """The page with what its scripts made of it. Raises FetchError, also where it does not come to rest."""
        page = await self._parts.http.fetch(url)
        if page.status >= 400 or "html" not in page.content_type:
            return page
        async with self._places:
            try:
                async with asyncio.timeout(self._rules.deadline):
                    return await self._rendered(page)
            except TimeoutError:
                why = f"the page came not to rest in the browser within {self._rules.deadline:g} s (render.deadline)"
                raise FetchError(f"{shown(url)}: {why}") from None

    async def _rendered(self, page: Page) -> Page:
        from playwright.async_api import Error

        try:
            html, at = await self._seen(page)
        except Error as error:
            raise FetchError(f"{shown(page.url)}: the browser failed: {error.message.splitlines()[0]}") from error
        body = html.encode("utf-8", "replace")
        if len(body) > self._cap:
            cap = f"{self._cap / 1e6:g} MB (fetch.max_bytes)"
            raise PageRefused(f"{shown(page.url)}: the rendered page is larger than {cap}")
        return replace(page, html=html, final_url=at, content_type="text/html; charset=utf-8", body=body)

    async def _seen(self, page: Page) -> tuple[str, str]:
        """The document when the network rests, and where it is. Raises AnswerLost, and Playwright's Error."""
        from playwright.async_api import Error

        context = await self._chromium.visit()
        visit = _Visit(page, self._parts, context.close)
        try:
            await context.route("**/*", visit.answer)
            tab = await context.new_page()
            context.on("page", _closed)
            await tab.goto(page.base, wait_until="networkidle", timeout=0)
            return await tab.content(), tab.url
        except Error:
            if not visit.lost:
                raise
            raise AnswerLost(f"{shown(page.url)}: a part of the page could not be had: {visit.lost}") from None
        finally:
            visit.end()
            with suppress(Error):
                await context.close()


@dataclass(slots=True)
class _Parts:
    """What pages of one crawl ask for beside themselves: scripts and styles that they share, and who was refused."""

    http: HttpFetcher
    refused: Counter[str] = field(default_factory=Counter)
    _shared: dict[str, Answer] = field(default_factory=dict)
    _size: int = 0

    async def get(self, request: Request) -> tuple[str, Answer]:
        """Where the answer was had, and the answer. Raises FetchError."""
        if request.url in self._shared:
            return request.url, self._shared[request.url]
        headers = {
            name: value for name, value in request.headers.items() if not (name in _OURS or name.startswith("sec-"))
        }
        question = Question(request.method, headers, request.post_data_buffer or b"", any_kind=True)
        at, answer = await self.http.answer(request.url, question)
        size = self._size + len(answer.body)
        if request.resource_type in _SHARED and answer.status == 200 and size <= _MOST_SHARED:
            self._shared[request.url], self._size = answer, size
        return at, answer


class _Visit:
    """Answers what one page asks for. What could not be had is `lost`, and ends it: without it the page is another."""

    def __init__(self, page: Page, parts: _Parts, leave: Callable[[], Awaitable[None]]) -> None:
        self._page: Page | None = page
        self._parts, self._leave = parts, leave
        self._asking: set[asyncio.Task[tuple[str, Answer]]] = set()
        self._left = _MOST_PARTS
        self._is_over = False
        self.lost = ""

    def end(self) -> None:
        """Takes back what the page has asked for and nobody waits for any more."""
        self._is_over = True
        for task in self._asking:
            task.cancel()

    async def answer(self, route: Route) -> None:
        """Fulfils a request of the page, or aborts it where it may not be made or nobody would see the answer."""
        from playwright.async_api import Error

        request = route.request
        with suppress(Error, asyncio.CancelledError):  # the page is gone already
            if self._is_over:
                return
            if self._page is not None and request.is_navigation_request():
                page, self._page = self._page, None
                await route.fulfill(status=page.status, content_type=page.content_type, body=page.body)
            elif request.resource_type in _UNSEEN:
                await route.abort("blockedbyclient")
            else:
                await self._fulfil(route, request)

    async def _fulfil(self, route: Route, request: Request) -> None:
        try:
            at, answer = await self._part(request)
        except FetchError as error:
            if isinstance(error, HostNotAllowed):
                self._parts.refused[str(error).partition(": ")[2]] += 1
            elif not isinstance(error, PageForbidden):
                self.lost = self.lost or str(error)
                await self._leave()
            await route.abort("blockedbyclient")
            return
        if request.is_navigation_request() and at != request.url:
            # The browser must know where it is, and is shown no redirect that it would follow by itself.
            script = f"<script>location.replace({json.dumps(at)})</script>"
            await route.fulfill(content_type="text/html", body=script)
            return
        headers = {name: value for name, value in answer.headers.items() if name not in _OF_THE_WIRE}
        await route.fulfill(status=answer.status, headers=headers, body=answer.body)

    async def _part(self, request: Request) -> tuple[str, Answer]:
        if not self._left:
            raise FetchError(f"the page asks for more than {_MOST_PARTS} parts")
        self._left -= 1
        task = asyncio.create_task(self._parts.get(request))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)
        return await task


async def _closed(tab: Tab) -> None:
    """A window that a page opened is nobody's."""
    from playwright.async_api import Error

    with suppress(Error):
        await tab.close()
