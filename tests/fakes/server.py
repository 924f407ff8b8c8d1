"""A web server on a local port whose answers a test writes down; it counts what was asked."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType


@dataclass
class Reply:
    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "text/html"})
    after: float = 0.0
    every: float = 0.0  # seconds between the bytes of the body
    hang_up: bool = False


class Server:
    """`script` maps a path to a reply, or to a function of how often it was asked before."""

    def __init__(self, script: dict[str, Reply | Callable[[int], Reply]]) -> None:
        self.asked: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.most_at_once = 0
        self._now = 0
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                with outer._lock:
                    before = outer.asked.count(self.path)
                    outer.asked.append(self.path)
                    outer.headers.append(dict(self.headers))
                    outer._now += 1
                    outer.most_at_once = max(outer.most_at_once, outer._now)
                reply = script.get(self.path, Reply(b"not here", 404))
                if not isinstance(reply, Reply):
                    reply = reply(before)
                time.sleep(reply.after)
                with outer._lock:
                    outer._now -= 1
                if reply.hang_up:
                    self.close_connection = True
                    return
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                try:
                    size = 1 if reply.every else len(reply.body) or 1
                    for start in range(0, len(reply.body), size):
                        self.wfile.write(reply.body[start : start + size])
                        time.sleep(reply.every)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def log_message(self, *_: object) -> None:
                return

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self) -> "Server":
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()
