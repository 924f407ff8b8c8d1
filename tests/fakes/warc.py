"""WARC files written by hand, so that no library checks itself."""

from __future__ import annotations

import gzip
from collections.abc import Sequence

# URL, status line, headers, body
Response = tuple[str, str, Sequence[tuple[str, str]], bytes]


def warc(*responses: Response, packed: bool) -> bytes:
    """A WARC file of these responses, saved on the days from 2024-01-01 on; compressed record by record if `packed`."""
    out = b""
    for number, (url, status, headers, body) in enumerate(responses):
        lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in headers), "", ""]
        payload = "\r\n".join(lines).encode() + body
        head = (
            f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
            f"WARC-Date: 2024-01-0{number + 1}T00:00:00Z\r\n"
            f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(payload)}\r\n\r\n"
        )
        record = head.encode() + payload + b"\r\n\r\n"
        out += gzip.compress(record) if packed else record
    return out
