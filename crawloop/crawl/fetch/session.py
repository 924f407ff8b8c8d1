"""From a URL to an answer: redirects hop by hop, each within the allowlist, and attempts until one is worth keeping."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import httpx

from crawloop.crawl.fetch.cache import PageCache
from crawloop.crawl.fetch.exchange import Answer, Question
from crawloop.crawl.fetch.hosts import Hosts
from crawloop.crawl.fetch.pace import Pace
from crawloop.crawl.fetch.patience import LONGEST_PAUSE, Deadline, Timer, back_off
from crawloop.crawl.fetch.robots import Robots
from crawloop.crawl.fetch.wire import Wire
from crawloop.errors import AnswerLost, FetchError, HostNotAllowed
from crawloop.model.policy import FetchRules

_AGAIN = frozenset({429, 500, 502, 503, 504})
_ENOUGH = frozenset({429, 503})  # said of the host, not of the page
_ROBOTS_REDIRECTS = 5  # as RFC 9309 has it


class Session:
    """The connections, cookies and manners of one crawl, in one event loop."""

    def __init__(self, rules: FetchRules, hosts: Hosts, timer: Timer, cache: PageCache | None) -> None:
        self._rules, self._hosts, self._timer, self._cache = rules, hosts, timer, cache
        self._wire = Wire(rules, hosts)
        self._everywhere = asyncio.Semaphore(rules.at_once)
        self._paces: dict[tuple[str, int | None], Pace] = {}
        self._robots = Robots(self._robots_file, self._pace, rules.user_agent, timer) if rules.robots else None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know of the hosts that were asked, one line each."""
        return tuple(self._robots.warnings) if self._robots else ()

    async def aclose(self) -> None:
        await self._wire.aclose()

    async def answer(self, url: str, question: Question) -> tuple[httpx.URL, Answer]:
        """The answer, and where it was had. Raises FetchError, in words without the URL."""
        permit = self._robots.check if self._robots else None
        at, answer = await self._follow(parsed(url), question, self._rules.redirects, permit)
        if answer.location is not None:
            raise FetchError(f"more than {self._rules.redirects} redirects (fetch.redirects)")
        return at, answer

    async def _robots_file(self, file: httpx.URL) -> Answer:
        return (await self._follow(file, Question(any_kind=True), _ROBOTS_REDIRECTS, None))[1]

    async def _follow(
        self, url: httpx.URL, question: Question, most: int, permit: Callable[[httpx.URL], Awaitable[None]] | None
    ) -> tuple[httpx.URL, Answer]:
        """The first answer that is no redirect, or the last of `most` redirects."""
        deadline = Deadline(self._rules.deadline)
        at = url
        for left in range(most, -1, -1):
            if not self._hosts.allows(at.raw_host.decode("ascii"), at.port):
                raise HostNotAllowed(_not_allowed(at, is_redirect=at is not url))
            if permit is not None:
                await permit(at)
            answer = await self._patiently(at, question, deadline)
            if answer.location is None or not left:
                break
            at, question = parsed(answer.location, at), question.redirected(answer.status)
        return at, answer

    async def _patiently(self, at: httpx.URL, question: Question, deadline: Deadline) -> Answer:
        """Asks until there is an answer that waiting would not better, or the retries are used up."""
        pace = self._pace(at)
        for left in range(self._rules.retries if question.is_safe else 0, -1, -1):
            wait = None
            try:
                answer = await self._ask(at, question, pace, deadline)
            except AnswerLost:
                if not left:
                    raise
            else:
                wait = answer.wait
                if answer.status in _ENOUGH:
                    pace.refused(wait)
                if not left or answer.status not in _AGAIN or (wait or 0) > LONGEST_PAUSE:
                    return answer
                if answer.status in _ENOUGH:
                    continue  # its turn comes when the host has rested
            await self._timer.sleep(wait or back_off(self._rules.pause, self._rules.retries - left, self._timer))
        raise AssertionError("the last attempt returns or raises")

    async def _ask(self, at: httpx.URL, question: Question, pace: Pace, deadline: Deadline) -> Answer:
        cache = self._cache if question.method == "GET" else None
        known = cache.find(str(at)) if cache else None
        if known:
            question = replace(question, headers={**question.headers, **known.validators})
        async with pace.turn():
            try:
                async with deadline.running():
                    answer = await self._wire.ask(at, question)
            except TimeoutError:
                raise FetchError(f"no whole page within {self._rules.deadline:g} s (fetch.deadline)") from None
        if answer.status not in _ENOUGH:
            pace.served()
        if known and answer.status == 304:
            return known
        if cache:
            cache.keep(str(at), answer)
        return answer

    def _pace(self, at: httpx.URL) -> Pace:
        place = at.host, at.port
        if place not in self._paces:
            interval = 1 / self._rules.rate if self._rules.rate else 0.0
            self._paces[place] = Pace(
                self._timer, self._everywhere, at_once=self._rules.per_host, interval=interval, pause=self._rules.pause
            )
        return self._paces[place]


def parsed(url: str, base: httpx.URL | None = None) -> httpx.URL:
    """The URL as it is asked for, without fragment. Raises FetchError for one that cannot be asked for."""
    try:
        made = base.join(url) if base is not None else httpx.URL(url)
        made = made.copy_with(fragment=None) if made.fragment else made
        is_web = made.scheme in ("http", "https") and bool(made.host) and (made.port or 80) < 1 << 16
    except (httpx.InvalidURL, ValueError) as error:  # ValueError: a host or path that no URL can hold
        raise FetchError(f"{'it redirects to what is no URL' if base else 'this is no URL'} ({error})") from error
    if not is_web:
        whence = f"it redirects to {made.scheme}:, but " if base is not None else ""
        raise FetchError(f"{whence}only http and https pages can be fetched")
    return made


def _not_allowed(at: httpx.URL, *, is_redirect: bool) -> str:
    host = at.host if at.port is None else f"{at.host}:{at.port}"
    what = f"redirects to {host}, which is not allowed" if is_redirect else f"{host} is not among the hosts asked for"
    return f"{what}: if it is meant, add it to fetch.hosts"
