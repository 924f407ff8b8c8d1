"""JSON as pages write it: strict JSON first, then JavaScript literals and the usual damage.

Understood: comments, CDATA and HTML comment marks, control characters in strings, trailing commas and semicolons,
single quotes, bare keys, undefined, !0, new Date(…), JSON.parse(…), several values in a row, quotes encoded as
entities, quotes that nobody escaped. What is no literal (functions, sums, names) is read as null. Time is linear.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Mapping
from html import unescape
from typing import Any
from urllib.parse import unquote

from crawloop.extract.data.javascript import NoLiteral, Reader, text_of

_DECODER = json.JSONDecoder(strict=False)
_WRAPPERS = re.compile(r"<!--|-->|(?:(?://|/\*)\s*+)?(?:<!\[CDATA\[|\]\]>)(?:\s*+\*/)?")
_BETWEEN = re.compile(r"(?:[\s,;\ufeff]++|//[^\n]*+|/\*.*?\*/)*+(?=[{\[])", re.S)
_QUOTED = re.compile(r"\"[^\"\\]*(?:\\.[^\"\\]*)*\"|'[^'\\]*(?:\\.[^'\\]*)*'|`[^`\\]*(?:\\.[^`\\]*)*`", re.S)
_PERCENT = re.compile(r"\s*%(?:7B|5B)", re.I)
# Entities of one letter, as Angular writes the state it hands over.
_LETTERS = re.compile(r"\s*[{\[]\s*&q;")
_LETTER = {"q": '"', "a": "&", "s": "'", "g": ">", "l": "<"}
_PARSED = re.compile(r"JSON\.parse\(\s*(?:(decodeURIComponent|unescape|atob)\(\s*)?(?=[\"'`])")


def read(text: str) -> Any:
    """The value that the whole of `text` holds; a list where it holds several; None where it holds none."""
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError):
        value = _repaired(_WRAPPERS.sub(" ", text))
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            value = _DECODER.decode(value)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict | list) else None


def _repaired(text: str) -> Any:
    if _PERCENT.match(text):
        text = unquote(text)
    elif _LETTERS.match(text):
        text = re.sub("&([qasgl]);", lambda found: _LETTER[found[1]], text)
    if re.match(r"\s*[{\[]\s*&(?:quot|#0*34|#x0*22);", text):
        text = unescape(text)
    value = _several(text, loose=False)
    return _several(text, loose=True) if value is None else value


def _several(text: str, *, loose: bool) -> Any:
    """The values in `text` one after the other; None unless nothing but punctuation stands between them."""
    values: list[Any] = []
    at = 0
    while (start := _BETWEEN.match(text, at)) is not None:
        try:
            value, at = _DECODER.raw_decode(text, start.end())
        except (ValueError, RecursionError):
            reader = Reader(text, start.end(), {}, "loose" if loose else "json")
            try:
                value, at = reader.value(), reader.end
            except NoLiteral:
                break
        values.append(value)
    return values[0] if len(values) == 1 else values or None


def read_at(text: str, at: int, names: Mapping[str, Any] | None = None) -> tuple[Any, int]:
    """The list or object that starts at `at`, and where it ends; None and where reading stopped, if none can be read.

    `names` are the values of variables that the literal may use.
    """
    if names is None:
        try:
            return _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            pass
    reader = Reader(text, at, names or {})
    try:
        return reader.value(), reader.end
    except NoLiteral:
        return None, reader.end


def parsed_at(text: str, at: int) -> tuple[Any, int]:
    """The value of a `JSON.parse("…")` that starts at `at`, and its text's end; (None, at) where it is no literal."""
    call = _PARSED.match(text, at)
    quoted = _QUOTED.match(text, call.end()) if call else None
    if call is None or quoted is None:
        return None, at
    inner = text_of(quoted[0]) or ""
    if call[1] == "atob":
        try:
            inner = base64.b64decode(inner, validate=True).decode("utf-8", "replace")
        except (ValueError, binascii.Error):
            return None, at
    elif call[1]:
        inner = unquote(inner)
    return read(inner), quoted.end()
