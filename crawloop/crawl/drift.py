"""What the pages of a crawl say together: fields that break on page after page, and whether a drift is sure.

One odd page is no drift of its family, and twenty pages without the badge that some always had are one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from crawloop.crawl.expect import Expectation
from crawloop.crawl.judge import Judgement
from crawloop.crawl.moved import Moves
from crawloop.crawl.report import PageStatus
from crawloop.model.page import Record
from crawloop.values import departs, profile

_MEMORY = 400  # records whose values are kept
_FEW = 3  # pages before a cause that leaves a page partly served can be sure
_SHARE_DRIFTED = 0.2
_SHARE_PARTIAL = 0.5


@dataclass(slots=True)
class Watch:
    """The memory of one crawl."""

    expected: Expectation
    pages: int = 0
    drifted: int = 0
    causes: Counter[str] = field(default_factory=Counter)
    told: set[str] = field(default_factory=set)
    _rows: list[Record] = field(default_factory=list)
    _moves: Moves = field(default_factory=Moves)

    def together(self, judgements: Sequence[Judgement]) -> list[Judgement]:
        """The verdicts of a batch of the active version, stricter where all its pages together show a break."""
        self._rows = [*self._rows, *(row for one in judgements for row in one.records)][-_MEMORY:]
        self._moves.note(beside for one in judgements for beside in one.beside)
        broken, moved = self._departing(), self._moves.problems(self.expected.schema)
        verdicts = [_stricter(one, broken) for one in judgements] if broken else list(judgements)
        return [_doubted(one, moved) for one in verdicts] if moved else verdicts

    def count(self, judgement: Judgement) -> None:
        """Takes note of a page's final verdict."""
        self.pages += 1
        self.drifted += judgement.status is PageStatus.DRIFT
        if judgement.status in (PageStatus.DRIFT, PageStatus.PARTIAL):
            self.causes.update(judgement.causes)

    def news(self, judgement: Judgement) -> bool:
        """Whether the page shows a drift by a cause that nobody was told of yet."""
        if judgement.status is PageStatus.DRIFT:
            fresh = set(judgement.causes) - self.told
        else:
            fresh = {one for one in judgement.causes if self._is_common(one)} - self.told
        self.told |= fresh
        return bool(fresh)

    @property
    def is_sure(self) -> bool:
        """Whether the family's extractor is broken, rather than some page odd."""
        return (self.drifted > 0 and self.drifted >= _SHARE_DRIFTED * self.pages) or any(
            map(self._is_common, self.causes)
        )

    @property
    def is_well(self) -> bool:
        """Whether there were pages and all of them were as they should be."""
        return self.pages > 0 and not self.drifted and not self.causes

    def _is_common(self, cause: str) -> bool:
        count = self.causes[cause]
        return count >= _FEW and count >= _SHARE_PARTIAL * self.pages

    def _departing(self) -> Mapping[str, str]:
        """{field: problem} over all records of the crawl so far."""
        found: dict[str, str] = {}
        for one in self.expected.schema.fields:
            before: dict[str, Any] | None = self.expected.profiles.get(one.name)
            if before and one.name in self.expected.fields:
                problem = departs(profile([row.get(one.name) for row in self._rows], one), before, one)
                if problem:
                    found[one.name] = problem
        return found


def _stricter(judgement: Judgement, broken: Mapping[str, str]) -> Judgement:
    """The verdict with the broken fields null and named, unless they are named already."""
    if judgement.status not in (PageStatus.OK, PageStatus.PARTIAL) or not judgement.records:
        return judgement
    named = {line.partition(":")[0] for line in judgement.problems}
    lines = tuple(f"{name}: {problem}" for name, problem in broken.items() if name not in named)
    if not lines:
        return judgement
    return replace(
        judgement,
        status=PageStatus.PARTIAL,
        records=tuple({k: None if k in broken else v for k, v in row.items()} for row in judgement.records),
        problems=(*judgement.problems, *lines),
        causes=tuple(sorted({*judgement.causes, *(f"{name}: departs" for name in broken)})),
    )


def _doubted(judgement: Judgement, moved: Mapping[str, str]) -> Judgement:
    """The verdict with the moved fields named and served: it is no proof against the extractor."""
    if judgement.status not in (PageStatus.OK, PageStatus.PARTIAL):
        return judgement
    named = {line.partition(":")[0] for line in judgement.problems}
    there = {name for row in judgement.records for name, value in row.items() if value is not None}
    lines = tuple(f"{name}: {problem}" for name, problem in moved.items() if name in there - named)
    if not lines:
        return judgement
    return replace(judgement, status=PageStatus.PARTIAL, problems=(*judgement.problems, *lines))
