"""Connections by origin, used again while they are open.

httpcore's own pool bounds them, and looks at each for every request, which is two fifths of what fetching a page costs.
Here nothing is left to be bounded: as many requests are under way as the pace of their host allows.
"""

from __future__ import annotations

import ssl

import httpcore

_KEEP_ALIVE = 30.0  # seconds


class Connections:
    """The connections of one event loop, over `backend`."""

    def __init__(self, backend: httpcore.AsyncNetworkBackend, tls: ssl.SSLContext) -> None:
        self._backend, self._tls = backend, tls
        self._open: dict[str, list[httpcore.AsyncHTTPConnection]] = {}
        self._promised: set[httpcore.AsyncHTTPConnection] = set()  # to requests that have not begun yet

    async def handle_async_request(self, request: httpcore.Request) -> httpcore.Response:
        """The answer, whose stream gives the connection back when it is closed."""
        while True:
            connection = await self._free(request.url.origin)
            self._promised.add(connection)
            try:
                return await connection.handle_async_request(request)
            except httpcore.ConnectionNotAvailable:  # while it was made it proved to be HTTP/1.1, for one request
                continue
            finally:
                self._promised.discard(connection)

    async def aclose(self) -> None:
        """Closes all of them."""
        every, self._open = self._open, {}
        for connections in every.values():
            for connection in connections:
                await connection.aclose()

    async def _free(self, origin: httpcore.Origin) -> httpcore.AsyncHTTPConnection:
        """The connection that was used last and is free, else a new one."""
        connections = self._open.setdefault(str(origin), [])
        connections[:] = [one for one in connections if not one.is_closed()]
        for connection in reversed(connections):
            if connection.is_available() and not self._is_promised(connection):
                if not connection.has_expired():
                    return connection
                await connection.aclose()
        made = httpcore.AsyncHTTPConnection(
            origin, self._tls, keepalive_expiry=_KEEP_ALIVE, http2=True, network_backend=self._backend
        )
        connections.append(made)
        return made

    def _is_promised(self, connection: httpcore.AsyncHTTPConnection) -> bool:
        """Whether another request has it; one of HTTP/2 has room for many."""
        return connection in self._promised and "HTTP/1.1" in connection.info()
