"""Where a part of a text starts and ends: after a word, in brackets, in front of a word; and the shape of codes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_RUN = re.compile(r"\\d[+{]|\[[aA][^\]]*\]\+")
_MOST = 6
_TELLING_RUNS = 3
_LONGEST_PARTING = 6
_LONGEST_WORD = 100


def cuts(raw: str) -> Iterator[tuple[tuple[Any, ...], float]]:
    """Ways to cut the parts with digits out of a text, as chains of steps with their costs."""
    found = list(_NUMBER.finditer(raw))
    if not 0 < len(found) <= _MOST:
        return
    label = re.match(r"([^\d:]{2,40}:)\s*\S", raw)
    if label:
        yield ((("after", (label[1],), ()),), 0.35)
    for one in found:
        after = re.match(r"\s*([A-Za-z%€$£★]+)", raw[one.end() :])
        before = re.search(r"([^\W\d_]+:?)\s*[(#]?\s*\Z", raw[max(0, one.start() - _LONGEST_WORD) : one.start()])
        if after:
            yield ((("match", (rf"(\d[\d.,]*)\s*{re.escape(after[1])}",), ()),), 0.55)
        if before:
            yield ((("match", (rf"{re.escape(before[1])}\W*(\d[\d.,]*)",), ()),), 0.6)
        if raw[: one.start()].endswith("(") and raw[one.end() :].startswith(")"):
            yield ((("match", (r"\((\d[\d.,]*)\)",), ()),), 0.4)
    if len(found) > 1 and "/" in raw:
        yield ((("before", ("/",), ()),), 0.5)
    yield ((("match", (r"(\d[\d.,]*)",), ()),), 0.6)
    if len(found) > 1:
        yield ((("match", (r"(\d[\d.,]*)\D*$",), ()),), 0.8)


def parting(before: str, after: str) -> str:
    """The signs that stand on both sides of a value, such as "','" in "open('a','b','c')"; "" where they differ."""
    for size in range(min(len(before), len(after), _LONGEST_PARTING), 0, -1):
        if before[-size:] == after[:size]:
            return after[:size] if re.search(r"[^\w\s]", after[:size]) else ""
    return ""


def pattern_of(value: str) -> str | None:
    """A regular expression for codes like "3:21-cv-01234": digits by their runs; None for words and bare numbers."""
    if not (3 < len(value) <= 40) or not re.search(r"\d", value) or not re.search(r"[^\w\s]", value):
        return None
    parts = []
    for run in re.findall(r"\d+|[A-Za-z]+|\s+|.", value):
        if run.isdigit():
            parts.append(rf"\d{{{len(run)}}}" if len(run) <= 2 else r"\d+")
        elif run.isalpha():
            parts.append(r"[a-z]+" if run.islower() else r"[A-Z]+" if run.isupper() else r"[A-Za-z]+")
        else:
            parts.append(r"\s+" if run.isspace() else re.escape(run))
    return f"({''.join(parts)})"


def is_code(pattern: str) -> bool:
    """Whether a regular expression is of codes that are hardly mistaken: three runs of digits or letters and more."""
    return len(_RUN.findall(pattern)) >= _TELLING_RUNS
