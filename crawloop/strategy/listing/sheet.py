"""A listing page under study: its elements by number, its true records, and where each of their values stands.

Numbers are those of carriers.dom: positions in document order, so a subtree is a range of numbers.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any

from crawloop.carriers.index import Index, Place, index
from crawloop.extract.bounds import guard
from crawloop.extract.view import Element, PageView
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page, Record
from crawloop.model.truth import Sample
from crawloop.strategy.shaping.typed import DATES
from crawloop.values import base_of, equal, parse_date, squash

DAYS = (
    r"\d{4}[-/]\d{2}[-/]\d{2}",
    r"(?<!\d)(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\d)",
    r"\d{1,2}/\d{1,2}/\d{2,4}",
    r"[A-Z][A-Za-z]{2,8}\.? \d{1,2},? \d{4}",
    r"\d{1,2}\.? [A-Z][A-Za-z]{2,8}\.?,? \d{4}",
    r"\d{1,2}[.-]\d{1,2}[.-]\d{2,4}",
)
_DAY = re.compile("|".join(DAYS))
_LONGEST_DATED = 2000
_SHORT = 120
_LEAST_NEAR = 6
_DIGITS = re.compile(r"\d")

Value = tuple[str, str]  # a field's name and the value as it is written in truth


class Sheet:
    """A page with its records. Raises PageRefused where the page cannot be parsed safely.

    `complete` says that these are all records of the page, but for so many that are `doubtful`. `said` are the records
    with the values that were found nowhere on the page: they may still turn up in a row.
    """

    def __init__(self, sample: Sample, schema: Schema) -> None:
        guard.check(sample.page.html)
        assert sample.truth is not None
        self.page: Page = sample.page
        self.view = PageView(sample.page.html, sample.page.base)
        self.schema = schema
        self.url = sample.page.base
        self.complete = sample.truth.complete
        carried = [number for number, there in enumerate(sample.truth.carries()) if there]
        known = sample.truth.values()
        names = frozenset(schema.names)
        self.records: tuple[Record, ...] = tuple(
            {name: value for name, value in known[number].items() if name in names} for number in carried
        )
        self.said: tuple[Record, ...] = tuple(
            {name: claim.value for name, claim in sample.truth.records[number].items() if name in names}
            for number in carried
        )
        self.doubtful = len(sample.truth.records) - len(self.records)
        for field in schema.fields:
            self._take_near(field)
        self.selected: dict[str, list[int]] = {}
        self.likely_of: dict[int, Any] = {}
        self.shared: dict[frozenset[Value], list[int]] = {}
        self.tables: dict[tuple[tuple[int, ...], bool], Any] = {}

    def _take_near(self, field: Field) -> None:
        """Holds for true what stands on the page with other signs, "A v B" for "A v. B", where most values do."""
        if field.kind is not Kind.TEXT or field.many:
            return
        loose = {number: squash(str(one[field.name])) for number, one in enumerate(self.said) if field.name in one}
        unsure = [number for number in loose if field.name not in self.records[number]]
        text = self.index.dom.text.text if unsure else ""
        near = [number for number in unsure if len(loose[number]) >= _LEAST_NEAR and loose[number] in text]
        if 2 * len(near) > len(loose):
            for number in near:
                self.records[number][field.name] = self.said[number][field.name]

    @cached_property
    def index(self) -> Index:
        return index(self.view)

    @cached_property
    def elements(self) -> list[Element]:
        """The page's elements in the order of their numbers; the root is number 0."""
        return [self.view, *self.view.css("*")]

    @cached_property
    def numbers(self) -> dict[Element, int]:
        return {one: number for number, one in enumerate(self.elements)}

    def find(self, css: str) -> list[int]:
        """The elements that a selector finds."""
        if css not in self.selected:
            self.selected[css] = [self.numbers[one] for one in self.view.css(css)]
        return self.selected[css]

    @cached_property
    def last(self) -> list[int]:
        """For each element the number of the last one inside it."""
        parents = self.index.dom.parents
        found = list(range(len(parents)))
        for number in range(len(parents) - 1, 0, -1):
            found[parents[number]] = max(found[parents[number]], found[number])
        return found

    @cached_property
    def values(self) -> dict[Value, list[int]]:
        """Every value of truth with the numbers of the records that have it."""
        found: dict[Value, list[int]] = defaultdict(list)
        for number, record in enumerate(self.records):
            for name, value in record.items():
                found[key(name, value)].append(number)
        return dict(found)

    @cached_property
    def said_somewhere(self) -> frozenset[str]:
        """The letters and digits of all that is said of records: what is a value is no label."""
        return frozenset(squash(str(value)) for record in self.said for value in record.values())

    @cached_property
    def holders(self) -> dict[Value, frozenset[int]]:
        """The same as sets."""
        return {value: frozenset(numbers) for value, numbers in self.values.items()}

    def sharing(self, values: frozenset[Value]) -> list[int]:
        """The numbers of the records that have all these values; where none has, of those with the rarest of them."""
        if values not in self.shared:
            holders = sorted((self.holders[one] for one in values), key=len)
            self.shared[values] = sorted(frozenset.intersection(*holders) or holders[0])
        return self.shared[values]

    def value_of(self, value: Value) -> Any:
        """A value as truth has it."""
        return self.records[self.values[value][0]][value[0]]

    @cached_property
    def keys(self) -> list[tuple[Value, ...]]:
        """The values of each record."""
        return [tuple(key(name, value) for name, value in record.items()) for record in self.records]

    @cached_property
    def places(self) -> dict[Value, list[Place]]:
        """Where each value stands; those that stand nowhere are left out."""
        found = {}
        for record in self.records:
            for name, value in record.items():
                if key(name, value) not in found:
                    found[key(name, value)] = self._places(value, self.schema[name])
        return {value: places for value, places in found.items() if places}

    def _places(self, value: Any, field: Field) -> list[Place]:
        if isinstance(value, list):
            return self._places(value[0], field.single) if value else []
        single = field.single
        found = self.index.places(value, single)
        if field.kind in DATES:
            found = [one for one in found if str(value)[:10] in days(str(self.index.raw(one)))]
        elif field.kind is Kind.URL:
            found = [one for one in found if self._leads_to(str(self.index.raw(one)), value, single)] or found
        return found

    def _leads_to(self, link: str, value: Any, field: Field) -> bool:
        """Whether a link is the wanted URL, not another with the same file name."""
        return equal(link, value, field, base=self.url) or base_of(link, str(value)) is not None

    @cached_property
    def hits(self) -> dict[int, set[Value]]:
        """For each element the values that stand in it."""
        parents = self.index.dom.parents
        found: dict[int, set[Value]] = defaultdict(set)
        for value, places in self.places.items():
            for place in places:
                number = place.owner if place.carrier != "json" else -1
                while number >= 0 and value not in found[number]:
                    found[number].add(value)
                    number = parents[number]
        return dict(found)

    def says(self, number: int, value: Any, field: Field) -> bool:
        """Whether a short text, that of the element, holds a value."""
        dom = self.index.dom
        size = dom.ends[number] - dom.starts[number]
        if not 0 < size <= _SHORT:
            return False
        if field.kind in DATES:
            shown = _DIGITS.search(dom.loose(number)) is not None
            return shown and str(value)[:10] in days(dom.shown(number))
        wanted = squash(str(value))
        return bool(wanted) and wanted in dom.loose(number) and size <= len(wanted) + _SHORT // 2

    def first_in(self, first: int, last: int, value: Value) -> int | None:
        """The first element of a range in which a value stands."""
        owners = self.owners.get(value, [])
        at = bisect_left(owners, first)
        return owners[at] if at < len(owners) and owners[at] <= last else None

    def ahead(self, value: Value, number: int) -> float:
        """Which share of the elements in which a value stands come before an element."""
        owners = self.owners.get(value, [])
        return bisect_left(owners, number) / max(len(owners), 1)

    @cached_property
    def owners(self) -> dict[Value, list[int]]:
        """The elements in which each value stands, in their order."""
        return {
            value: sorted(one.owner for one in places if one.carrier != "json") for value, places in self.places.items()
        }

    @cached_property
    def loose(self) -> dict[int, list[tuple[int, Value, Place]]]:
        """For each element the values that stand in the bare text between its children, with where, in their order."""
        found: dict[int, list[tuple[int, Value, Place]]] = defaultdict(list)
        for value, places in self.places.items():
            for place in places:
                if place.carrier == "text" and not place.whole and place.at >= 0:
                    found[place.owner].append((place.at, value, place))
        return {owner: sorted(there, key=lambda one: one[0]) for owner, there in found.items()}

    def between(self, top: int, first: int, last: int) -> list[tuple[int, Value, Place]]:
        """The values in the bare text of an element from one child on, up to what follows another."""
        dom = self.index.dom
        end = dom.starts[last + 1] if last < self.last[top] else dom.ends[top]
        there = self.loose.get(top, [])
        return there[bisect_left(there, dom.starts[first], key=_at) : bisect_left(there, end, key=_at)]

    def within(self, first: int, last: int, value: Value) -> Iterator[Place]:
        """The places of a value in a range of elements."""
        return (one for one in self.places.get(value, ()) if one.carrier != "json" and first <= one.owner <= last)


def _at(place: tuple[int, Value, Place]) -> int:
    return place[0]


@lru_cache(maxsize=16_384)
def days(text: str) -> frozenset[str]:
    """The ISO days that a text may mean: read as a whole, and each part of it that looks like a date."""
    parts = [text, *_DAY.findall(text[:_LONGEST_DATED])]
    read = (parse_date(one, order=order) for one in parts for order in (None, "dmy", "mdy"))
    return frozenset(one[:10] for one in read if one)


def key(name: str, value: Any) -> Value:
    return name, repr(value)


def spread(numbers: Sequence[int], most: int) -> list[int]:
    """At most so many of the numbers, evenly from first to last."""
    if len(numbers) <= most:
        return list(numbers)
    return [numbers[round(place * (len(numbers) - 1) / (most - 1))] for place in range(most)]
