"""Where messages go: a webhook of one's own, signed, and Slack. A channel only says what is to be posted."""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import dataclass, field
from typing import Protocol

from crawloop.notify.messages import Message


@dataclass(frozen=True, slots=True)
class Post:
    """One HTTP POST, its headers and its body."""

    headers: dict[str, str]
    body: bytes


class Channel(Protocol):
    """A place outside that takes messages. Its `url` is a secret: it stands in no text that anybody reads."""

    @property
    def name(self) -> str: ...

    @property
    def url(self) -> str: ...

    def post(self, message: Message, seconds: int) -> Post:
        """The request of a message that is sent at that moment, in seconds since 1970."""
        ...


@dataclass(frozen=True, slots=True)
class Webhook:
    """JSON to a URL. With a key the request is signed: HMAC-SHA256 of the moment, a full stop and the body."""

    url: str = field(repr=False)
    key: str | None = field(default=None, repr=False)
    name: str = "webhook"

    def post(self, message: Message, seconds: int) -> Post:
        body = json.dumps(message.body(), ensure_ascii=False).encode("utf-8", "replace")
        headers = {"Content-Type": "application/json"}
        if self.key is not None:
            signed = hmac.new(self.key.encode(), f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()
            headers |= {"X-Crawloop-Timestamp": str(seconds), "X-Crawloop-Signature": f"sha256={signed}"}
        return Post(headers, body)


@dataclass(frozen=True, slots=True)
class Slack:
    """An incoming webhook of Slack. What pages say cannot mention anybody there, or link."""

    url: str = field(repr=False)
    name: str = "slack"

    def post(self, message: Message, seconds: int) -> Post:
        text = message.text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        body = json.dumps({"text": text, "unfurl_links": False, "unfurl_media": False})
        return Post({"Content-Type": "application/json"}, body.encode())
