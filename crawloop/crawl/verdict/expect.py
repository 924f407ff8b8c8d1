"""What the pages of a version looked like while they were right: the measure for every page that it serves later."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from statistics import median
from typing import Any

from crawloop.contract import Known
from crawloop.crawl.verdict.scope import around
from crawloop.extract.plan import Plan
from crawloop.extract.reading import Apply, Expression, Read, Several
from crawloop.model.family import Golden, Version
from crawloop.model.kind import Schema
from crawloop.model.page import Record
from crawloop.shape import Layouts, bare_tags, marks, url_key
from crawloop.values import fold, is_placeholder, profile

_LAYOUTS = 8
_FEW_ROWS = 3
_SPARE = 2  # elements that are like rows and are none: heads and feet


class Expectation:
    """A version with its golden pages and what history knows of other pages that were all right."""

    def __init__(
        self, version: Version, schema: Schema, goldens: Sequence[Golden] = (), others: Sequence[Known] = ()
    ) -> None:
        self.version = version
        self.schema = schema
        self.goldens = tuple(goldens)
        self.others = tuple(others)

    @cached_property
    def fields(self) -> frozenset[str]:
        """What the version reaches at all."""
        return frozenset(self.version.fields or self.schema.names) - set(self.version.residual)

    @cached_property
    def pages(self) -> tuple[Sequence[Record], ...]:
        """The records of each page that was right, golden pages first."""
        own = {url_key(golden.url) for golden in self.goldens}
        more = (known.records for known in self.others if url_key(known.url) not in own)
        return (*(golden.records for golden in self.goldens), *more)

    @cached_property
    def records(self) -> tuple[Record, ...]:
        """All records that were right, those of the golden pages first."""
        return tuple(record for page in self.pages for record in page)

    @cached_property
    def profiles(self) -> Mapping[str, dict[str, Any]]:
        """Per field, what its values look like; the version's own where there is no record to measure."""
        if not self.records:
            return self.version.profile
        return {one.name: profile([r.get(one.name) for r in self.records], one) for one in self.schema.fields}

    @cached_property
    def always(self) -> frozenset[str]:
        """Fields that no record lacks."""
        if self.records:
            filled = {name for name in self.fields if all(row.get(name) is not None for row in self.records)}
        else:
            filled = {name for name, said in self.version.profile.items() if said.get("fill") == 1.0}
        return frozenset(filled) & self.fields

    @cached_property
    def real_placeholders(self) -> frozenset[tuple[str, str]]:
        """(field, text) that would stand for nothing elsewhere, and were right values of this field: a model "N/A"."""
        texts = ((name, item) for record in self.records for name, value in record.items() for item in _items(value))
        return frozenset((name, fold(item)) for name, item in texts if isinstance(item, str) and is_placeholder(item))

    @cached_property
    def is_single(self) -> bool:
        """Whether a page is about one thing."""
        pages = [len(golden.records) for golden in self.goldens] + [len(known.records) for known in self.others]
        return bool(pages) and set(pages) == {1}

    @cached_property
    def never_empty(self) -> bool:
        """Whether no page was without records."""
        return all(golden.records for golden in self.goldens)

    @cached_property
    def layouts(self) -> Layouts:
        """The layouts of some golden pages."""
        return Layouts([golden.html for golden in self.goldens[:_LAYOUTS]])

    @cached_property
    def row_marks(self) -> Mapping[str, int]:
        """Marks that stand once a record on every golden page, with how often they stand elsewhere on each."""
        pairs = [(marks(golden.html) + bare_tags(golden.html), len(golden.records)) for golden in self._listings]
        if not pairs:
            return {}
        first, rows = pairs[0]
        spare = {mark: count - rows for mark, count in first.items() if 0 <= count - rows <= _SPARE}
        alone = len(self._row_counts) == 1
        return {
            mark: more
            for mark, more in spare.items()
            if all(m[mark] - n == more for m, n in pairs) and not (alone and more)
        }

    def rows(self, html: str, found: Counter[str], got: int) -> int | None:
        """How many records a page's marks speak of; None where they say nothing.

        Where all golden pages have as many records, marks that do not grow with them may stand so often by chance: they
        say nothing of a page that has more, and it is enough that some say `got`, another number. They say nothing of a
        page either on which hardly an element of the rows' sort is left that is no record.
        """
        return self._spoken_of(found + bare_tags(html), got)

    def rows_of_their_list(self, html: str, got: int) -> int | None:
        """The same, of the list alone in which the version's rows stand; marks elsewhere are of another one."""
        part = around(html, self._row_selector) if self._row_selector else html
        return self._spoken_of(marks(part) + bare_tags(part), got)

    def _spoken_of(self, found: Counter[str], got: int) -> int | None:
        if not self.row_marks or 0 < found[self._row_tag] <= got + _SPARE:
            return None
        said = [found[mark] - more for mark, more in self.row_marks.items() if found[mark] > more]
        usual = max(self._row_counts)
        if len(self._row_counts) == 1 and got != usual and (got in said or (got > usual and set(said) == {usual})):
            return None
        return round(median(said)) if said else None

    @cached_property
    def _row_tag(self) -> str:
        """The tag of the elements that the version takes for rows; "" where it is none by name."""
        css = self._row_selector
        while "(" in css and (less := re.sub(r"\([^()]*\)", "", css)) != css:
            css = less
        tag = re.search(r"(?:^|[\s>+~])([a-z][a-z0-9]*)[^\s>+~,]*\Z", css)
        return tag[1] if tag else ""

    @cached_property
    def _row_selector(self) -> str:
        """The selector of the elements that the version takes for rows; "" where it takes others."""
        rows = self._plan.rows if self._plan is not None else None
        found = list(_reads((rows.select,))) if rows is not None else []
        return str(found[0].args[0]) if found and found[0].method == "css" and found[0].args else ""

    @cached_property
    def _row_counts(self) -> frozenset[int]:
        """How many records the golden pages with several of them have."""
        return frozenset(len(golden.records) for golden in self._listings)

    @property
    def _listings(self) -> Sequence[Golden]:
        return [golden for golden in self.goldens[:_LAYOUTS] if len(golden.records) >= _FEW_ROWS]

    def golden_records(self, url: str) -> tuple[Record, ...] | None:
        """What the version gave for this very URL when it was promoted."""
        key = url_key(url)
        return next((g.records for g in self.goldens if url_key(g.url) == key), None)

    @cached_property
    def structured(self) -> frozenset[str]:
        """Fields that are read from JSON only: a redesign of the page's looks does not touch them."""
        return frozenset(
            name
            for name, used in self._reads.items()
            if used and all(one.method in ("json", "json_all") for one in used)
        )

    @cached_property
    def shared(self) -> frozenset[str]:
        """Fields of rows that are read outside them, from a heading or once on the page: many rows may share one."""
        if self._plan is None or self._plan.rows is None:
            return frozenset()
        return frozenset(
            name
            for name, used in self._reads.items()
            if used and all(one.method == "preceding" or one.of == "page" for one in used)
        )

    @cached_property
    def _reads(self) -> Mapping[str, Sequence[Read]]:
        """What each field is read from."""
        plan = self._plan
        return {} if plan is None else {name: list(_reads(one.readers)) for name, one in plan.fields.items()}

    @cached_property
    def _plan(self) -> Plan | None:
        try:
            return Plan.loads(self.version.plan) if self.version.plan else None
        except ValueError:
            return None


def _items(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else (value,)


def _reads(expressions: Iterable[Expression]) -> Iterator[Read]:
    for one in expressions:
        match one:
            case Read():
                yield one
            case Apply(_, to):
                yield from _reads(to)
            case Several(items):
                yield from _reads(items)
