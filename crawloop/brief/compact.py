"""JSON shrunk until it fits: the longest texts and lists give way first, its shape stays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_SHRINKS = ((600, 60), (200, 20), (80, 8), (40, 3), (20, 1))
_DEEPEST = 12


def shrunk_to(name: str, value: Any, room: int) -> str:
    """`name: value` on one line of at most `room` characters; "" where even its shape takes more."""
    for longest, most in _SHRINKS:
        line = f"{name}: " + json.dumps(_shrunk(value, longest, most), ensure_ascii=False, separators=(",", ":"))
        if len(line) <= room:
            return line
    return ""


def _shrunk(value: Any, longest: int, most: int, depth: int = 0) -> Any:
    if isinstance(value, str):
        return value if len(value) <= longest else value[:longest] + "…"
    if depth > _DEEPEST:
        return "…"
    if isinstance(value, Mapping):
        return {key: _shrunk(one, longest, most, depth + 1) for key, one in value.items()}
    if isinstance(value, list):
        return [_shrunk(one, longest, most, depth + 1) for one in value[:most]]
    return value
