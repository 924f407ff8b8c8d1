"""A model asked over litellm's own HTTP path: what goes over the wire, which failures are retried, what is told."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import httpx
import pytest
import respx

from crawloop.errors import CompletionError
from crawloop.llm import LiteLLMCompleter, Reply
from crawloop.model.question import Question
from tests.fakes.openai_server import Fault, body_of, chat_server

PRICES = {"openai/m": {"input": 1.0, "output": 10.0}}
# The first import in a process takes seconds on a busy machine; litellm warns of its own dependencies.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


class Waits(list[float]):
    """A sleep that takes no time and says how long it was asked to."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


@pytest.fixture
def waits() -> Waits:
    return Waits()


def ask(url: str, waits: Waits, **more: Any) -> Reply:
    completer = LiteLLMCompleter(base_url=url, prices=PRICES, sleep=waits, **more)
    return asyncio.run(completer.ask(Question("be brief", "hello", "openai/m"), 0.4))


def test_a_call_is_bounded_and_priced_by_its_configured_name(waits: Waits) -> None:
    with chat_server("hi") as server:
        assert ask(server.url, waits, max_tokens=77) == Reply("hi", pytest.approx(100e-6 + 100e-6), 100, 10)
    ((body, headers),) = server.asked
    assert [one["role"] for one in body["messages"]] == ["system", "user"]
    assert (body["model"], body["max_tokens"], body["temperature"]) == ("m", 77, 0.4)
    assert headers["x-stainless-retry-count"] == "0"


def test_an_answer_is_asked_for_in_its_form_until_the_server_says_that_it_knows_none(waits: Waits) -> None:
    form = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    with chat_server("{}", Fault(400, "response_format is not supported"), "{}", "{}") as server:
        completer = LiteLLMCompleter(base_url=server.url, sleep=waits)
        for _ in range(3):
            asyncio.run(completer.ask(Question("s", "u", "openai/m", form=form), 0.0))
    formats = [body.get("response_format") for body, _ in server.asked]
    assert formats[0]["json_schema"]["schema"] == form
    assert [one is None for one in formats] == [False, False, True, True]
    assert waits == []


def test_a_price_that_nobody_configured_is_unknown_even_if_the_server_bears_a_famous_name(waits: Waits) -> None:
    with chat_server("hi") as server:
        completer = LiteLLMCompleter(base_url=server.url, sleep=waits)
        reply = asyncio.run(completer.ask(Question("", "x", "openai/m"), 0.0))
    assert reply.dollars is None
    assert completer.ceiling(Question("", "x", "openai/gpt-4o")) is None


def test_retry_after_is_honoured_as_seconds_and_as_a_date(waits: Waits) -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=50), usegmt=True)
    faults = [Fault(429, headers={"Retry-After": "7"}), Fault(503, headers={"Retry-After": later})]
    with chat_server(*faults, "hi") as server:
        assert ask(server.url, waits).text == "hi"
    assert waits[0] == 7
    assert 0 < waits[1] <= 50


def test_without_retry_after_the_waits_grow_and_end(waits: Waits) -> None:
    with chat_server(*[Fault(500, "boom")] * 4) as server, pytest.raises(CompletionError, match=r"boom.*asked 4 times"):
        ask(server.url, waits)
    assert waits == [1, 2, 4]


@pytest.mark.parametrize(
    "fault",
    [
        Fault(400, "no such parameter"),
        Fault(401, "bad key"),
        Fault(404, "no such model"),
        Fault(429, "you are out of credit", code="insufficient_quota"),
        Fault(429, "come back tomorrow", headers={"Retry-After": "86400"}),
    ],
    ids=lambda fault: fault.message,
)
def test_what_no_waiting_mends_is_not_tried_again(waits: Waits, fault: Fault) -> None:
    with chat_server(fault, "hi") as server, pytest.raises(CompletionError, match=fault.message):
        ask(server.url, waits)
    assert len(server.asked) == 1
    assert waits == []


def test_a_stalled_socket_ends_at_the_timeout(waits: Waits) -> None:
    with chat_server(Fault(stall=30), Fault(stall=30)) as server, pytest.raises(CompletionError, match="asked 2 times"):
        ask(server.url, waits, timeout=0.5)
    assert len(server.asked) == 2


def test_an_answer_without_text_is_none(waits: Waits) -> None:
    with chat_server("") as server:
        assert ask(server.url, waits).flaw == "openai/m answered with no text"


def test_a_server_that_is_not_there_is_a_provider_error(waits: Waits) -> None:
    with chat_server() as server:
        url = server.url
    with pytest.raises(CompletionError, match="openai/m"):
        ask(url, waits)


def test_a_missing_key_is_told_before_anything_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    completer = LiteLLMCompleter()
    with pytest.raises(CompletionError, match="claude.* needs ANTHROPIC_API_KEY"):
        asyncio.run(completer.complete(system="", user="x", model="anthropic/claude-3-haiku-20240307"))


@pytest.fixture
def over_httpx(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """litellm's asynchronous path through httpx, where respx sees it."""
    import litellm

    monkeypatch.setattr(litellm, "disable_aiohttp_transport", True)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret-key")
    litellm.in_memory_llm_clients_cache.flush_cache()
    yield
    litellm.in_memory_llm_clients_cache.flush_cache()


def _is_hosted_claude(name: str, entry: dict[str, Any]) -> bool:
    return name.startswith("claude-") and entry.get("litellm_provider") == "anthropic" and entry.get("mode") == "chat"


@respx.mock
def test_a_hosted_model_is_asked_in_its_own_protocol_and_priced_from_the_list(over_httpx: None) -> None:
    answer = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-3-haiku-20240307",
        "content": [{"type": "text", "text": "hi"}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 1000, "output_tokens": 100},
    }
    route = respx.post("https://api.anthropic.com/v1/messages").mock(return_value=httpx.Response(200, json=answer))
    import litellm

    listed = next(name for name, entry in litellm.model_cost.items() if _is_hosted_claude(name, entry))
    completer, model = LiteLLMCompleter(max_tokens=50), f"anthropic/{listed}"
    reply = asyncio.run(completer.ask(Question("be brief", "hello", model), 0.0))
    sent = json.loads(route.calls.last.request.content)
    assert (sent["max_tokens"], sent["messages"][0]["content"][0]["text"]) == (50, "hello")
    assert "be brief" in json.dumps(sent["system"])
    assert reply.text == "hi"
    assert reply.dollars is not None
    assert 0 < reply.dollars < 1
    ceiling = completer.ceiling(Question("be brief", "hello", model))
    assert ceiling is not None
    assert ceiling > 0


@respx.mock
def test_a_provider_error_does_not_repeat_the_key(over_httpx: None) -> None:
    respx.post("https://api.anthropic.com/v1/messages").mock(
        return_value=httpx.Response(
            401, json={"type": "error", "error": {"type": "authentication_error", "message": "no"}}
        )
    )
    with pytest.raises(CompletionError) as error:
        asyncio.run(LiteLLMCompleter().complete(system="", user="x", model="anthropic/claude-3-haiku-20240307"))
    assert "secret-key" not in str(error.value)


def test_nothing_but_a_call_imports_litellm_and_it_prints_nothing() -> None:
    program = (
        "import sys, asyncio\n"
        "import crawloop, crawloop.llm\n"
        "assert 'litellm' not in sys.modules and 'openai' not in sys.modules\n"
        "completer = crawloop.llm.LiteLLMCompleter(base_url='http://127.0.0.1:9/v1')\n"
        "assert 'litellm' not in sys.modules\n"
        "print(completer.problem('openai/m'))\n"
        "assert 'litellm' in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout == "None\n"


def test_without_litellm_the_error_says_which_word_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "litellm", None)
    with pytest.raises(CompletionError, match=r"pip install '\.\[llm\]'"):
        asyncio.run(LiteLLMCompleter().complete(system="", user="x", model="openai/m"))


def test_the_server_s_answer_is_what_the_protocol_says() -> None:
    assert body_of("hi")["choices"][0]["message"]["content"] == "hi"
