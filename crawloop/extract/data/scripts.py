"""Values that a page's scripts assign or pass on: `window.x = {…}`, `x.y = JSON.parse("…")`, `x.push({…})`.

Nothing is run. A name stands for its first assignment that says something; what is passed to a call is a list under
the callee's name (without `.push`). `window.`, `self.` and `globalThis.` before a name make no difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from crawloop.extract.data.literals import parsed_at, read_at
from crawloop.extract.data.payloads import arguments

_GLOBAL = re.compile(r"(?:window|self|globalThis)\.(?=.)")
_VALUE = re.compile(
    r"=\s*(?:[\w$.]{1,80}\s*\|\|\s*)?(?:(?P<parse>JSON\.parse\()|\(?function\s*\((?P<params>[^()]{0,4000})\)\s*\{\s*return\s*(?=[{\[])|(?=[{\[]))"
    r"|\(\s*(?=\{\s*\"|\[\s*\{\s*\")"
)
# A name read backwards: identifiers, dots and quoted keys.
_EMAN = re.compile(r"\s*((?:[\w$]+\.|\](?:\"[^\"]{1,80}\"|'[^']{1,80}')\[)*[\w$]*[A-Za-z_$])(?![\w$.\])])")
_AFTER = re.compile(r"(?:[\"']\])?(?:\.push)?\s*(?=[=(])")
_QUOTED_KEY = re.compile(r"\[[\"']([^\"']+)[\"']\]")
_WORK = 4_000_000


def bare(name: str) -> str:
    """A variable's name without `window.`, `self.` or `globalThis.` before it."""
    return _GLOBAL.sub("", name, count=1) if _GLOBAL.match(name) else name


def assigned(codes: list[str]) -> dict[str, Any]:
    """By bare name: every value in these scripts that says something. Bounded by the characters that are looked at."""
    found: dict[str, Any] = {}
    passed: dict[str, list[Any]] = {}
    left = _WORK
    for code in codes:
        at = 0
        while left > 0 and (start := _VALUE.search(code, at)) is not None:
            at = start.end()
            name = _name(code, start.start())
            if name is None:
                continue
            value, end = _value(code, start)
            left -= max(end - at, 1)
            at = at if value is None else max(at, end)
            if says_something(value):
                _keep(found, passed, name, value, called=code[start.start()] == "(")
    return _together(found, passed)


def find(codes: list[str], name: str) -> Any:
    """What `assigned` has under this bare name; quick, since nothing else is parsed."""
    first, last = name.split(".", 1)[0], name.rsplit(".", 1)[-1]
    found: dict[str, Any] = {}
    passed: dict[str, list[Any]] = {}
    left = _WORK
    for code in (one for one in codes if first in one):
        for start in _starts(code, last):
            if left > 0 and _name(code, start.start()) == name:
                value, end = _value(code, start)
                left -= end - start.end()
                if says_something(value):
                    _keep(found, passed, name, value, called=code[start.start()] == "(")
    return _together(found, passed).get(name)


def _starts(code: str, word: str, limit: int = 200) -> Iterator[re.Match[str]]:
    """Where a value may start right after `word` (and `.push`)."""
    at = 0
    while limit and (at := code.find(word, at)) >= 0:
        limit -= 1
        end = _AFTER.match(code, at + len(word))
        start = _VALUE.match(code, end.end()) if end is not None else None
        if start is not None:
            yield start
        at += len(word)


def _name(code: str, at: int) -> str | None:
    found = _EMAN.match(code[max(0, at - 240) : at][::-1])
    if found is None:
        return None
    name = bare(_QUOTED_KEY.sub(r".\1", found[1][::-1])).removesuffix(".push")
    return name if len(name) > 2 and not name.startswith("this.") else None


def _value(code: str, start: re.Match[str]) -> tuple[Any, int]:
    """The value, and where it ends; None and where reading stopped, if there is none."""
    if start["parse"]:
        return parsed_at(code, start.start("parse"))
    if start["params"] is not None:
        return read_at(code, start.end(), arguments(code, start.end(), start["params"]))
    return read_at(code, start.end())


def _keep(found: dict[str, Any], passed: dict[str, list[Any]], name: str, value: Any, *, called: bool) -> None:
    if called:
        passed.setdefault(name, []).append(value)
    else:
        found.setdefault(name, value)


def _together(found: dict[str, Any], passed: dict[str, list[Any]]) -> dict[str, Any]:
    for name, values in passed.items():
        before = found.get(name, [])
        if isinstance(before, list):
            found[name] = before + values
    return found


def says_something(value: Any) -> bool:
    """Whether there is any text or number in it: code that only looks like a literal has none."""
    stack, left = [value], 2_000
    while stack and left:
        one = stack.pop()
        left -= 1
        if isinstance(one, dict):
            stack.extend(one.values())
        elif isinstance(one, list):
            stack.extend(one)
        elif one is not None and not isinstance(one, bool) and one != "":
            return True
    return False
