"""Pages over HTTP, politely: few at a time from one host, patient with a busy one, bounded in time and size.

A page with an HTTP error status is a page like any other; only what gave no page at all raises.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from crawloop.contract import Clock
from crawloop.crawl.charset import decode
from crawloop.errors import FetchError, PageRefused
from crawloop.model.page import Page
from crawloop.model.policy import FetchRules

if TYPE_CHECKING:
    import httpx

_AGAIN = frozenset({429, 500, 502, 503, 504})
_LONGEST_PAUSE = 30.0


class HttpFetcher:
    """A Fetcher over httpx, used within one `async with` and so within one event loop."""

    def __init__(
        self,
        rules: FetchRules | None = None,
        *,
        clock: Clock,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._rules = rules or FetchRules()
        self._clock = clock
        self._sleep = sleep
        self._client: httpx.AsyncClient | None = None
        self._hosts: dict[str, asyncio.Semaphore] = {}
        self._all = asyncio.Semaphore(self._rules.at_once)

    async def __aenter__(self) -> HttpFetcher:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections. The fetcher may be used again, in another event loop too."""
        client, self._client = self._client, None
        self._hosts = {}
        self._all = asyncio.Semaphore(self._rules.at_once)
        if client is not None:
            await client.aclose()

    async def fetch(self, url: str) -> Page:
        """The page, whatever its status. Raises FetchError, or PageRefused where it is larger than the cap."""
        try:
            parts = urlsplit(url)
        except ValueError as error:
            raise FetchError(f"{url}: {error}") from error
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise FetchError(f"{url}: only http and https pages can be fetched")
        host = self._hosts.setdefault(parts.netloc.lower(), asyncio.Semaphore(self._rules.per_host))
        async with host, self._all:
            try:
                async with asyncio.timeout(self._rules.deadline):
                    return await self._try(url)
            except TimeoutError:
                raise FetchError(f"{url}: no whole page within {self._rules.deadline:g} s") from None

    async def _try(self, url: str) -> Page:
        """Asks until there is an answer that waiting would not better, or the retries are used up."""
        import httpx

        for attempt in range(self._rules.retries + 1):
            last = attempt == self._rules.retries
            try:
                page, wait = await self._ask(url)
            # ValueError: a host or path, of ours or of a redirect, that no URL can hold
            except (httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.TooManyRedirects, ValueError) as error:
                raise FetchError(f"{url}: {error}") from error
            except httpx.HTTPError as error:
                if last:
                    raise FetchError(f"{url}: {type(error).__name__} {error}".rstrip()) from error
                wait = None
            else:
                if last or page.status not in _AGAIN or (wait is not None and wait > _LONGEST_PAUSE):
                    return page
            await self._sleep(self._rules.pause * 2**attempt if wait is None else wait)
        raise AssertionError("the last attempt returns or raises")

    async def _ask(self, url: str) -> tuple[Page, float | None]:
        """One request: the page, and how many seconds the server asks us to wait."""
        async with self._http().stream("GET", url) as answer:
            kind = answer.headers.get("content-type", "")
            if not readable(kind):
                raise FetchError(f"{url}: this is {kind.partition(';')[0].strip()}, not a page")
            _check_packing(url, answer.headers.get("content-encoding", ""))
            body = await self._body(url, answer)
            page = Page(
                url=url,
                html=decode(body, kind),
                status=answer.status_code,
                final_url=str(answer.url),
                content_type=kind or "text/html",
                fetched_at=self._clock(),
                body=body,
            )
            return page, retry_after(answer.headers.get("retry-after"), datetime.now(UTC))

    async def _body(self, url: str, answer: httpx.Response) -> bytes:
        cap = self._rules.max_bytes
        body = bytearray()
        async for piece in answer.aiter_bytes(65536):
            body += piece
            if len(body) > cap:
                raise PageRefused(f"{url}: the page is larger than {cap / 1e6:g} MB (fetch.max_bytes)")
        return bytes(body)

    def _http(self) -> httpx.AsyncClient:
        if self._client is None:
            import httpx

            self._client = httpx.AsyncClient(
                headers={
                    "User-Agent": self._rules.user_agent,
                    "Accept": "text/html,application/xhtml+xml,*/*;q=0.5",
                    "Accept-Encoding": "gzip, deflate",
                },
                timeout=self._rules.timeout,
                follow_redirects=True,
                max_redirects=self._rules.redirects,
            )
        return self._client


def readable(content_type: str) -> bool:
    """Whether a Content-Type may hold a page; none at all may."""
    kind = content_type.partition(";")[0].strip().lower()
    return not kind or kind.startswith("text/") or kind.endswith(("xml", "html", "json"))


def _check_packing(url: str, encoding: str) -> None:
    """Refuses what a few bytes can blow up without bound before the cap is looked at: packed twice, or not as asked."""
    packed = [one for one in (part.strip().lower() for part in encoding.split(",")) if one not in ("", "identity")]
    if len(packed) > 1 or not {"br", "zstd", "compress"}.isdisjoint(packed):
        raise FetchError(f"{url}: the page is packed as {encoding[:80]!r}, but gzip or deflate, once, was asked for")


def retry_after(value: str | None, now: datetime) -> float | None:
    """Seconds to wait by a Retry-After header (seconds or an HTTP date), None where it says nothing."""
    if not value:
        return None
    if value.strip().isdecimal():
        return float(value)
    try:
        then = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    return max(0.0, ((then if then.tzinfo else then.replace(tzinfo=UTC)) - now).total_seconds())
