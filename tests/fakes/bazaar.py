"""A large shop on a local port, served in the test's own event loop, that fails as the web does: page by page, by plan.

async with Bazaar(kettles.old_page, {7: Fault.BUSY}) as shop:
    ... fetch shop.url(1), shop.url(2), and look at shop.asked
"""

from __future__ import annotations

import asyncio
import gzip
import socket
import struct
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum, auto
from types import TracebackType

from tests.fakes.site import document

RETRY_AFTER = 7  # seconds
ROBOTS = "User-agent: *\nDisallow: /private/\n"
_CHALLENGE = "<title>Just a moment...</title><script>window._cf_chl_opt={cType: 'managed'}</script>"
_SOFT_404 = "<title>Page not found</title><h1>Page not found</h1><p>We looked everywhere."
_REASONS = {200: "OK", 302: "Found", 429: "Too Many Requests"}


class Fault(StrEnum):
    """What is wrong with a page; `once` and `twice` it is right afterwards."""

    BUSY = auto()  # once 429 with Retry-After
    DOWN = auto()  # twice 503
    RESET = auto()  # once the connection is reset within the head
    SHORT = auto()  # once the body ends before its Content-Length
    CUT = auto()  # once the gzip has no end, and the Content-Length fits
    SLOW = auto()  # the body comes in crumbs
    MISLABELLED = auto()  # Windows-1252 that its <meta> calls UTF-8; the header is nearly right, as browsers know
    AWAY = auto()  # a redirect to `away`
    CHALLENGE = auto()
    SOFT_404 = auto()
    BROKEN = auto()  # always 500
    PRIVATE = auto()  # robots.txt disallows it


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as the server saw it; `at` is in seconds of its clock."""

    at: float
    path: str
    host: str


class Bazaar:
    """`page` makes the page of a number, `plan` says which numbers fail and how; `now` is the server's clock.

    A redesign at a number: `Bazaar(lambda n: old_page(n) if n < 700 else new_page(n))`.
    """

    def __init__(
        self,
        page: Callable[[int], str],
        plan: Mapping[int, Fault] | None = None,
        *,
        away: str = "",
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.asked: list[Asked] = []
        self.refused_at: list[float] = []
        self.most_at_once = 0
        self.connections = 0
        self._page, self._plan, self._away, self._now = page, plan or {}, away, now
        self._times: Counter[str] = Counter()
        self._serving = 0
        self._talks: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    def url(self, number: int) -> str:
        folder = "private" if self._plan.get(number) is Fault.PRIVATE else "p"
        return f"{self.root}/{folder}/{number}"

    async def __aenter__(self) -> Bazaar:
        self._server = await asyncio.start_server(self._meet, "127.0.0.1", 0)
        self.root = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        self._server.close()
        await self.hang_up()
        await self._server.wait_closed()

    async def hang_up(self) -> None:
        """Closes all connections."""
        for writer in self._talks.values():
            writer.close()
        await asyncio.gather(*self._talks)

    def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        talk = asyncio.create_task(self._talk(reader, writer))
        self._talks[talk] = writer
        talk.add_done_callback(self._talks.pop)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while await self._answered(reader, writer):
                pass
        writer.close()

    async def _answered(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Whether the connection is fit for another request."""
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        path = first.split(" ")[1]
        host = next((line.partition(":")[2].strip() for line in lines if line.lower().startswith("host:")), "")
        self.asked.append(Asked(self._now(), path, host))
        self._times[path] += 1
        self._serving += 1
        self.most_at_once = max(self.most_at_once, self._serving)
        try:
            return await self._reply(path, writer)
        finally:
            self._serving -= 1

    async def _reply(self, path: str, writer: asyncio.StreamWriter) -> bool:
        if path == "/robots.txt":
            return await _send(writer, answer(ROBOTS.encode(), kind="text/plain"))
        number = int(path.rpartition("/")[2])
        fault, times = self._plan.get(number), self._times[path]
        if fault is Fault.RESET and times == 1:
            return await _reset(writer, answer(b"")[:12])
        whole = self._whole(number, fault, times)
        if fault is Fault.SHORT and times == 1:
            await _send(writer, whole[: len(whole) * 2 // 3])
            return False
        return await _send(writer, whole, crumbs=40 if fault is Fault.SLOW else 1)

    def _whole(self, number: int, fault: Fault | None, times: int) -> bytes:
        html = self._page(number)
        match fault:
            case Fault.BUSY if times == 1:
                self.refused_at.append(self._now())
                return answer(b"later", 429, f"Retry-After: {RETRY_AFTER}")
            case Fault.DOWN if times <= 2:
                return answer(b"down", 503)
            case Fault.CUT if times == 1:
                return answer(gzip.compress(html.encode())[:-30], 200, "Content-Encoding: gzip")
            case Fault.MISLABELLED:
                return answer(html.encode("cp1252"), kind="text/html; charset=iso-8859-1")
            case Fault.AWAY:
                return answer(b"", 302, f"Location: {self._away}/p/{number}")
            case Fault.CHALLENGE:
                return answer(_CHALLENGE.encode())
            case Fault.SOFT_404:
                return answer(document(_SOFT_404, "Page not found").encode())
            case Fault.BROKEN:
                return answer(b"broken", 500)
        return answer(html.encode())


def answer(body: bytes, status: int = 200, *headers: str, kind: str = "text/html") -> bytes:
    """A whole HTTP/1.1 answer."""
    head = (f"HTTP/1.1 {status} {_REASONS.get(status, 'Error')}", f"Content-Type: {kind}", *headers)
    return "\r\n".join((*head, f"Content-Length: {len(body)}", "", "")).encode("latin-1") + body


async def _send(writer: asyncio.StreamWriter, wire: bytes, crumbs: int = 1) -> bool:
    size = -(-len(wire) // crumbs)
    for start in range(0, len(wire), size):
        writer.write(wire[start : start + size])
        await writer.drain()
        await asyncio.sleep(0)  # so that a crumb is a packet
    return True


async def _reset(writer: asyncio.StreamWriter, begun: bytes) -> bool:
    await _send(writer, begun)
    at_once = struct.pack("ii", 1, 0)  # closing sends RST instead of waiting for the rest
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
    writer.transport.abort()
    return False
