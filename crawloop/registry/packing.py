"""How values become text and bytes in a row: JSON in ASCII, so that NUL and lone surrogates survive any database."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Set
from dataclasses import asdict, is_dataclass
from typing import Any


def dumps(value: Any) -> str:
    """JSON text in ASCII. Sets become sorted lists, dataclasses objects, and what JSON cannot hold its `str`."""
    return _ENCODER.encode(value)


def loads(text: str) -> Any:
    return json.loads(text)


def plain(value: Any) -> Any:
    """The value as it comes back from a row: a copy that holds plain JSON values only."""
    return loads(dumps(value))


def pack(text: str) -> bytes:
    """Text of any size, compressed."""
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 6)


def unpack(packed: bytes) -> str:
    return zlib.decompress(packed).decode("utf-8", "surrogatepass")


def _plain(value: Any) -> Any:
    if isinstance(value, Set):
        return sorted(value, key=str)
    if isinstance(value, Mapping):
        return dict(value)
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return str(value)


_ENCODER = json.JSONEncoder(ensure_ascii=True, default=_plain, separators=(",", ":"))
