"""What stands in the rows beside what is wanted: the chains of transforms that fit many rows at once.

    "2013-0354, Ettinger v. Pomeroy"   →  "2013-0354"              before ","
    "State v. Stokes, (94PA13-2)"      →  "94PA13-2"               between "(" and ")"
    "No. 12 - filed May 3, 2023"       →  2023-05-03               the part that looks like a date

What stands before and after the value is compared over all rows; what they share marks where it starts and ends.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os.path import commonprefix
from typing import Any

from crawloop.extract.reading import Apply, Expression
from crawloop.model.kind import Field, Kind
from crawloop.values import fold

Step = tuple[str, tuple[Any, ...], tuple[tuple[str, Any], ...]]
Pair = tuple[str, str]

_DATES = (Kind.DATE, Kind.DATETIME)
_FIGURES = (Kind.NUMBER, Kind.MONEY, Kind.DURATION)
_DAY = (
    r"\d{4}-\d{2}-\d{2}",
    r"\d{1,2}/\d{1,2}/\d{2,4}",
    r"[A-Z][a-z]{2,8}\.? \d{1,2},? \d{4}",
    r"\d{1,2}\.? [A-Z][a-z]{2,8}\.?,? \d{4}",
    r"\d{1,2}[.-]\d{1,2}[.-]\d{2,4}",
)
_SEPARATORS = (" / ", "/", " - ", " – ", " | ", ", ", ",", "; ", ": ", " · ", " • ")
_ENOUGH = 0.6
_LONGEST_MARK = 25
_MOST_LABELS = 12


@dataclass(frozen=True, slots=True)
class Shape:
    """A chain of transforms, applied in order, with what it costs to believe in it."""

    steps: tuple[Step, ...] = ()
    cost: float = 0.0

    def on(self, expression: Expression) -> Expression:
        """The expression with the chain around it."""
        for name, args, named in self.steps:
            expression = Apply(name, (expression,), args, named)
        return expression


def step(name: str, *args: Any, **named: Any) -> Step:
    return name, args, tuple(named.items())


def shapes(pairs: Sequence[tuple[Any, Any]], field: Field, carrier: str) -> list[Shape]:
    """Chains that may make the wanted values of the raw ones. They are not tried here."""
    found: dict[tuple[Step, ...], Shape] = {}
    for one in sorted(_proposals(pairs, field, carrier), key=lambda shape: shape.cost):
        found.setdefault(one.steps, one)
    return list(found.values())


def _proposals(pairs: Sequence[tuple[Any, Any]], field: Field, carrier: str) -> Iterator[Shape]:
    texts = [(" ".join(raw.split()), value) for raw, value in pairs if isinstance(raw, str)]
    if field.many:
        yield from _lists(pairs)
    elif field.kind in _DATES:
        yield from _dated(texts)
    elif field.kind in _FIGURES:
        yield from _counted(pairs, field)
    elif field.kind is Kind.URL:
        yield Shape()
        if carrier == "attribute":
            yield Shape((step("match", r"(https?://[^\"'()\s]+)"),), 0.3)
            yield Shape((step("match", r"[\"'(]([^\"'()\s]+/[^\"'()\s]*)[\"')]"),), 0.4)
    else:
        yield Shape()
        if any(not isinstance(raw, str) for raw, _ in pairs):
            yield Shape((step("clean"),), 0.1)
        yield from _texts([(raw, str(value)) for raw, value in texts])


def _lists(pairs: Sequence[tuple[Any, Any]]) -> Iterator[Shape]:
    yield Shape()
    yield Shape((step("unique"),), 0.2)
    for sep in (", ", ",", ";", "|", " / ", " and ", " & "):
        yield Shape((step("split", sep),), 0.3)


def _dated(texts: Sequence[tuple[str, Any]]) -> Iterator[Shape]:
    yield Shape((step("datetime"),), 0.05)
    for order in ("dmy", "mdy"):
        yield Shape((step("datetime", order=order),), 0.2)
    raws = [raw for raw, _ in texts]
    for pattern in _DAY:
        some = [raw for raw in raws if re.search(pattern, raw)]
        if len(some) * 2 < len(raws) or not some:
            continue
        yield Shape((step("match", f"({pattern})"), step("datetime")), 0.4)
        if any(len(re.findall(pattern, raw)) > 1 for raw in some):
            yield Shape((step("match", f"^.*({pattern})"), step("datetime")), 0.5)
            for label in _labels_before(pattern, some):
                yield Shape((step("match", f"{re.escape(label)}\\s*({pattern})"), step("datetime")), 0.45)


def _labels_before(pattern: str, raws: Sequence[str]) -> list[str]:
    """Words in front of dates that many texts have: "Filed:", "(Entered:"."""
    counts: Counter[str] = Counter()
    for raw in raws:
        counts.update({found[1] for found in re.finditer(rf"([A-Za-z]+ ?:?)\s*(?:{pattern})", raw)})
    return [label for label, count in counts.most_common(4) if count * 2 >= len(raws)]


def _counted(pairs: Sequence[tuple[Any, Any]], field: Field) -> Iterator[Shape]:
    name = "cents" if field.unit == "cents" else {Kind.NUMBER: "number", Kind.MONEY: "money"}.get(field.kind, "duration")
    last = step(name, unit=field.unit) if name == "duration" and field.unit not in (None, "minutes") else step(name)
    if any(isinstance(raw, int | float) for raw, _ in pairs):
        yield Shape()
    yield Shape((last,), 0.05)
    if name in ("number", "money"):
        yield Shape((step(name, decimal=","),), 0.15)
        yield Shape((step(name, decimal="."),), 0.12)
    found = [(raw, re.findall(r"\d[\d.,]*", raw)) for raw, _ in pairs if isinstance(raw, str)]
    if any(len(numbers) > 1 for _, numbers in found):
        yield Shape((step("match", r"(\d[\d.,]*)"), last), 0.5)
        yield Shape((step("match", r"(\d[\d.,]*)\D*$"), last), 0.6)
        counts: Counter[str] = Counter()
        for raw, _ in found:
            counts.update({f"(\\d[\\d.,]*)\\s*{re.escape(word)}" for word in re.findall(r"\d\s*([^\W\d]{2,15})", raw)})
            counts.update({f"{re.escape(mark)}\\s*(\\d[\\d.,]*)" for mark in re.findall(r"([^\W\d]{2,15}:?|[($€£#])\s*\d", raw)})
        for pattern, count in counts.most_common(6):
            if count >= _ENOUGH * len(found):
                yield Shape((step("match", pattern), last), 0.45)


def _texts(pairs: Sequence[Pair]) -> Iterator[Shape]:
    around = [found for raw, value in pairs if (found := _around(raw, value)) is not None]
    yield from _mapped(pairs)
    yield from _worded(pairs)
    if len(around) < _ENOUGH * len(pairs) or all(not before and not after for before, after, _ in around):
        return
    for sep in _SEPARATORS:
        yield from _parted(sep, pairs)
    heads, tails = list(_heads([one[0] for one in around])), list(_tails([one[1] for one in around]))
    body = pattern_of([one[2] for one in around])
    for head, cost in heads:
        for tail, more in tails:
            yield from _between(head, tail, cost + more)
    if body:
        yield Shape((step("match", f"({body})"),), 0.45)
        yield Shape((step("match", f"^.*({body})"),), 0.55)
        for head, cost in heads:
            if head:
                yield Shape((step("match", f"{head}({body})"),), 0.4 + cost)


def _between(head: str, tail: str, cost: float) -> Iterator[Shape]:
    pattern = f"{head}(.+?){tail}" if tail else f"{head}(.+)"
    if head or tail:
        yield Shape((step("match", pattern),), 0.35 + cost)
        if tail and tail != "$" and head in ("", "^"):
            yield Shape((step("match", f"^(.+){tail}"),), 0.4 + cost)


def _around(raw: str, value: str) -> tuple[str, str, str] | None:
    """What stands before and after the value, and the value as it stands there."""
    plain = " ".join(value.split())
    at = raw.find(plain)
    at = raw.casefold().find(plain.casefold()) if at < 0 else at
    if at < 0:
        words = re.findall(r"\w+", plain)
        found = re.search(r"[\W_]+".join(map(re.escape, words)), raw, re.I) if 0 < len(words) <= 60 else None
        return (raw[: found.start()], raw[found.end() :], found[0]) if found else None
    return raw[:at], raw[at + len(plain) :], raw[at : at + len(plain)]


def _heads(befores: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Patterns of what stands before: nothing, the same words, the same mark, texts of one shape."""
    some = [one for one in befores if one.strip()]
    if len(some) * 2 <= len(befores):
        yield "^", 0.0
    if not some:
        return
    most, count = Counter(some).most_common(1)[0]
    if count >= _ENOUGH * len(some):
        yield f"^{_words(most)}", 0.05
    mark = commonprefix([one[::-1] for one in some])[::-1][-_LONGEST_MARK:]
    for one in dict.fromkeys((mark, mark[-1:] if mark.strip() else "", mark.strip()[-1:])):
        if one.strip() and not (one.isalnum() and len(one) < 3):
            yield _words(one), 0.1 if len(one.strip()) > 1 else 0.15
            yield f"^.*{_words(one)}", 0.25
    shape = pattern_of([one.strip() for one in some])
    if shape:
        yield f"^{shape}\\s*", 0.15
    first = pattern_of([one.split()[0] for one in some])
    if first and all(len(one.split()) == 1 for one in some):
        yield f"^{first}\\s+", 0.2
    if all(len(one.split()) == 1 for one in some):
        yield r"^\S+\s+", 0.25


def _tails(afters: Sequence[str]) -> Iterator[tuple[str, float]]:
    some = [one for one in afters if one.strip()]
    if len(some) < len(afters):
        yield "$", 0.0
    if not some:
        return
    mark = commonprefix(some)[:_LONGEST_MARK]
    for one in dict.fromkeys((mark, mark.rstrip(), mark[:2].rstrip(), mark[:1].strip())):
        if one.strip():
            pattern = _words(one)
            yield pattern, 0.1
            if len(some) < len(afters):
                yield f"(?:{pattern}|$)", 0.1
    marks = Counter(found[0] for one in some if (found := re.match(r"\s*[^\w\s]|\s+\w+", one)))
    for one, count in marks.most_common(2):
        if count >= _ENOUGH * len(some) and one != mark:
            yield f"(?:{_words(one)}|$)", 0.15
    shape = pattern_of([one.strip() for one in some])
    if shape:
        yield f"\\s*{shape}$", 0.2


def _words(text: str) -> str:
    """A pattern of these words with any white space between them."""
    inner = r"\s+".join(map(re.escape, text.split()))
    return (r"\s*" if text[:1].isspace() else "") + inner + (r"\s*" if text[-1:].isspace() or not text[-1:].isalnum() else "")


def _parted(sep: str, pairs: Sequence[Pair]) -> Iterator[Shape]:
    """A part of a text that one sign parts, by its place from either end."""
    places: Counter[int] = Counter()
    for raw, value in pairs:
        parts = [fold(one) for one in raw.split(sep)]
        wanted = fold(value)
        if len(parts) > 1 and wanted in parts:
            at = parts.index(wanted)
            places.update({at, at - len(parts)})
    for place, count in places.most_common(2):
        if count >= _ENOUGH * len(pairs):
            yield Shape((step("split", sep), step("at", place)), 0.3)


def _mapped(pairs: Sequence[Pair]) -> Iterator[Shape]:
    """A few labels that always mean the same."""
    table: dict[str, Counter[str]] = {}
    for raw, value in pairs:
        table.setdefault(fold(raw), Counter())[value] += 1
    if not 2 <= len(table) <= _MOST_LABELS or len(pairs) < 3 * len(table):
        return
    if all(len(counts) == 1 for counts in table.values()) and len({next(iter(one)) for one in table.values()}) > 1:
        from crawloop.extract.reading import Table

        said = Table(tuple((raw, next(iter(counts))) for raw, counts in sorted(table.items())))
        yield Shape((step("labels", said),), 1.0)


def _worded(pairs: Sequence[Pair]) -> Iterator[Shape]:
    """Fixed words around what stands there: "4" is "4 servings"."""
    ends: Counter[tuple[str, str]] = Counter()
    for raw, value in pairs:
        at = value.find(raw) if raw else -1
        if at >= 0 and raw != value:
            ends[value[:at], value[at + len(raw) :]] += 1
    for (before, after), count in ends.most_common(1):
        if count >= _ENOUGH * len(pairs) and len(before) + len(after) <= _LONGEST_MARK:
            steps = ([step("prefix", before)] if before else []) + ([step("suffix", after)] if after else [])
            yield Shape(tuple(steps), 0.5)


def pattern_of(values: Sequence[str]) -> str | None:
    """A pattern of codes like "2D13-61": runs of digits and letters with the signs between; None for plain words."""
    forms: Counter[str] = Counter()
    for value in values:
        if not 2 < len(value) <= 40 or not re.search(r"\d", value):
            return None
        forms[_form(value)] += 1
    if not forms or len(forms) > 4:
        return None
    return "|".join(one for one, _ in forms.most_common()) if len(forms) == 1 else f"(?:{'|'.join(one for one, _ in forms.most_common())})"


def _form(value: str) -> str:
    parts = []
    for run in re.findall(r"\d+|[A-Za-z]+|\s+|.", value):
        if run.isdigit():
            parts.append(r"\d+")
        elif run.isalpha():
            parts.append("[A-Za-z]+" if len(run) > 1 else "[A-Za-z]")
        else:
            parts.append(r"\s+" if run.isspace() else re.escape(run))
    return "".join(parts)
