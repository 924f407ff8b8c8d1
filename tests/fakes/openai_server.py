"""A small server that speaks OpenAI's chat protocol on a local port, with faults on demand."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Fault:
    """An answer that is none: `stall` keeps the socket open that many seconds and says nothing; `breaks` gives half of
    a right one."""

    status: int = 500
    message: str = "out of order"
    code: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    stall: float = 0.0
    breaks: bool = False


@dataclass(frozen=True)
class Ended:
    """A text that ended for another reason than being whole: `length`, `content_filter` or `refusal`."""

    text: str
    why: str


Turn = str | Fault | Ended


@dataclass
class ChatServer:
    """Gives `script` in turn; then what `answer` makes of a request's body.

    `asked` holds each request's body and headers.
    """

    script: list[Turn]
    url: str = ""
    model: str = "gpt-4o"
    asked: list[tuple[dict[str, Any], dict[str, str]]] = field(default_factory=list)
    answer: Callable[[dict[str, Any]], Turn] = lambda body: Fault(500, "the script has ended")
    closing: threading.Event = field(default_factory=threading.Event)


def body_of(said: str | Ended, model: str = "gpt-4o") -> dict[str, Any]:
    """A chat completion of 100 tokens in and 10 out."""
    text, why = (said, "stop") if isinstance(said, str) else (said.text, said.why)
    message = {"role": "assistant", "content": text, "refusal": None}
    if why == "refusal":
        message, why = {"role": "assistant", "content": None, "refusal": text}, "stop"
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [{"index": 0, "finish_reason": why, "message": message}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }


@contextmanager
def chat_server(*script: Turn) -> Iterator[ChatServer]:
    """Serves on a free port until the block ends."""
    state = ChatServer(list(script))
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(state))
    state.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        state.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(state: ChatServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            body = json.loads(self.rfile.read(length))
            state.asked.append((body, dict(self.headers)))
            answer = state.script.pop(0) if state.script else state.answer(body)
            if isinstance(answer, Fault):
                if answer.stall:
                    state.closing.wait(answer.stall)
                    return
                if answer.breaks:
                    self._send(200, body_of("broken"), {}, whole=False)
                    return
                error = {"error": {"message": answer.message, "type": "error", "code": answer.code}}
                self._send(answer.status, error, answer.headers)
            else:
                self._send(200, body_of(answer, state.model), {})

        def _send(self, status: int, body: dict[str, Any], headers: dict[str, str], *, whole: bool = True) -> None:
            raw = json.dumps(body).encode()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", "Content-Length": str(len(raw)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(raw if whole else raw[: len(raw) // 2])

        def log_message(self, format: str, *args: Any) -> None:
            """Tests stay quiet."""

    return Handler
