"""A web server on a local port that takes what is posted to it, and answers as it is told."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Receiver:
    """`took` are the posts as (path, headers, body); `status` is what each is answered, by how many came before."""

    url: str = ""
    took: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    status: Callable[[int], int] = lambda before: 200


@contextmanager
def receiver(status: Callable[[int], int] = lambda before: 200) -> Iterator[Receiver]:
    """Listens on a free port until the block ends."""
    state = Receiver(status=status)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            answer = state.status(len(state.took))
            state.took.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            self.send_response(answer)
            self.send_header("Content-Length", "0")
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Tests stay quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
