"""Labels that one word of the row makes of plainer ones: "static method" under "Methods" where the row says "static".

    match(join([match(row.text("code"), "\\b(static)\\b"), row.preceding("h2")], " "), "^(?!(?:static)$)(.+)$")

The plain label is read as any other; the word is looked for in the rows where that reading is too short by it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from crawloop.extract.reading import Apply, Expression, Read, Several
from crawloop.model.kind import Field, Kind
from crawloop.strategy.listing.fields.readings import Reading
from crawloop.strategy.listing.fields.table import Row, same
from crawloop.strategy.listing.selectors import relative
from crawloop.values import fold

_LABELS = (Kind.TEXT, Kind.ENUM)
_MOST_WORDS = 4
_SHORTEST = 3
_LONGEST_TEXT = 80
_MOST_ELEMENTS = 4
_MOST_MARKS = 6
_MOST_ROWS = 3


def marked(plain: Expression, rows: Sequence[Row], known: Sequence[int], field: Field) -> Iterator[Reading]:
    """Readings that put a word of the row before or after what `plain` reads, where truth has one word more."""
    if field.kind not in _LABELS or field.many:
        return
    words: dict[int, tuple[str, bool]] = {}
    for number in known:
        value, got = str(rows[number].truth[field.name]), rows[number].read(plain)
        if not isinstance(got, str) or len(value.split()) > _MOST_WORDS:
            return
        if not same(got, value, field, rows[number].sheet.url):
            if (word := _word(fold(value).split(), fold(got).split())) is None:
                return
            words[number] = word
    if len({before for _, before in words.values()}) != 1:
        return
    before = next(iter(words.values()))[1]
    inner = "|".join(sorted(map(re.escape, {word for word, _ in words.values()})))
    for read, cost in _readings(rows, {number: word for number, (word, _) in words.items()}):
        mark = Apply("match", (read,), (rf"\b({inner})\b",))
        joined = Apply("join", (Several((mark, plain) if before else (plain, mark)),), (" ",))
        alone = rf"^(?!(?:{inner})$)(.+)$"  # a word without the label that it belongs to is none
        yield Reading(Apply("match", (joined,), (alone,)), 0.5 + cost, "text")


def _word(value: list[str], got: list[str]) -> tuple[str, bool] | None:
    """The one word that a label has more than a reading, and whether it comes first."""
    if len(value) != len(got) + 1 or not got:
        return None
    before = value[1:] == got
    word = value[0] if before else value[-1]
    return (word, before) if (before or value[:-1] == got) and len(word) >= _SHORTEST and word.isalpha() else None


def _readings(rows: Sequence[Row], words: dict[int, str]) -> Iterator[tuple[Read, float]]:
    """Short texts and classes of the rows that say the words in lower case, those that most rows share first."""
    counts: Counter[Read] = Counter()
    costs: dict[Read, float] = {}
    for number in list(words)[:_MOST_ROWS]:
        for read, cost in _sayings(rows[number], words[number]):
            counts[read] += 1
            costs[read] = min(cost, costs.get(read, cost))
    for read, _ in sorted(counts.items(), key=lambda one: (-one[1], costs[one[0]]))[:_MOST_MARKS]:
        yield read, costs[read]


def _sayings(row: Row, word: str) -> Iterator[tuple[Read, float]]:
    if row.span is None:
        return
    dom, said = row.sheet.index.dom, re.compile(rf"\b{re.escape(word)}\b")
    found = 0
    for number in range(row.span.last, row.span.first - 1, -1):
        text = dom.shown(number) if dom.ends[number] > dom.starts[number] else ""
        classes = dom.attributes[number].get("class", "")
        if len(text) <= _LONGEST_TEXT and said.search(text):
            reads = [(Read("text", (css,)), cost) for css, cost in relative(dom, number, row.span.top)]
        elif said.search(classes):
            reads = [(Read("attr", (css, "class")), cost + 0.1) for css, cost in relative(dom, number, row.span.top)]
        else:
            continue
        yield from reads
        found += 1
        if found == _MOST_ELEMENTS:
            return
