"""One thing that is wrong with a page, or with a value of it. It becomes a line of text only where it is told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from crawloop.crawl.verdict.recall import Place

PAGE = "page"  # what is wrong with it is wrong with no single field
DOUBT = "doubt"  # the one cause that is named while the value is served
UNFILLED = "unfilled"  # the one cause that says nothing against the extractor: a page may lack what others have
OF_COLUMNS = frozenset({"monotonous", "unfamiliar"})  # causes whose text speaks of all records together


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong. `cause` is one word, the same on every page; `record` and `field` say where."""

    cause: str
    text: str
    field: str | None = None
    record: int | None = None

    @property
    def kind(self) -> str:
        """What is wrong, without what is particular to the page: "field: cause"."""
        return f"{self.field or PAGE}: {self.cause}"

    def __str__(self) -> str:
        """The line that is told."""
        return f"{self.field}: {self.text}" if self.field else self.text


Bad = Mapping[Place, Problem]


def by_place(problems: Iterable[Problem], known: Bad | None = None) -> Bad:
    """The problem of each value, the first one where there are several; those that are `known` come before."""
    found = dict(known or {})
    for one in problems:
        if one.field is not None:
            found.setdefault((one.record or 0, one.field), one)
    return found


def of_columns(bad: Bad, rows: int) -> tuple[Problem, ...]:
    """One problem a field and cause, however many of the `rows` records have it."""
    grouped: dict[tuple[str, str], list[Problem]] = {}
    for (_, name), one in bad.items():
        grouped.setdefault((name, one.cause), []).append(one)
    return tuple(_together(some, rows) for some in grouped.values())


def named(problems: Iterable[Problem]) -> frozenset[str]:
    """The fields that problems are about."""
    return frozenset(one.field for one in problems if one.field is not None)


def _together(some: Sequence[Problem], rows: int) -> Problem:
    first = some[0]
    if rows == 1 or first.cause in OF_COLUMNS:
        return first
    return replace(first, text=f"{first.text} ({len(some)} of {rows} records)")
