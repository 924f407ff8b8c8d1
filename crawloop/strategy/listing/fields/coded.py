"""Labels that a row says in a code of its own: a class, the title of an icon, a letter in a badge.

    labels(match(row.attr("", "class"), "(?:^|\\s)(tab-1|tab-2)(?:\\s|$)"), {"tab-1": "Interface", "tab-2": "Class"})

Each label must have its own code in several rows; a code that no sample has gives None.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from crawloop.extract.reading import Apply, Expression, Read, Table
from crawloop.model.kind import Field, Kind
from crawloop.strategy.listing.fields.readings import Reading
from crawloop.strategy.listing.fields.table import Row
from crawloop.strategy.listing.selectors import relative
from crawloop.values import fold, squash

_LABELS = (Kind.TEXT, Kind.ENUM)
_MOST_LABELS = 12
_ROWS_A_LABEL = 3
_LEAST_ROWS = 2
_MOST_WORDS = 4
_LONGEST = 24
_SAYING = ("title", "alt", "aria-label", "data-type", "data-kind", "type", "src")
_MOST_ELEMENTS = 30
_MOST_READS = 60
_COST = 1.0


def coded(rows: Sequence[Row], known: Sequence[int], field: Field) -> Iterator[Reading]:
    """Readings of the labels of a field from what stands for them in the rows."""
    if field.kind not in _LABELS or field.many:
        return
    wanted = {number: str(rows[number].truth[field.name]) for number in known}
    counts = Counter(wanted.values())
    if not 2 <= len(counts) <= _MOST_LABELS or len(known) < _ROWS_A_LABEL * len(counts):
        return
    if any(len(one.split()) > _MOST_WORDS for one in counts):
        return
    teachers = {label: number for number, label in wanted.items()}
    for read, cost in _reads([rows[number] for number in teachers.values()]):
        said = {number: got for number in known if isinstance(got := rows[number].read(read), str)}
        made = _tokened(read, said, wanted) if read.args and read.args[-1] == "class" else _mapped(read, said, wanted)
        if made is not None:
            yield Reading(made, _COST + cost, "text")


def _reads(teachers: Sequence[Row]) -> Iterator[tuple[Read, float]]:
    """Classes, sayings and short texts of the rows' elements."""
    costs: dict[Read, float] = {}
    for row in teachers:
        if row.span is None:
            continue
        dom = row.sheet.index.dom
        for number in range(row.span.first, min(row.span.last, row.span.first + _MOST_ELEMENTS) + 1):
            attributes = dom.attributes[number]
            names = [one for one in ("class", *_SAYING) if attributes.get(one)]
            short = 0 < dom.ends[number] - dom.starts[number] <= _LONGEST
            for css, cost in [*relative(dom, number, row.span.top)][:2] if names or short else ():
                for name in names:
                    costs.setdefault(Read("attr", (css, name)), cost if css else 0.0)
                if short:
                    costs.setdefault(Read("text", (css,)), cost)
    yield from sorted(costs.items(), key=lambda one: one[1])[:_MOST_READS]


def _mapped(read: Read, said: dict[int, str], wanted: dict[int, str]) -> Expression | None:
    """A code for each label, and no other codes."""
    codes: dict[str, Counter[str]] = defaultdict(Counter)
    for number, text in said.items():
        codes[fold(text)][wanted[number]] += 1
    table = {code: next(iter(labels)) for code, labels in codes.items() if len(labels) == 1}
    if len(table) < len(codes) or len(set(table.values())) < len(table) or max(map(len, table), default=0) > _LONGEST:
        return None
    return _labelled(read, {code: label for code, label in table.items() if _sure(code, label, codes[code][label])})


def _tokened(read: Read, said: dict[int, str], wanted: dict[int, str]) -> Expression | None:
    """A class for each label that all its rows have and no others."""
    holders: dict[str, set[int]] = defaultdict(set)
    for number, text in said.items():
        for one in set(text.split()):
            holders[one].add(number)
    table: dict[str, str] = {}
    for label in sorted(set(wanted.values())):
        mine = {number for number in said if wanted[number] == label}
        own = [one for one, there in holders.items() if there == mine and _sure(one, label, len(mine))]
        if own:
            table[min(own, key=lambda one: (squash(label) not in squash(one), len(one), one))] = label
    if (spoken := _spoken(read, said, wanted, table)) is not None:
        return spoken
    inner = "|".join(re.escape(one).replace(r"\-", "-") for one in table)
    return _labelled(Apply("match", (read,), (rf"(?:^|\s)({inner})(?:\s|$)",)), table)


def _spoken(read: Read, said: dict[int, str], wanted: dict[int, str], table: dict[str, str]) -> Expression | None:
    """The classes are the labels themselves, at one place among the others: then so are those of labels not seen."""
    if any(fold(code) != fold(label) for code, label in table.items()) or set(table.values()) < set(wanted.values()):
        return None
    codes = {label: code for code, label in table.items()}
    places = {text.split().index(codes[wanted[number]]) for number, text in said.items()}
    if len(places) != 1:
        return None
    return Apply("at", (Apply("split", (read,), (" ",)),), (places.pop(),))


def _sure(code: str, label: str, count: int) -> bool:
    """Whether a code may stand for a label: in several rows, or as it says so itself."""
    return count >= _LEAST_ROWS or (len(label) >= _ROWS_A_LABEL and squash(label) in squash(code))


def _labelled(read: Expression, table: dict[str, str]) -> Expression | None:
    if len(set(table.values())) < 2:
        return None
    return Apply("labels", (read,), (Table(tuple(sorted(table.items()))),))
