"""What pages say together, over all crawls of a version: which streams are broken, thus whether a drift is sure.

One odd page is no drift of its family, and a field that a tenth of the pages lose is one. Detectors decide, one for
each stream (`values.detector`), so that all of them give one false alarm in HEALTHY_RUN pages at most.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from crawloop.crawl.expect import Expectation
from crawloop.crawl.judge import Judgement
from crawloop.crawl.moved import Moves
from crawloop.crawl.problem import DOUBT, PAGE, Problem, named
from crawloop.crawl.report import PageStatus
from crawloop.crawl.symptoms import KNOWN, OF_FIELDS, Symptom, learnt, stream
from crawloop.model.page import Record
from crawloop.values import detector
from crawloop.values.detector import Tally

HEALTHY_RUN = 40_000  # pages between two false alarms, on average, or more
# The share of all false alarms that may come of a symptom; of one of fields, in all fields together. Extractors break
# most by pages that do not fit and by values that are lost.
_SHARE = {
    Symptom.DRIFT: 0.24,
    Symptom.EMPTY: 0.02,
    Symptom.COUNT: 0.02,
    Symptom.IDENTICAL: 0.02,
    Symptom.MISSING: 0.28,
    Symptom.REPEATED: 0.12,
    Symptom.MARKUP: 0.12,
    Symptom.FAULT: 0.08,
    Symptom.CHANGED: 0.05,
    Symptom.STRAY: 0.05,
}
# Records beside which one is looked at, all of them or none: beside more, more are the same, and that is no break.
_LOOK_BACK = 16
_WARY = 60  # pages that agree with their markup, after which it is asked now and then only
# Pages come in some order: names grow longer, and brands stand together. What is not rare by nature proves nothing.
_CEILING = {Symptom.STRAY: 0.25, Symptom.REPEATED: 0.25, Symptom.IDENTICAL: 0.25}
_SAID = {
    Symptom.EMPTY: "it says that there is nothing",
    Symptom.COUNT: "an unusual number of records",
    Symptom.IDENTICAL: "records that are the same as others before",
    Symptom.MISSING: "is missing",
    Symptom.CHANGED: "may be another value: it is not what was known",
    Symptom.STRAY: "may be another value: it is unlike all that was seen",
    Symptom.REPEATED: "is the same as in other records",
    Symptom.MARKUP: "is not what the page's markup says",
}
_MISREAD = frozenset({Symptom.REPEATED, Symptom.MARKUP})  # a value of which this is sure is not served


EMPTY = Judgement(PageStatus.OK, (), symptoms=((stream(PAGE, Symptom.EMPTY), 1.0),))  # of a page that says so


class Watch:
    """What is known over time of one version. `kept` are the numbers of its detectors when they were last stored.

    With `acquitted`, somebody has found since that the version is well: what seemed broken is taken for usual.
    """

    def __init__(
        self, expected: Expectation, kept: Mapping[str, Sequence[float]] | None = None, *, acquitted: bool = False
    ) -> None:
        self._schema = expected.schema
        self._moves = Moves()
        self._recent = _Recent()
        self._fields = len(expected.fields)
        self._learnt: dict[str, list[float]] = {}
        for golden in expected.goldens:
            for name, x in learnt(expected, golden.records):
                self._learnt.setdefault(name, []).append(x)
        restored = {name: detector.restored(numbers) for name, numbers in (kept or {}).items()}
        self._detectors = {name: one for name, one in restored.items() if one is not None}
        for one in self._detectors.values():
            if acquitted and one.broken:
                one.acquit()

    @property
    def is_sure(self) -> bool:
        """Whether the family's extractor is broken, rather than some page odd."""
        return any(one.broken for one in self._detectors.values())

    @property
    def is_wary(self) -> bool:
        """Whether markup has contradicted a page of late, so that it is worth to ask it on each."""
        return any(one.quiet < _WARY for name, one in self._detectors.items() if name.endswith(f": {Symptom.MARKUP}"))

    def numbers(self) -> dict[str, list[float]]:
        """What is to be stored."""
        return {name: one.numbers() for name, one in self._detectors.items()}

    def together(self, judgements: Sequence[Judgement]) -> list[Judgement]:
        """The verdicts of a batch of the active version, stricter where all pages so far show a break."""
        self._moves.note(beside for one in judgements for beside in one.beside)
        seen = [self._seen(one) for one in judgements]
        moved = self._moves.problems(self._schema)
        verdicts = [
            self._stricter(replace(one, news=news), said) for one, (said, news) in zip(judgements, seen, strict=True)
        ]
        return [_doubted(one, moved) for one in verdicts] if moved else verdicts

    def _seen(self, judgement: Judgement) -> tuple[dict[str, float], tuple[str, ...]]:
        """What a page says of each stream, and the streams that it shows to be broken."""
        said, news = dict(judgement.symptoms), []
        if judgement.status.is_served:
            said |= self._recent.symptoms(judgement.records)
        for name, x in said.items():
            symptom = Symptom(name.rpartition(": ")[2])
            if name not in self._detectors:
                self._detectors[name] = detector.of(KNOWN.get(symptom, Tally()), self._learnt.get(name, ()))
            if self._detectors[name].see(x, self._bar(symptom), _CEILING.get(symptom, 1.0)):
                news.append(name)
        return said, tuple(news)

    def _bar(self, symptom: Symptom) -> float:
        return HEALTHY_RUN / _SHARE[symptom] * (self._fields if symptom in OF_FIELDS else 1)

    def _stricter(self, judgement: Judgement, said: Mapping[str, float]) -> Judgement:
        """The verdict with what is bad of the broken streams named, and what is surely misread null."""
        broken = [n for n, x in said.items() if self._detectors[n].broken and x > self._detectors[n].tolerated]
        if not judgement.status.is_served or not broken:
            return judgement
        told = {*named(judgement.problems)}
        problems, misread = [], set()
        for one in broken:
            name, _, symptom = one.rpartition(": ")
            if symptom in _MISREAD:
                misread.add(name)
            if name not in told and symptom in _SAID:
                problems.append(Problem(symptom, f"{_SAID[Symptom(symptom)]}, {self._detectors[one].told}", name))
                told.add(name)
        return replace(
            judgement,
            status=PageStatus.PARTIAL,
            records=tuple({k: None if k in misread else v for k, v in row.items()} for row in judgement.records),
            problems=(*judgement.problems, *problems),
            causes=tuple(sorted({*judgement.causes, *broken})),
        )


class _Recent:
    """The last records of a crawl, beside which a record is the same or another. The first ones are beside nobody."""

    def __init__(self) -> None:
        self._records: deque[Mapping[str, str]] = deque()
        self._values: dict[str, Counter[str]] = {}

    def symptoms(self, records: Sequence[Record]) -> Iterator[tuple[str, float]]:
        """The share of records that are the same as one before, and of the values of each field."""
        told: Counter[str] = Counter()
        same: Counter[str] = Counter()
        for record in records:
            said = {stream(name, Symptom.REPEATED): repr(value) for name, value in record.items() if value is not None}
            said[stream(PAGE, Symptom.IDENTICAL)] = repr(said)
            if len(self._records) == _LOOK_BACK:
                told.update(said.keys())
                same.update(name for name, value in said.items() if self._values.get(name, Counter())[value])
            self._add(said)
        return ((name, same[name] / count) for name, count in told.items())

    def _add(self, said: Mapping[str, str]) -> None:
        self._records.append(said)
        for name, value in said.items():
            self._values.setdefault(name, Counter())[value] += 1
        if len(self._records) > _LOOK_BACK:
            for name, value in self._records.popleft().items():
                self._values[name] -= Counter((value,))


def _doubted(judgement: Judgement, moved: Mapping[str, str]) -> Judgement:
    """The verdict with the moved fields named and served: it is no proof against the extractor."""
    if not judgement.status.is_served:
        return judgement
    there = {name for row in judgement.records for name, value in row.items() if value is not None}
    doubted = there & moved.keys() - named(judgement.problems)
    if not doubted:
        return judgement
    problems = (Problem(DOUBT, text, name) for name, text in moved.items() if name in doubted)
    return replace(judgement, status=PageStatus.PARTIAL, problems=(*judgement.problems, *problems))
