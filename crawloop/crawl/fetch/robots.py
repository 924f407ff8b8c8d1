"""What robots.txt allows, by RFC 9309: read once a crawl for each host, before anything else of it is asked."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from crawloop.crawl.fetch.pace import Pace
from crawloop.crawl.fetch.patience import Timer
from crawloop.errors import FetchError, PageForbidden

if TYPE_CHECKING:
    import httpx

    from crawloop.crawl.fetch.exchange import Answer

LONGEST_DELAY = 60.0  # seconds; a Crawl-delay above it is kept to it, and told
_MOST_READ = 512_000  # bytes; RFC 9309 asks for 500 KiB at least
_ASKED_AGAIN = 60.0  # seconds after which a robots.txt that could not be had is asked for again
_AGENT = re.compile(r"\s*user[- ]?agent\s*[:\s]\s*([^#]*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Permission:
    """`rules` is None where everything is allowed; `failure` says why nothing is, and holds until `until`."""

    rules: Any = None
    failure: str = ""
    until: float = float("inf")


class Robots:
    """The robots.txt of each host. `ask` fetches one, redirects followed; `pace` is the pace of a URL's host."""

    def __init__(
        self,
        ask: Callable[[httpx.URL], Awaitable[Answer]],
        pace: Callable[[httpx.URL], Pace],
        agent: str,
        timer: Timer,
    ) -> None:
        self._ask, self._pace, self._agent, self._timer = ask, pace, agent, timer
        self._known: dict[httpx.URL, _Permission] = {}
        self._locks: dict[httpx.URL, asyncio.Lock] = {}
        self.warnings: list[str] = []

    async def check(self, url: httpx.URL) -> None:
        """Raises PageForbidden where the page is disallowed, FetchError where nobody can say whether it is."""
        file = url.copy_with(userinfo=b"", path="/robots.txt", query=None, fragment=None)
        permission = await self._permission(file)
        if permission.failure:
            raise FetchError(f"{file} could not be had, so nothing there is fetched now: {permission.failure}")
        if permission.rules is not None and not _allows(permission.rules, str(url), self._agent):
            raise PageForbidden(f"{file} does not allow it; with the owner's leave, set fetch.robots = false")

    async def _permission(self, file: httpx.URL) -> _Permission:
        async with self._locks.setdefault(file, asyncio.Lock()):
            known = self._known.get(file)
            if known is None or self._timer.now() >= known.until:
                known = self._known[file] = await self._had(file)
            return known

    async def _had(self, file: httpx.URL) -> _Permission:
        try:
            answer = await self._ask(file)
        except FetchError as error:
            return self._failed(str(error))
        if answer.status >= 500 or answer.status == 429:
            return self._failed(f"HTTP {answer.status}")
        if answer.status >= 300:  # none there, or lost in redirects: nothing is said against fetching
            return _Permission()
        rules = parse(answer.body, self._agent)
        self._keep_apart(file, rules.crawl_delay(self._agent) or 0.0)
        return _Permission(rules)

    def _failed(self, why: str) -> _Permission:
        return _Permission(failure=why, until=self._timer.now() + _ASKED_AGAIN)

    def _keep_apart(self, file: httpx.URL, seconds: float) -> None:
        if seconds > LONGEST_DELAY:
            self.warnings.append(f"{file} asks for {seconds:g} s between pages: {LONGEST_DELAY:g} s are kept")
        self._pace(file).keep_apart(min(seconds, LONGEST_DELAY))


def parse(body: bytes, agent: str) -> Any:
    """The rules of a robots.txt, as protego reads them.

    Agents that are not ours become one: protego copies a group's rules for each of its agents, and a hostile file names
    thousands of both.
    """
    from protego import Protego

    ours = {"*", *re.findall(r"[a-z_-]+", agent.lower())}
    lines = body[:_MOST_READ].decode("utf-8-sig", "replace").splitlines()
    return Protego.parse("\n".join(_kept(line, ours) for line in lines))


def _kept(line: str, ours: set[str]) -> str:
    named = _AGENT.match(line)
    return line if named is None or named[1].strip().lower() in ours else "User-agent: -"


def _allows(rules: Any, url: str, agent: str) -> bool:
    return bool(rules.can_fetch(url, agent))
