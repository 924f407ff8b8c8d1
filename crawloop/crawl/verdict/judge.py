"""Whether an extraction looks right: the verdict on one page, and the records that may be served of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from crawloop.crawl.report import PageStatus
from crawloop.crawl.verdict.moved import Beside, beside
from crawloop.crawl.verdict.problem import DOUBT, PAGE, UNFILLED, Bad, Problem, by_place, of_columns
from crawloop.crawl.verdict.reading import Reading
from crawloop.crawl.verdict.suspicion import about_page, about_values, unconfirmed
from crawloop.crawl.verdict.symptoms import Symptom, stream, symptoms
from crawloop.model.candidate import Failure
from crawloop.model.page import Record

_ITS_OWN = frozenset({"changed", DOUBT, UNFILLED})  # causes that the page itself may be: no proof against the extractor
_NO_FAULT = frozenset({DOUBT, UNFILLED, "missing", "gone", "required", "markup"})  # other streams count these
_DRIFTED: tuple[tuple[str, float], ...] = ((stream(PAGE, Symptom.DRIFT), 1.0),)
_RANK = {PageStatus.OK: 3, PageStatus.PARTIAL: 2, PageStatus.DRIFT: 1}


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is served of a page by one version. `causes` are the kinds of problems that may be a drift.

    `kept` are the program's records that these are, by their numbers. `beside` are values that history knows, right
    or not. `symptoms` are what the page says of each stream that is watched; `news` those that it showed to be broken.
    """

    status: PageStatus
    records: tuple[Record, ...]
    problems: tuple[Problem, ...] = ()
    causes: tuple[str, ...] = ()
    beside: tuple[Beside, ...] = field(default=(), compare=False)
    kept: tuple[int, ...] = field(default=(), compare=False)
    symptoms: tuple[tuple[str, float], ...] = field(default=(), compare=False)
    news: tuple[str, ...] = field(default=(), compare=False)
    url: str = field(default="", compare=False)

    @property
    def lines(self) -> tuple[str, ...]:
        """The problems as they are told."""
        return tuple(map(str, self.problems))

    @property
    def worth(self) -> tuple[int, int]:
        """By which versions are compared: the status, then how many values are left."""
        return _RANK.get(self.status, 0), sum(value is not None for row in self.records for value in row.values())


def judge(reading: Reading) -> Judgement:
    """The verdict. A page that drifted keeps only what something beside the extractor confirms."""
    if reading.run.records is None:
        return _failed(reading.run.failure)
    whole = tuple(about_page(reading))
    bad = by_place(about_values(reading))
    status = _status(reading, whole, bad)
    shown = _DRIFTED if status is PageStatus.DRIFT else _symptoms(reading, bad.values())
    if status is PageStatus.DRIFT:
        bad = by_place(unconfirmed(reading), bad)
    records = _cleaned(reading.rows, bad)
    kept = tuple(range(len(records)))
    if status is PageStatus.DRIFT:
        kept = tuple(n for n in kept if any(value is not None for value in records[n].values()))
    problems = (*whole, *of_columns(bad, len(reading.rows)))
    served = tuple(records[n] for n in kept)
    return Judgement(status, served, problems, _causes(problems), beside(reading), kept, shown, url=reading.page.url)


def _failed(failure: Failure | None) -> Judgement:
    """The verdict where the program gave nothing at all."""
    kind, said = (failure.kind, failure.message) if failure else ("crash", "no answer")
    line = f" (line {failure.line})" if failure and failure.line else ""
    problem = Problem(f"failed {kind}", f"the extractor failed: {kind}: {said}{line}")
    status = PageStatus.ERROR if kind == "page" else PageStatus.DRIFT
    shown = _DRIFTED if status is PageStatus.DRIFT else ()
    return Judgement(status, (), (problem,), (problem.cause,), symptoms=shown)


def _status(reading: Reading, whole: Sequence[Problem], bad: Bad) -> PageStatus:
    if whole:
        return PageStatus.DRIFT
    rows = len(reading.rows)
    required = sum(one.cause == "required" for one in bad.values())
    needed = reading.expected.always | {name for _, name in reading.recall.was}
    counted = needed & reading.expected.fields
    broken = sum(name in counted for (_, name), one in bad.items() if one.cause not in _ITS_OWN)
    if required * 2 > rows or (broken and broken * 2 >= len(counted) * rows):
        return PageStatus.DRIFT
    return PageStatus.PARTIAL if bad else PageStatus.OK


def _symptoms(reading: Reading, bad: Iterable[Problem]) -> tuple[tuple[str, float], ...]:
    faults: dict[str, set[int]] = {}
    for one in bad:
        if one.cause not in _NO_FAULT:
            faults.setdefault(one.field or "", set()).add(one.record or 0)
    return ((stream(PAGE, Symptom.DRIFT), 0.0), *symptoms(reading, faults))


def _cleaned(rows: Sequence[Record], bad: Bad) -> tuple[Record, ...]:
    wrong = {place for place, one in bad.items() if one.cause != DOUBT}
    return tuple(
        {name: None if (index, name) in wrong else value for name, value in row.items()}
        for index, row in enumerate(rows)
    )


def _causes(problems: Iterable[Problem]) -> tuple[str, ...]:
    """What may be a drift, and is told and counted as one where page after page has it."""
    return tuple(sorted({one.kind for one in problems if one.cause != UNFILLED}))
