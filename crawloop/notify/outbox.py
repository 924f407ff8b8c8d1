"""Messages on their way out: a thread of its own sends them, so that nobody ever waits for a slow receiver.

What cannot be delivered is warned of, by the name of the channel, and fails nothing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from queue import Empty, Full, Queue
from typing import TYPE_CHECKING

from crawloop.notify.channels import Channel
from crawloop.notify.messages import Message

if TYPE_CHECKING:
    import httpx

_MOST_WAITING = 200
_PAUSE = 0.5  # seconds before the first retry; each further one waits twice as long
_GRACE = 15.0  # seconds that the end of a command waits for what is still on its way

Warn = Callable[[str], None]
Count = Callable[[str, str], None]


class Outbox:
    """Delivers messages to `channels`. `count` is told (channel, "sent" | "failed" | "dropped") of each.

    `timeout` is in seconds for one attempt, `retries` are attempts after the first.
    """

    def __init__(
        self, channels: Sequence[Channel], warn: Warn, count: Count, *, timeout: float = 5.0, retries: int = 2
    ) -> None:
        self._channels = tuple(channels)
        self._warn = warn
        self._count = count
        self._timeout, self._retries = timeout, retries
        self._waiting: Queue[Message | None] = Queue(_MOST_WAITING)
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="crawloop-outbox", daemon=True)
        self._thread.start()

    def send(self, message: Message) -> None:
        """Takes the message and returns at once. Where too many wait it is dropped, and warned of."""
        try:
            self._waiting.put_nowait(message)
        except Full:
            self._dropped(message)

    def close(self, grace: float = _GRACE) -> None:
        """Waits for what is on its way, but no longer than `grace` seconds; then gives up the rest."""
        try:
            self._waiting.put(None, timeout=grace)
            self._thread.join(grace)
        except Full:
            pass
        self._ending.set()
        while True:
            try:
                left = self._waiting.get_nowait()
            except Empty:
                return
            if left is not None:
                self._dropped(left)

    def _dropped(self, message: Message) -> None:
        for channel in self._channels:
            self._count(channel.name, "dropped")
        self._warn(f"a message was dropped, for too many waited: {message.text.splitlines()[0]}")

    def _run(self) -> None:
        import httpx

        with httpx.Client(timeout=self._timeout, follow_redirects=False) as client:
            while not self._ending.is_set() and (message := self._waiting.get()) is not None:
                for channel in self._channels:
                    why = self._delivered(client, channel, message)
                    self._count(channel.name, "failed" if why else "sent")
                    if why:
                        self._warn(f"{channel.name}: not delivered ({why}): {message.text.splitlines()[0]}")

    def _delivered(self, client: httpx.Client, channel: Channel, message: Message) -> str:
        """Why the channel did not take the message; empty where it did."""
        why = ""
        for attempt in range(self._retries + 1):
            if attempt and self._ending.wait(_PAUSE * 2 ** (attempt - 1)):
                break
            why, may_pass = self._attempt(client, channel, message)
            if not may_pass:
                break
        return why

    def _attempt(self, client: httpx.Client, channel: Channel, message: Message) -> tuple[str, bool]:
        """(why it failed, whether another attempt may do). Nothing here says the URL, which is a secret."""
        import httpx

        post = channel.post(message, int(time.time()))
        try:
            with client.stream("POST", channel.url, content=post.body, headers=post.headers) as answer:
                status = answer.status_code
        except (httpx.InvalidURL, httpx.UnsupportedProtocol, ValueError) as error:
            return type(error).__name__, False
        except httpx.HTTPError as error:
            return type(error).__name__, True
        if status < 300:
            return "", False
        return f"HTTP {status}", status == 429 or status >= 500
