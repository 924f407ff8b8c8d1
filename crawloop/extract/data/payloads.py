"""What frameworks put on a page in a form of their own: Next's flight rows, Nuxt's flattened and function payloads."""

from __future__ import annotations

import re
from typing import Any

from crawloop.extract.data.literals import read, read_at

_PUSH = re.compile(r"__next_f\s*(?:=[^;]{0,80})?\)?\.push\(\s*(?=\[)")
_ROW = re.compile(rb"([0-9a-fA-F]{1,8}):(?:T([0-9a-fA-F]{1,8}),)?")
_REVIVED = 100_000
_DEPTH = 60


def flight(codes: list[str]) -> dict[str, Any] | None:
    """The rows of `self.__next_f.push([1, "…"])`, joined: by id, those that hold JSON or text."""
    pieces: list[str] = []
    for code in codes:
        for start in _PUSH.finditer(code) if "__next_f" in code else ():
            pushed, _ = read_at(code, start.end())
            if isinstance(pushed, list) and len(pushed) == 2 and pushed[0] == 1 and isinstance(pushed[1], str):
                pieces.append(pushed[1])
    return _rows("".join(pieces).encode("utf-8", "replace")) if pieces else None


def _rows(stream: bytes) -> dict[str, Any]:
    rows: dict[str, Any] = {}
    texts: dict[str, str] = {}
    at = 0
    while at < len(stream):
        row = _ROW.match(stream, at)
        end = stream.find(b"\n", at) if row is None or row[2] is None else row.end() + int(row[2], 16)
        end = len(stream) if end < 0 else end
        if row is not None:
            name, body = row[1].decode(), stream[row.end() : end].decode("utf-8", "replace")
            if row[2] is not None:
                texts["$" + name] = rows[name] = body
            elif body[:1] in ("{", "["):
                value = read(body)
                if value is not None:
                    rows[name] = value
        at = end + (row is None or row[2] is None)
    return {name: _filled(value, texts, 0) for name, value in rows.items()} if texts else rows


def _filled(value: Any, texts: dict[str, str], depth: int) -> Any:
    """`value` with references to text rows replaced by their texts."""
    if isinstance(value, str):
        return texts.get(value, value)
    if depth > _DEPTH:
        return value
    if isinstance(value, list):
        return [_filled(one, texts, depth + 1) for one in value]
    if isinstance(value, dict):
        return {key: _filled(one, texts, depth + 1) for key, one in value.items()}
    return value


def arguments(code: str, at: int, params: str) -> dict[str, Any]:
    """The arguments of `(function(a, b){return …}(1, "x"))` by parameter; `at` is where the returned value starts."""
    names = [name.strip() for name in params.split(",")]
    call, tries = len(code), 20
    while tries and (call := code.rfind("}(", at, call)) >= 0:
        given, _ = read_at("[" + code[call + 2 :].rstrip().rstrip(";)") + "]", 0)
        if isinstance(given, list) and len(given) == len(names):
            return dict(zip(names, given, strict=True))
        tries -= 1
    return {}


def revived(flat: Any) -> Any:
    """A payload in which every value is an index into one list, as a tree; `flat` itself where it is none."""
    if not isinstance(flat, list) or not flat or not isinstance(flat[0], dict | list | int):
        return flat
    return _Revival(flat).value(0, 0)


class _Revival:
    """Follows the indexes. Shared values are copied, within `_REVIVED` values; cycles end in null."""

    __slots__ = ("_flat", "_left", "_open")

    def __init__(self, flat: list[Any]) -> None:
        self._flat = flat
        self._left = _REVIVED
        self._open: set[int] = set()

    def value(self, index: Any, depth: int) -> Any:
        self._left -= 1
        if not isinstance(index, int) or not 0 <= index < len(self._flat) or index in self._open:
            return None
        one = self._flat[index]
        if not isinstance(one, dict | list):
            return one
        if self._left < 0 or depth > _DEPTH:
            return None
        self._open.add(index)
        value = self._object(one, depth) if isinstance(one, dict) else self._list(one, depth)
        self._open.discard(index)
        return value

    def _object(self, one: dict[str, Any], depth: int) -> dict[str, Any]:
        return {key: self.value(index, depth + 1) for key, index in one.items()}

    def _list(self, one: list[Any], depth: int) -> Any:
        if not one or not isinstance(one[0], str):
            return [self.value(index, depth + 1) for index in one]
        kind, rest = one[0], one[1:]
        if kind == "Date":
            return rest[0] if rest else None
        if kind in ("Set", "Array"):
            return [self.value(index, depth + 1) for index in rest]
        if kind in ("Map", "null"):
            keys = rest[::2] if kind == "null" else [self.value(index, depth + 1) for index in rest[::2]]
            return {str(key): self.value(index, depth + 1) for key, index in zip(keys, rest[1::2], strict=False)}
        return self.value(rest[0], depth + 1) if rest else None
