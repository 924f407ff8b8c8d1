"""Whether an extraction looks right: the verdict on one page, and the records that may be served of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from crawloop.crawl.moved import Beside, beside
from crawloop.crawl.reading import Reading
from crawloop.crawl.recall import Place
from crawloop.crawl.report import PageStatus
from crawloop.crawl.suspicion import DOUBT, OF_COLUMNS, UNFILLED, Problem, about_page, about_values, unconfirmed
from crawloop.crawl.symptoms import PAGE, Symptom, stream, symptoms
from crawloop.model.page import Record

_ITS_OWN = frozenset({"changed", DOUBT, UNFILLED})  # causes that the page itself may be: no proof against the extractor
_NO_FAULT = frozenset({DOUBT, UNFILLED, "missing", "gone", "required", "markup"})  # other streams count these
_DRIFTED: tuple[tuple[str, float], ...] = ((stream(PAGE, Symptom.DRIFT), 1.0),)
_RANK = {PageStatus.OK: 3, PageStatus.PARTIAL: 2, PageStatus.DRIFT: 1}


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is served of a page by one version. `causes` name what is wrong without what is particular to the page.

    `kept` are the program's records that these are, by their numbers. `beside` are values that history knows, right
    or not. `symptoms` are what the page says of each stream that is watched; `news` those that it showed to be broken.
    """

    status: PageStatus
    records: tuple[Record, ...]
    problems: tuple[str, ...]
    causes: tuple[str, ...] = ()
    beside: tuple[Beside, ...] = field(default=(), compare=False)
    kept: tuple[int, ...] = field(default=(), compare=False)
    symptoms: tuple[tuple[str, float], ...] = field(default=(), compare=False)
    news: tuple[str, ...] = field(default=(), compare=False)

    @property
    def worth(self) -> tuple[int, int]:
        """By which versions are compared: the status, then how many values are left."""
        return _RANK.get(self.status, 0), sum(value is not None for row in self.records for value in row.values())


def judge(reading: Reading) -> Judgement:
    """The verdict. A page that drifted keeps only what something beside the extractor confirms."""
    failure = reading.run.failure
    if reading.run.records is None:
        said = f"{failure.message}" + (f" (line {failure.line})" if failure.line else "") if failure else "no answer"
        kind = failure.kind if failure else "crash"
        status = PageStatus.ERROR if kind == "page" else PageStatus.DRIFT
        shown = _DRIFTED if status is PageStatus.DRIFT else ()
        return Judgement(status, (), (f"the extractor failed: {kind}: {said}",), (f"failed {kind}",), symptoms=shown)
    whole = list(about_page(reading))
    bad: dict[Place, Problem] = {}
    for one in about_values(reading):
        bad.setdefault((one.record or 0, one.field or ""), one)
    status = _status(reading, whole, bad)
    shown = _DRIFTED if status is PageStatus.DRIFT else _symptoms(reading, bad.values())
    if status is PageStatus.DRIFT:
        for one in unconfirmed(reading):
            bad.setdefault((one.record or 0, one.field or ""), one)
    records = _cleaned(reading.rows, bad)
    kept = tuple(range(len(records)))
    if status is PageStatus.DRIFT:
        kept = tuple(n for n in kept if any(value is not None for value in records[n].values()))
    lines = _lines(whole, bad.values(), len(reading.rows))
    served = tuple(records[n] for n in kept)
    return Judgement(status, served, lines, _causes(whole, bad.values()), beside(reading), kept, shown)


def _status(reading: Reading, whole: Sequence[Problem], bad: Mapping[Place, Problem]) -> PageStatus:
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


def _cleaned(rows: Sequence[Record], bad: Mapping[Place, Problem]) -> tuple[Record, ...]:
    wrong = {place for place, one in bad.items() if one.cause != DOUBT}
    return tuple(
        {name: None if (index, name) in wrong else value for name, value in row.items()}
        for index, row in enumerate(rows)
    )


def _lines(whole: Iterable[Problem], bad: Iterable[Problem], rows: int) -> tuple[str, ...]:
    """One line a field and cause, however many records have it."""
    lines = [one.text for one in whole]
    grouped: dict[tuple[str, str], list[Problem]] = {}
    for one in bad:
        grouped.setdefault((one.field or "", one.cause), []).append(one)
    for (name, cause), some in grouped.items():
        among = f" ({len(some)} of {rows} records)" if rows > 1 and cause not in OF_COLUMNS else ""
        lines.append(f"{name}: {some[0].text}{among}")
    return tuple(lines)


def _causes(whole: Iterable[Problem], bad: Iterable[Problem]) -> tuple[str, ...]:
    """What may be a drift, and is told and counted as one where page after page has it."""
    telling = (one for one in (*whole, *bad) if one.cause != UNFILLED)
    return tuple(sorted({f"{one.field or 'page'}: {one.cause}" for one in telling}))
