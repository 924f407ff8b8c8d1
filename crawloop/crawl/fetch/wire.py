"""One request and its answer over httpx: HTTP/2 where the server speaks it, cookies, a proxy, a body that is whole.

The transport is ours for one reason: httpx has no way to say which address a host is connected at (see addresses.py).
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime

import httpcore
import httpx

from crawloop.crawl.fetch.addresses import CheckedBackend
from crawloop.crawl.fetch.body import read_body
from crawloop.crawl.fetch.connections import Connections
from crawloop.crawl.fetch.exchange import Answer, Question, readable
from crawloop.crawl.fetch.hosts import Hosts
from crawloop.errors import AnswerLost, FetchError
from crawloop.model import moment
from crawloop.model.policy import FetchRules

_LOST = (httpcore.NetworkError, httpcore.ProtocolError, httpcore.ProxyError, httpcore.TimeoutException)
_LONGEST_REDIRECT = 65_536  # bytes of its body that are read, so that the connection can be used again


class Wire:
    """The connections of one event loop, with their cookies."""

    def __init__(self, rules: FetchRules, hosts: Hosts) -> None:
        self._cap = rules.max_bytes
        self._client = httpx.AsyncClient(
            headers={
                "User-Agent": rules.user_agent,
                "Accept": "text/html,application/xhtml+xml,*/*;q=0.5",
                "Accept-Encoding": "gzip, deflate",
            },
            timeout=rules.timeout,
            transport=_Transport(rules, hosts),
        )

    async def ask(self, url: httpx.URL, question: Question) -> Answer:
        """The answer, whatever its status; that of a redirect is without its body.

        Raises AnswerLost where asking again may help, else FetchError, PageRefused. They do not say which URL.
        """
        content = question.content or None
        try:
            async with self._client.stream(question.method, url, headers=question.headers, content=content) as answer:
                wait = moment.retry_after(answer.headers.get("retry-after"), datetime.now(UTC))
                bare = Answer(answer.status_code, dict(answer.headers), b"", wait)
                if bare.location is not None:
                    await _drained(answer)
                    return bare
                if not (question.any_kind or readable(bare.kind)):
                    raise FetchError(f"this is {bare.kind.partition(';')[0].strip()[:80]}, not a page")
                packing = answer.headers.get("content-encoding", "")
                return replace(bare, body=await read_body(answer.aiter_raw(), packing, self._cap))
        except _LOST as error:
            raise AnswerLost(f"{type(error).__name__} {error}".rstrip()) from error
        except (httpx.HTTPError, httpx.InvalidURL, httpcore.UnsupportedProtocol, ValueError) as error:
            raise FetchError(str(error)) from error

    async def aclose(self) -> None:
        await self._client.aclose()


class _Transport(httpx.AsyncBaseTransport):
    def __init__(self, rules: FetchRules, hosts: Hosts) -> None:
        tls = httpx.create_ssl_context()
        self._pool: Connections | httpcore.AsyncHTTPProxy
        if rules.proxy is None:
            self._pool = Connections(CheckedBackend(hosts), tls)
        else:  # it resolves the names itself, was named, and may be where it likes
            proxy = httpx.Proxy(rules.proxy)
            self._pool = httpcore.AsyncHTTPProxy(
                str(proxy.url), proxy_auth=proxy.raw_auth, ssl_context=tls, max_connections=rules.at_once, http2=True
            )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url
        answer = await self._pool.handle_async_request(
            httpcore.Request(
                request.method,
                httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
        )
        return httpx.Response(
            answer.status, headers=answer.headers, stream=_Stream(answer), extensions=answer.extensions
        )

    async def aclose(self) -> None:
        await self._pool.aclose()


class _Stream(httpx.AsyncByteStream):
    def __init__(self, answer: httpcore.Response) -> None:
        self._answer = answer

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._answer.aiter_stream():
            yield piece

    async def aclose(self) -> None:
        await self._answer.aclose()


async def _drained(answer: httpx.Response) -> None:
    read = 0
    async for piece in answer.aiter_raw():
        read += len(piece)
        if read > _LONGEST_REDIRECT:
            break
