"""How what stands on a page becomes the value that is wanted: short chains of transforms, learned by comparing.

    "Published: 3 May 2023"  →  2023-05-03    after "Published:", then date
    "4"                      →  "4 servings"  add " servings"

Every chain is tried on the text it was learned from; only those that give the wanted value are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from crawloop.model.kind import Field, Kind
from crawloop.strategy.shaping.marks import pattern_of
from crawloop.strategy.shaping.rewriting import rebased, rewritten
from crawloop.strategy.shaping.shape import JOINED, SENTENCE, Shape, Step, same, step
from crawloop.strategy.shaping.typed import DATES, TYPED, dated, of_kind, parts_of_kind

_SEPARATORS = (",", ", ", ";", " | ", "|", " / ", "/", " • ", "•", " · ", "\n", " - ", " and ", " & ", " ")
_LISTS = (",", ";", "|")  # what elements of a list may be lists themselves by
_SINGLE = r"^([^,;|/•·\n]+)$"
_SINGLE_OR_COMMAS = r"^([^;|/•·\n]+)$"
_ONCE = 0.7  # what it costs that a list says nothing twice: the next one may
_FEW = 6  # words of what may be a list of one
_MOST = 6
_WHOLE_URL = re.compile(r"[a-z][a-z+.-]*://", re.I)
_TITLE = re.compile(r"[A-Z][^\W\d_]{2,}\.?\s+\Z")  # "Judge", "Hon.": a text without it has another, or is another sort
_LONGEST_MARK = 200
_PHRASE = 30
_GLUED = 0.5  # what it costs to take fixed signs off the end of a code: the next one ends in others
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def shapes(raw: Any, value: Any, field: Field, base: str = "") -> list[Shape]:
    """The chains that make `value` of `raw`, the cheapest first."""
    found: dict[tuple[Step, ...], Shape] = {}
    for one in sorted(_proposals(raw, value, field), key=lambda shape: shape.cost):
        if one.steps not in found and _gives(one, raw, value, field, base):
            found[one.steps] = one
            if _settles(one, raw, field) or len(found) == _MOST:
                break
    return list(found.values())


def _settles(shape: Shape, raw: Any, field: Field) -> bool:
    """Whether nothing dearer needs to be tried: the value stands there as such, and can be read in one way only."""
    if shape.cost > 0.11 or any("beside" in dict(named) for _, _, named in shape.steps):
        return False
    if field.kind in DATES:
        return not isinstance(raw, str) or re.match(r"\d{4}-\d{2}-\d{2}", raw.strip()) is not None
    return not (field.kind in (Kind.NUMBER, Kind.MONEY) and isinstance(raw, str) and re.search(r"[.,]\d{3}\b", raw))


def _gives(shape: Shape, raw: Any, value: Any, field: Field, base: str) -> bool:
    try:
        got = shape.of(raw, base)
    except (ValueError, TypeError, AttributeError, OverflowError):
        return False
    return got is not None and same(got, value, field, base)


def _proposals(raw: Any, value: Any, field: Field) -> Iterator[Shape]:
    if isinstance(value, list):
        yield from _to_list(raw, value, field)
        return
    if isinstance(raw, list):
        yield from _from_list(raw, field)
        return
    if field.kind in TYPED:
        yield from of_kind(raw, field)
        if isinstance(raw, str):
            yield from parts_of_kind(raw, field)
        return
    if field.kind is Kind.URL:
        yield from _address(raw, str(value))
        return
    if isinstance(raw, str):
        yield from _text(raw, str(value))
    elif isinstance(raw, int | float) and not isinstance(raw, bool):
        yield Shape((step("clean"),), 0.05)
    if isinstance(raw, str | int | float) and not isinstance(raw, bool):
        yield from _phrase(str(raw), str(value))


def _text(raw: str, value: str) -> Iterator[Shape]:
    yield Shape()
    yield Shape((step("clean"),), 0.05)
    yield from rewritten(raw, value)
    if re.match(r"\d{4}-\d{2}-\d{2}", value):
        for one, cost in dated("date", raw):
            yield Shape((one,), 0.15 + cost)
        yield Shape((step("datetime"),), 0.25)
    plain = " ".join(raw.split())
    at = plain.casefold().find(" ".join(value.split()).casefold())
    if at < 0 or len(plain) == len(value):
        return
    before, after = plain[:at], plain[at + len(" ".join(value.split())) :]
    yield from _around(before, after, pattern_of(value) is not None)
    word = re.search(r"([^\W\d_]{2,})\W*\Z", before)
    if value.isdecimal() and word:
        yield Shape((step("match", rf"{word[1]}\W*(\d+)"),), 0.6)
    for sep in _SEPARATORS:
        if sep in raw:
            parts = [one.strip() for one in raw.split(sep)]
            for place in (0, -1, 1, 2):
                if -len(parts) <= place < len(parts) and parts[place].casefold() == value.strip().casefold():
                    doubt = (0.0 if place in (0, -1) else 0.2) + (0.4 if sep == " " else 0.0)
                    yield Shape((step("split", sep), step("at", place)), 0.6 + doubt)
    yield Shape((step("match", SENTENCE),), 0.7)
    pattern = pattern_of(value)
    if pattern:
        yield Shape((step("match", pattern),), 0.8)


def _address(raw: Any, value: str) -> Iterator[Shape]:
    """A URL as it stands, joined to the base, or the first or last of a list of sources; a URL is never cut."""
    if not isinstance(raw, str):
        return
    joined = () if _WHOLE_URL.match(raw.strip()) or not _WHOLE_URL.match(value.strip()) else (step(JOINED),)
    yield Shape(joined, 0.03 * len(joined))
    yield from rebased([(raw, value)])
    if " " in raw.strip():
        for place in (0, -1):
            yield Shape((step("split", ","), step("at", place), step("before", " "), *joined), 0.7)


def _around(before: str, after: str, is_code: bool) -> Iterator[Shape]:
    """What stands before and after the value, as marks or as fixed words; what goes on without a space is its own."""
    glued = _GLUED if is_code and after and not after[0].isspace() else 0.0
    heads: list[tuple[tuple[Step, ...], float]] = [((), 0.0)] if not before.strip() else []
    if before.strip():
        heads.append(((step("strip_prefix", before),), 0.5 + (0.3 if len(before) > 25 else 0.0)))
        mark = re.search(r"(\S*[^\w\s]|\S+)\s*\Z", before[-_LONGEST_MARK:])
        if mark and _TITLE.match(mark[0]):
            heads.append(((step("after", mark[0].strip()),), 0.45))
        elif mark and mark[0] != before:
            heads.append(((step("after", mark[0].strip()),), 0.75))
        elif mark and mark[0].strip() and not mark[0].strip().isalnum():
            heads.append(((step("after", mark[0].strip()),), 0.55))
        if code := pattern_of(before.split()[-1]):
            heads.append(((step("match", rf"{code[1:-1]}\s*(.+)"),), 0.65))
    tails: list[tuple[tuple[Step, ...], float]] = [((), 0.0)] if not after.strip() else []
    if after.strip():
        tails.append(((step("strip_suffix", after),), 0.5 + (0.3 if len(after) > 40 else 0.0) + glued))
        mark = re.match(r"\s*(?:[^\w\s]+|\w+)\s?", after)
        if mark and mark[0].strip():
            word = mark[0].strip().isalnum()
            tails.append(((step("before", mark[0] if not word else f" {mark[0].strip()}"),), 0.75 if word else 0.6))
    for head, one in heads:
        for tail, other in tails:
            if head or tail:
                yield Shape((*head, *tail), one + other)


def _phrase(raw: str, value: str) -> Iterator[Shape]:
    """The wanted text is fixed words around a number that stands on the page: "4 servings" where the page has "4"."""
    numbers = list(_NUMBER.finditer(value))
    if len(numbers) != 1 or len(value) > _PHRASE or len(raw) > 2 * _PHRASE or numbers[0][0] == value.strip():
        return
    number = numbers[0]
    there = _NUMBER.search(raw)
    if there is None or there[0] != number[0]:
        return
    steps: list[Step] = [] if raw.strip() == number[0] else [step("match", r"(\d+(?:[.,]\d+)*)")]
    if value[: number.start()]:
        steps.append(step("prefix", value[: number.start()]))
    if value[number.end() :]:
        steps.append(step("suffix", value[number.end() :]))
    yield Shape(tuple(steps), 0.6 if not steps or steps[0][0] != "match" else 0.75)


def _to_list(raw: Any, value: list[Any], field: Field) -> Iterator[Shape]:
    one = field.single
    if isinstance(raw, list):
        if all(isinstance(single, str | int | float) for single in raw):
            if field.kind is Kind.URL and _WHOLE_URL.match(str(value[0])) and not _WHOLE_URL.match(str(raw[0])):
                yield Shape((step(JOINED),), 0.03)
                return
            alone = _alone(value, field, _SINGLE)
            yield Shape(alone)
            yield Shape((*alone, step("clean")), 0.1)
            yield Shape((*alone, step("unique")), _ONCE)
            yield Shape((*alone, step("clean"), step("unique")), 0.1 + _ONCE)
            yield from (
                Shape((step("split", sep),), 0.3) for sep in _LISTS if any(sep in str(single) for single in raw)
            )
        if raw and value and len(raw) == len(value) and not isinstance(raw[0], list | dict):
            for shape in shapes(raw[0], value[0], one):
                yield Shape(shape.steps, shape.cost + 0.1)
    elif isinstance(raw, str):
        yield from _parted(raw, value, one)


def _parted(raw: str, value: list[Any], one: Field) -> Iterator[Shape]:
    """A list that stands as one text; a short text may be a list of one."""
    yield Shape((step("split", "\n"), step("clean")), 0.45)
    for place, sep in enumerate(_SEPARATORS[:-1]):
        if sep in raw and len(value) > 1:
            doubt = 0.2 if sep in (" and ", " & ", " - ") else 0.0
            yield Shape((step("split", sep),), 0.3 + 0.01 * place + doubt)
            yield Shape((step("split", sep), step("unique")), 0.4 + 0.01 * place + doubt)
            yield Shape((step("clean"), step("split", sep)), 0.4 + 0.01 * place + doubt)
    if len(value) == 1:
        few = len(raw.split()) <= _FEW
        alone = _alone(value, one, _SINGLE_OR_COMMAS)
        for shape in shapes(raw, value[0], one):
            steps = (*shape.steps, *alone, step("split", "," if few else "\n"))
            yield Shape(steps, shape.cost + (0.2 if few else 0.45))


def _alone(value: list[Any], field: Field, pattern: str) -> tuple[Step, ...]:
    """A list of one does not show how several are parted: where they might be, null is better than one long element."""
    is_name = len(value) == 1 and field.kind in (Kind.TEXT, Kind.ENUM) and len(str(value[0]).split()) <= _FEW
    return (step("match", pattern),) if is_name and re.match(pattern, str(value[0])) else ()


def _from_list(raw: list[Any], field: Field) -> Iterator[Shape]:
    if not raw or isinstance(raw[0], dict | list) or field.kind not in (Kind.TEXT, Kind.ENUM):
        return
    if len(raw) == 1:  # how several would be joined, nobody knows yet
        yield Shape((step("only"),), 0.15)
        yield Shape((step("only"), step("clean")), 0.18)
    elif len(set(map(repr, raw))) == 1:
        yield Shape((step("unique"), step("only")), 0.18)
        yield Shape((step("unique"), step("only"), step("clean")), 0.2)
    for sep in (", ", ",", "\n", " ", " & ", " and ", "; ", " | ", "/", " / "):
        yield Shape((step("join", sep),), 0.2)
        yield Shape((step("clean"), step("join", sep)), 0.25)
        yield Shape((step("unique"), step("join", sep)), 0.35)
