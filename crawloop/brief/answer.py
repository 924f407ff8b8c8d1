"""What models answer, read tolerantly: JSON and programs amid prose, in code fences or bare."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_FENCE = re.compile(r"```[ \t]*(\w*)[ \t]*\n(.*?)```", re.DOTALL)
_OPENS = re.compile(r"[{\[]")
_BEGINS = re.compile(r"\{\s*\"|\[\s*[{\"]")


def jsons(text: str) -> Iterator[Any]:
    """The outermost JSON objects and lists of an answer, those in code fences first.

    Braces in prose are passed over; what begins as JSON and breaks off ends the search, since a part of an answer
    must not pass for the whole.
    """
    for part in (*(body for _, body in _FENCE.findall(text)), text):
        yield from _in_part(part)


def _in_part(text: str) -> Iterator[Any]:
    decoder, at = json.JSONDecoder(), 0
    while (start := _OPENS.search(text, at)) is not None:
        try:
            found, at = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            if _BEGINS.match(text, start.start()):
                return
            at = start.start() + 1
        else:
            yield found


def picked(text: str, ways: Mapping[str, int]) -> dict[str, int]:
    """What an answer {"choices": {name: number}} chooses of so many ways for each name; 0, and what is no number of a
    way, chooses nothing."""
    found = next((one for one in jsons(text) if isinstance(one, dict) and isinstance(one.get("choices"), dict)), {})
    said = found.get("choices", {})
    picks = ((name, said.get(name), most) for name, most in ways.items())
    return {name: n for name, n, most in picks if type(n) is int and 0 < n <= most}


def programs(text: str) -> Iterator[str]:
    """The Python programs of an answer: code fences, the longest first; without any, the whole text."""
    fences = [body for language, body in _FENCE.findall(text) if language.lower() in ("", "py", "python", "python3")]
    yield from sorted(fences, key=len, reverse=True)
    if not fences:
        yield text.removeprefix("```python").removeprefix("```").removesuffix("```")
