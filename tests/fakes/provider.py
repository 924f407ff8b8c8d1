"""Providers of models as litellm calls them: a local server over real HTTP, and two hosted ones behind respx.

A provider answers each question with what `answer` makes of its user part, and keeps the questions in `asked`.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import respx

from crawloop.llm import LiteLLMCompleter
from tests.fakes.openai_server import Ended, Fault, Turn, body_of, chat_server

DOLLARS = 110e-6  # what an answer of 100 tokens in and 10 out costs
_ENDS = {"length": "max_tokens", "content_filter": "refusal"}


@dataclass
class Provider:
    """One model of a provider, at a dollar per million tokens."""

    model: str
    base_url: str | None = None
    answer: Callable[[str], Turn] = lambda user: Fault(500, "nothing to say")
    asked: list[str] = field(default_factory=list)

    def turn(self, user: str) -> Turn:
        """The next answer."""
        self.asked.append(user)
        return self.answer(user)

    def completer(self, **more: Any) -> LiteLLMCompleter:
        """Asks this provider, and waits for no retry."""
        prices = {self.model: {"input": 1.0, "output": 1.0}}
        return LiteLLMCompleter(base_url=self.base_url, prices=prices, sleep=_at_once, **more)


async def _at_once(seconds: float) -> None:
    """No wait."""


@contextmanager
def local() -> Iterator[Provider]:
    """Any server that speaks OpenAI's protocol, over real HTTP."""
    with chat_server() as server:
        provider = Provider("openai/small", server.url)
        server.answer = lambda body: provider.turn(body["messages"][1]["content"])
        yield provider


@contextmanager
def openai() -> Iterator[Provider]:
    """OpenAI's own endpoint."""
    provider = Provider("openai/gpt-4.1-mini")
    with _hosted("https://api.openai.com/v1/chat/completions") as route:
        route.mock(side_effect=lambda request: _response(provider.turn(_body(request)[1]["content"]), body_of))
        yield provider


@contextmanager
def anthropic() -> Iterator[Provider]:
    """Anthropic's own endpoint."""
    provider = Provider("anthropic/claude-sonnet-4-5")
    with _hosted("https://api.anthropic.com/v1/messages") as route:
        route.mock(side_effect=lambda request: _response(provider.turn(_body(request)[0]["content"][0]["text"]), _said))
        yield provider


@contextmanager
def _hosted(url: str) -> Iterator[respx.Route]:
    with respx.mock(assert_all_called=False) as hosts:
        yield hosts.post(url)


def _body(request: httpx.Request) -> Any:
    return json.loads(request.content)["messages"]


def _response(turn: Turn, body: Callable[[str | Ended], dict[str, Any]]) -> httpx.Response:
    if not isinstance(turn, Fault):
        return httpx.Response(200, json=body(turn))
    if turn.stall:
        raise httpx.ReadTimeout("nothing came")
    if turn.breaks:
        return httpx.Response(200, stream=_Broken(), headers={"content-type": "application/json"})
    return httpx.Response(turn.status, json={"error": {"message": turn.message}}, headers=turn.headers)


class _Broken(httpx.AsyncByteStream):
    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b'{"id": "1", "choi'
        raise httpx.RemoteProtocolError("peer closed connection without sending complete message body")


def _said(said: str | Ended) -> dict[str, Any]:
    """A message of Anthropic's."""
    text, why = (said, "end_turn") if isinstance(said, str) else (said.text, _ENDS.get(said.why, said.why))
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-4-5",
        "content": [{"type": "text", "text": text}],
        "stop_reason": why,
        "usage": {"input_tokens": 100, "output_tokens": 10},
    }
