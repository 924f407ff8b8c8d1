"""JSON as pages write it, read tolerantly."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

_DECODER = json.JSONDecoder(strict=False)
_WRAPPERS = re.compile(
    r"\s*(?:<!--|-->|//\s*<!\[CDATA\[|//\s*\]\]>|/\*\s*(?:<!\[CDATA\[|\]\]>)\s*\*/|<!\[CDATA\[|\]\]>)"
)


def read(text: str) -> Any:
    """The value that the whole of `text` holds; a list where it holds several; None where it holds none."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        pass
    text = _WRAPPERS.sub(" ", text)
    if "&quot;" in text or "&#34;" in text:
        text = unescape(text)
    found, at = [], 0
    while (start := re.compile(r"[{\[]").search(text, at)) is not None:
        try:
            value, at = _DECODER.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            break
        found.append(value)
    return found[0] if len(found) == 1 else found or None


def read_at(text: str, at: int) -> tuple[Any, int]:
    """The value that starts at `at`, and where it ends; (None, at) where none starts there."""
    try:
        return _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None, at
