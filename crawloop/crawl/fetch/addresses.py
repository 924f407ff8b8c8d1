"""Connections to addresses that were checked.

A name server may answer the check with a public address and the connection, a moment later, with one of the private
network (DNS rebinding). So a host is resolved once for each connection, here, below TLS and the `Host` header, which
both keep the name: what was checked is connected to, and nobody asks the name server again.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable

import httpcore

from crawloop.crawl.fetch.hosts import Hosts, is_public
from crawloop.errors import HostNotAllowed

Resolve = Callable[[str, int], Awaitable[list[str]]]


async def resolve(host: str, port: int) -> list[str]:
    """The addresses of a host, the best first. Raises OSError."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(place[0]) for *_, place in found))


class CheckedBackend(httpcore.AsyncNetworkBackend):
    """Connects to hosts that may be asked, at addresses that are theirs to have. Raises HostNotAllowed for others."""

    def __init__(self, hosts: Hosts, resolve: Resolve = resolve) -> None:
        self._hosts = hosts
        self._resolve = resolve
        self._sockets = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's signature
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """A connection to the first address of the host that answers."""
        if not self._hosts.allows(host, port):
            raise HostNotAllowed(f"{host} is not among the hosts asked for")
        addresses = await self._addresses(host, port, timeout)
        failure: Exception | None = None
        for address in addresses:
            try:
                share = timeout / len(addresses) if timeout else None
                return await self._sockets.connect_tcp(address, port, share, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = failure or error
        raise failure or httpcore.ConnectError(f"{host} has no address")

    async def sleep(self, seconds: float) -> None:
        """Waits, for the pool."""
        await self._sockets.sleep(seconds)

    async def _addresses(self, host: str, port: int, seconds: float | None) -> list[str]:
        try:
            async with asyncio.timeout(seconds):
                addresses = await self._resolve(host, port)
        except TimeoutError as error:
            raise httpcore.ConnectTimeout(f"no name server knew {host} in time") from error
        except (OSError, UnicodeError) as error:
            raise httpcore.ConnectError(f"{host}: {error}") from error
        inside = [one for one in addresses if not is_public(one)]
        if inside and not self._hosts.trusts(host, port):
            remedy = "if that is meant, add it to fetch.hosts"
            raise HostNotAllowed(f"{host} has the address {inside[0]}, which is not one of the internet: {remedy}")
        return addresses
