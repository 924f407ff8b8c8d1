"""One run on one page, beside everything that may speak for its values or against them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from crawloop.crawl.verdict.expect import Expectation
from crawloop.crawl.verdict.recall import Place, Recall, Whereabouts, recall
from crawloop.model.candidate import Run
from crawloop.model.kind import Field, Kind
from crawloop.model.page import Page, Record
from crawloop.values import equal, fold, is_blank, is_placeholder


@dataclass(frozen=True, slots=True)
class Markup:
    """What the page's markup says, record by record.

    On the golden pages it was right in the `trusted` fields, and wrong at least once in the `refuted` ones. `is_sample`
    says that it was asked whatever the page looks like: only then it says something of all pages.
    """

    records: tuple[Record, ...] = ()
    trusted: frozenset[str] = frozenset()
    refuted: frozenset[str] = frozenset()
    is_sample: bool = False


@dataclass(frozen=True)
class Reading:
    """One run on one page, and all that can be held against it."""

    page: Page
    run: Run
    expected: Expectation
    found: Counter[str]
    known: tuple[Record, ...] = ()
    markup: Markup = Markup()

    @cached_property
    def rows(self) -> tuple[Record, ...]:
        """The records with exactly the schema's fields; null where a program gave nothing, or "N/A"."""
        fields = self.expected.schema.fields
        return tuple({one.name: self._value(record, one) for one in fields} for record in self.run.records or ())

    def _value(self, record: Record, one: Field) -> object:
        value = _plain(record.get(one.name), one)
        items = value if isinstance(value, list) else [value]
        return None if one.kind is Kind.TEXT and all(self._says_nothing(item, one) for item in items) else value

    def _says_nothing(self, item: object, one: Field) -> bool:
        if not isinstance(item, str) or not is_placeholder(item):
            return False
        was = (record.get(one.name) for record in self.known)
        return (one.name, fold(item)) not in self.expected.real_placeholders and item not in was

    @cached_property
    def likeness(self) -> float:
        """How alike the page's layout is to the one that was learnt."""
        return self.expected.layouts.likeness(self.found)

    @cached_property
    def is_redesigned(self) -> bool:
        """Whether the page is clearly of another layout than the one that was learnt."""
        return self.expected.layouts.is_new(self.found)

    @cached_property
    def is_same_layout(self) -> bool:
        """Whether the page is as much like the golden pages as those are like each other."""
        return self.expected.layouts.is_same(self.found)

    @cached_property
    def recall(self) -> Recall:
        """The records beside what was known of the URL."""
        return recall(self.rows, self.known, self.expected.schema, self.page.base)

    @cached_property
    def where(self) -> Whereabouts:
        return Whereabouts(self.page.html)

    @cached_property
    def attested(self) -> frozenset[Place]:
        """Values that the page's markup gives too."""
        schema, base = self.expected.schema, self.page.base
        return frozenset(
            (index, name)
            for index, name, value, said in self.attestable()
            if value is not None and equal(value, said, schema[name], base=base)
        )

    def attestable(self) -> Iterator[tuple[int, str, object, object]]:
        """(record index, field, value, what the markup says) where the markup speaks of just these records."""
        said = self.markup.records
        if len(said) != len(self.rows):
            return
        for index, (row, other) in enumerate(zip(self.rows, said, strict=True)):
            for name in self.expected.fields & other.keys():
                if other[name] is not None:
                    yield index, name, row.get(name), other[name]

    @cached_property
    def confirmed(self) -> frozenset[Place]:
        """Values that something beside the extractor speaks for; a column of a list where that holds for a third."""
        places = self.recall.confirmed | self.attested
        places |= {(i, name) for i in range(len(self.rows)) for name in self.expected.structured}
        if len(self.rows) < 3:
            return places
        by_field = Counter(name for _, name in places)
        sure = {name for name, count in by_field.items() if 3 * count >= len(self.rows)}
        return places | {(i, name) for i in range(len(self.rows)) for name in sure}


def _plain(value: object, one: Field) -> object:
    """A value as its field has it: pages say one thing alone or as a list of one."""
    if is_blank(value):
        return None
    if one.many:
        return value if isinstance(value, list) else [value]
    return value[0] if isinstance(value, list) and len(value) == 1 else value
