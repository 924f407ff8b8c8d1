"""The Fetcher over the network."""

from __future__ import annotations

from collections.abc import Iterable
from types import TracebackType
from typing import TYPE_CHECKING

from crawloop.contract import Clock, Source
from crawloop.crawl.charset import decode
from crawloop.crawl.escaped import unfolded
from crawloop.crawl.fetch.cache import PageCache
from crawloop.crawl.fetch.exchange import Answer, Question
from crawloop.crawl.fetch.hosts import Hosts
from crawloop.crawl.fetch.patience import Timer
from crawloop.errors import FetchError
from crawloop.model.page import Page
from crawloop.model.policy import FetchRules
from crawloop.shape import shown

if TYPE_CHECKING:
    from crawloop.crawl.fetch.session import Session


class HttpFetcher(Source):
    """A Source over HTTP, used within one `async with` and so within one event loop.

    Only hosts of `urls`, which somebody asked for, and of `rules.hosts` are asked, whoever redirects there.
    """

    def __init__(
        self,
        rules: FetchRules | None = None,
        urls: Iterable[str] = (),
        *,
        clock: Clock,
        timer: Timer | None = None,
        cache: PageCache | None = None,
    ) -> None:
        self._rules = rules or FetchRules()
        self._hosts = Hosts(urls, self._rules.hosts)
        self._clock = clock
        self._timer = timer or Timer()
        self._cache = cache
        self._session: Session | None = None
        self._warnings: list[str] = []

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know of the crawls so far, one line each."""
        now = self._session.warnings if self._session else ()
        return (*self._warnings, *now, *(self._cache.warnings if self._cache else ()))

    def allow(self, urls: Iterable[str]) -> None:
        self._hosts.add(urls)

    async def __aenter__(self) -> HttpFetcher:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections. The fetcher may be used again, in another event loop too."""
        session, self._session = self._session, None
        if session is not None:
            self._warnings += session.warnings
            await session.aclose()

    async def fetch(self, url: str) -> Page:
        """The page, whatever its status. Raises FetchError: AnswerLost, PageForbidden, PageRefused among them."""
        at, answer = await self.answer(url, Question())
        return Page(
            url=url,
            html=unfolded(decode(answer.body, answer.kind)),
            status=answer.status,
            final_url=at,
            content_type=answer.kind or "text/html",
            fetched_at=self._clock(),
            body=answer.body,
        )

    async def answer(self, url: str, question: Question) -> tuple[str, Answer]:
        """Where the answer was had at last, and the answer. Raises FetchError as `fetch` does."""
        if self._session is None:
            from crawloop.crawl.fetch.session import Session

            self._session = Session(self._rules, self._hosts, self._timer, self._cache)
        try:
            at, answer = await self._session.answer(url, question)
        except FetchError as error:
            raise type(error)(f"{shown(url)}: {error}") from error
        return str(at.copy_with(userinfo=b"") if at.userinfo else at), answer
