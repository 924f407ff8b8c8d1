"""What stands in the rows beside what is wanted: the chains of transforms that may fit many rows, by kind of value.

"No. 12 - filed May 3, 2023"                  →  2023-05-03   the part that looks like a date
["Jane v. Doe", "Judge: Roe", "Affirmed"]     →  "Roe"        the line with the label "Judge:"
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from crawloop.model.kind import Field, Kind
from crawloop.strategy.listing.fields.text import of_text, pattern_of, words
from crawloop.strategy.listing.sheet import DAYS
from crawloop.strategy.shaping.rewriting import rebased
from crawloop.strategy.shaping.shape import Shape, Step, step
from crawloop.strategy.shaping.typed import DATES, FIGURES, amounts, dated
from crawloop.values import fold

_FIGURES = (Kind.NUMBER, Kind.MONEY, Kind.DURATION)
_ENOUGH = 0.6
_LETTER = re.compile(r"[^\W\d_]")
_MONTH = 20  # letters that a date has at most, with its weekday
_LABELLED = 0.35
_IN_PROSE = 0.5  # what it costs to take the only date of a text in which it has a label: another may have two


def shapes(pairs: Sequence[tuple[Any, Any]], field: Field, carrier: str) -> list[Shape]:
    """Chains that may make the wanted values of the raw ones. They are not tried here."""
    found: dict[tuple[Step, ...], Shape] = {}
    proposals = _lined(pairs, field) if carrier == "lines" else _proposals(pairs, field, carrier)
    for one in sorted(proposals, key=lambda shape: shape.cost):
        found.setdefault(one.steps, one)
    return list(found.values())


def _proposals(pairs: Sequence[tuple[Any, Any]], field: Field, carrier: str) -> Iterator[Shape]:
    texts = [(" ".join(raw.split()), value) for raw, value in pairs if isinstance(raw, str)]
    if field.many:
        yield from _lists()
    elif field.kind in DATES:
        yield from _dated(texts, field)
    elif field.kind in _FIGURES:
        yield from _counted(pairs, field)
    elif field.kind is Kind.URL:
        yield Shape()
        yield from rebased(texts)
        if carrier == "attribute":
            yield Shape((step("match", r"(https?://[^\"'()\s]+)"),), 0.3)
            yield Shape((step("match", r"[\"'(]([^\"'()\s]+/[^\"'()\s]*)[\"')]"),), 0.4)
    else:
        yield Shape()
        if any(not isinstance(raw, str) for raw, _ in pairs):
            yield Shape((step("clean"),), 0.1)
        yield from of_text([(raw, str(value)) for raw, value in texts])


def _lined(pairs: Sequence[tuple[Any, Any]], field: Field) -> Iterator[Shape]:
    """The line that a label tells, or that alone looks like the value."""
    labels: Counter[str] = Counter()
    there: list[str] = []
    last = list(_typed(field))
    for lines, value in pairs:
        for line in lines if isinstance(lines, list) else ():
            told = re.match(r"([^\W\d][^:]{1,38}:)\s*\S", line)
            if told:
                labels[told[1]] += 1
            if fold(line) == fold(str(value)):
                there.append(line)
    for label, count in labels.most_common(6):
        if count * 4 >= len(pairs):
            yield Shape((step("match", f"^{words(label)}\\s*(.+)"), step("at", 0), *last), 0.15)
    shape = pattern_of(there) if len(there) * 3 >= len(pairs) else None
    if shape:
        yield Shape((step("match", f"^({shape})$"), step("at", 0), *last), 0.2)


def _typed(field: Field) -> Iterator[Step]:
    """The transform that leads to the field's kind."""
    if field.kind in DATES:
        yield step("date" if field.kind is Kind.DATE else "datetime")
    elif field.kind in _FIGURES:
        yield step({Kind.NUMBER: "number", Kind.MONEY: "money"}.get(field.kind, "duration"))


def _lists() -> Iterator[Shape]:
    yield Shape()
    yield Shape((step("unique"),), 0.2)
    for sep in (", ", ",", ";", "|", " / ", " and ", " & "):
        yield Shape((step("split", sep),), 0.3)


def _dated(texts: Sequence[tuple[str, Any]], field: Field) -> Iterator[Shape]:
    name = "date" if field.kind is Kind.DATE else "datetime"
    in_figures = [found for raw, _ in texts if (found := FIGURES.search(raw))]
    figures = max(in_figures, key=lambda one: one["one"] != one["other"])[0] if in_figures else ""
    ways = list(dated(name, figures or next((raw for raw, _ in texts), "")))
    raws = [raw for raw, _ in texts]
    cuts = [one for pattern in DAYS for one in _cut(pattern, raws)]
    told = _IN_PROSE * any(cost == _LABELLED for _, cost in cuts)
    yield from (Shape((one,), cost + told) for one, cost in ways)
    for one, more in ways[: 2 if figures else 1]:
        yield from (Shape((step("match", cut), one), cost + more - 0.05) for cut, cost in cuts)


def _cut(pattern: str, raws: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Ways to cut a date of this form out of the texts: where they say more, after a label though it is alone."""
    some = [raw for raw in raws if re.search(pattern, raw)]
    if len(some) * 2 < len(raws) or not some:
        return
    yield f"({pattern})", 0.4
    labels = _labels_before(pattern, some)
    if any(len(re.findall(pattern, raw)) > 1 for raw in some):
        yield f"^.*({pattern})", 0.5
        yield from ((f"{re.escape(one)}\\s*({pattern})", 0.45) for one in labels)
    elif 2 * sum(len(_LETTER.findall(raw)) > _MONTH for raw in some) > len(some):
        yield from ((f"{re.escape(one)}\\s*({pattern})", _LABELLED) for one in labels if one.endswith(":"))


def _labels_before(pattern: str, raws: Sequence[str]) -> list[str]:
    """Words in front of dates that many texts have: "Filed:", "(Entered:"."""
    counts: Counter[str] = Counter()
    for raw in raws:
        counts.update({found[1] for found in re.finditer(rf"([A-Za-z]+ ?:?)\s*(?:{pattern})", raw)})
    return [label for label, count in counts.most_common(4) if count * 2 >= len(raws)]


def _counted(pairs: Sequence[tuple[Any, Any]], field: Field) -> Iterator[Shape]:
    name = (
        "cents" if field.unit == "cents" else {Kind.NUMBER: "number", Kind.MONEY: "money"}.get(field.kind, "duration")
    )
    last = step(name, unit=field.unit) if name == "duration" and field.unit not in (None, "minutes") else step(name)
    if any(isinstance(raw, int | float) for raw, _ in pairs):
        yield Shape()
    written = " ".join(raw for raw, _ in pairs if isinstance(raw, str))
    yield from (Shape((one,), cost) for one, cost in amounts(field, written) if "beside" in dict(one[2]))
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
            counts.update(
                {f"{re.escape(mark)}\\s*(\\d[\\d.,]*)" for mark in re.findall(r"([^\W\d]{2,15}:?|[($€£#])\s*\d", raw)}
            )
        for pattern, count in counts.most_common(6):
            if count >= _ENOUGH * len(found):
                yield Shape((step("match", pattern), last), 0.45)
