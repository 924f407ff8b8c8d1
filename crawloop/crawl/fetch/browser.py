"""Pages as a browser makes them, which may go nowhere that the fetcher may not.

The browser has no network: its proxy is a dead end, and no name resolves. Every request of a page comes here and is
answered by the fetcher, so that hosts, addresses, robots.txt, pace and caps are looked at in one place. Interception
alone would not do: Playwright shows no redirect of a request, and the browser resolves names for itself.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import shutil
from collections import Counter
from collections.abc import Iterable
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp
from types import TracebackType
from typing import TYPE_CHECKING

from crawloop.crawl.fetch.exchange import Answer, Question
from crawloop.crawl.fetch.fetcher import HttpFetcher
from crawloop.errors import (
    AnswerLost,
    FetchError,
    HostNotAllowed,
    PageForbidden,
    PageRefused,
    UserError,
    how_to_install,
)
from crawloop.model.page import Page
from crawloop.model.policy import FetchRules, RenderRules
from crawloop.shape import shown

if TYPE_CHECKING:
    from playwright.async_api import Browser, Request, Route
    from playwright.async_api import Page as Tab

_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
_DEAD_END = (
    "--proxy-server=http://0.0.0.0:1",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)
_QUIET = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic")
_UNSEEN = frozenset({"image", "media", "font", "manifest", "ping", "texttrack"})  # nothing of the text depends on them
_KEPT = frozenset({"script", "stylesheet"})  # the same on many pages
_MOST_KEPT, _MOST_TOLD = 200, 5
_OURS = frozenset({"host", "connection", "cookie", "accept-encoding", "content-length", "user-agent"})
_OF_THE_WIRE = frozenset({"content-encoding", "content-length", "transfer-encoding", "connection", "set-cookie"})


def find_browser(rules: RenderRules) -> str:
    """The path of the browser that is named, or of one on the PATH. Raises UserError where pages cannot be rendered."""
    if importlib.util.find_spec("playwright") is None:
        raise UserError(f"pages are rendered by Playwright, which is missing: {how_to_install('browser')}")
    if rules.browser and not shutil.which(rules.browser):
        raise UserError(f"render.browser is {rules.browser!r}, and not there: install Chromium, or name another")
    found = rules.browser or next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        raise UserError("there is no Chromium on the PATH: install it, or set render.browser")
    return found


class BrowserFetcher:
    """A Fetcher that renders what `http` fetches, used within one `async with`. Raises UserError without a browser."""

    renders = True

    def __init__(self, http: HttpFetcher, rules: RenderRules, fetch: FetchRules) -> None:
        self._http, self._rules, self._fetch = http, rules, fetch
        self._places = asyncio.Semaphore(rules.at_once)
        self._open = AsyncExitStack()
        self._parts: dict[str, Answer] = {}
        self._refused: Counter[str] = Counter()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know of the crawl, one line each."""
        often = (why for why, _ in self._refused.most_common(_MOST_TOLD))
        return (*self._http.warnings, *(f"parts of pages were left out: {why}" for why in often))

    def allow(self, urls: Iterable[str]) -> None:
        """From now on the hosts of these URLs are asked too, which somebody asked for."""
        self._http.allow(urls)

    async def __aenter__(self) -> BrowserFetcher:
        self._browser = await _launched(self._rules, self._open)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        await self._open.aclose()

    async def fetch(self, url: str) -> Page:
        """The page with what its scripts made of it. Raises FetchError, also where it does not come to rest."""
        page = await self._http.fetch(url)
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

        visit = _Visit(page, self._http, self._parts, self._refused)
        context = await self._browser.new_context(
            user_agent=self._fetch.user_agent, service_workers="block", accept_downloads=False
        )
        try:
            await context.route("**/*", visit.answer)
            tab = await context.new_page()
            context.on("page", _closed)
            await tab.goto(page.base, wait_until="networkidle", timeout=0)
            html, at = await tab.content(), tab.url
        except Error as error:
            raise FetchError(f"{shown(page.url)}: the browser failed: {error.message.splitlines()[0]}") from error
        finally:
            with suppress(Error):
                await context.close()
        if visit.lost:
            raise AnswerLost(f"{shown(page.url)}: a part of the page could not be had: {visit.lost}")
        return self._page(page, html, at)

    def _page(self, page: Page, html: str, at: str) -> Page:
        body = html.encode("utf-8", "replace")
        if len(body) > self._fetch.max_bytes:
            cap = f"{self._fetch.max_bytes / 1e6:g} MB (fetch.max_bytes)"
            raise PageRefused(f"{shown(page.url)}: the rendered page is larger than {cap}")
        return replace(page, html=html, final_url=at, content_type="text/html; charset=utf-8", body=body)


class _Visit:
    """Answers what one page asks for. `parts` are the scripts and styles that pages of this crawl share, `refused` says
    which hosts may not be asked. `lost` says what else could not be had, for a page without it is not the page."""

    def __init__(self, page: Page, http: HttpFetcher, parts: dict[str, Answer], refused: Counter[str]) -> None:
        self._page: Page | None = page
        self._http, self._parts, self._refused = http, parts, refused
        self.lost = ""

    async def answer(self, route: Route) -> None:
        """Fulfils a request of the page, or aborts it where it may not be made or nobody would see the answer."""
        from playwright.async_api import Error

        request = route.request
        with suppress(Error):  # the page is gone already
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
                self._refused[str(error).partition(": ")[2]] += 1
            elif not isinstance(error, PageForbidden):
                self.lost = self.lost or str(error)
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
        if request.url in self._parts:
            return request.url, self._parts[request.url]
        headers = {
            name: value for name, value in request.headers.items() if not (name in _OURS or name.startswith("sec-"))
        }
        question = Question(request.method, headers, request.post_data_buffer or b"", any_kind=True)
        at, answer = await self._http.answer(request.url, question)
        if request.resource_type in _KEPT and answer.status == 200 and len(self._parts) < _MOST_KEPT:
            self._parts[request.url] = answer
        return at, answer


async def _launched(rules: RenderRules, stack: AsyncExitStack) -> Browser:
    """A browser without network, secrets or history, closed with the stack."""
    path = find_browser(rules)
    from playwright.async_api import Error, async_playwright

    home = Path(mkdtemp(prefix="crawloop-browser-"))
    stack.callback(shutil.rmtree, home, ignore_errors=True)
    playwright = await stack.enter_async_context(async_playwright())
    try:
        browser = await playwright.chromium.launch(
            executable_path=path,
            args=[*_DEAD_END, *_QUIET],
            chromium_sandbox=os.geteuid() != 0,  # Chromium's own sandbox does not start as root
            env={"PATH": os.environ.get("PATH", ""), "HOME": str(home)},
        )
    except Error as error:
        raise UserError(f"{path} does not start: {error.message.splitlines()[0]}; see `crawloop doctor`") from error
    stack.push_async_callback(browser.close)
    return browser


async def _closed(tab: Tab) -> None:
    """A window that a page opened is nobody's."""
    await tab.close()
