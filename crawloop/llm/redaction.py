"""What the ledger must not keep: whatever a rule matches is replaced before a prompt or an answer is stored.

A replayed answer has the gap too: what it hid is not found on the page, and is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from crawloop.errors import ConfigError

GAP = "[redacted]"


def redaction(rules: Sequence[str]) -> Callable[[str], str]:
    """A function that takes out of a text what any of these regular expressions matches. Raises ConfigError."""
    compiled = []
    for rule in rules:
        try:
            compiled.append(re.compile(rule))
        except re.error as error:
            raise ConfigError(f"models.redact holds {rule!r}, which is no regular expression: {error}") from error

    def redacted(text: str) -> str:
        for one in compiled:
            text = one.sub(GAP, text)
        return text

    return redacted
