"""What pages say together, over all crawls of a version: which streams are broken, thus whether a drift is sure.

One odd page is no drift of its family, and a field that a tenth of the pages lose is one. Detectors decide, one for
each stream (`values.detector`), so that all of them give one false alarm in HEALTHY_RUN pages at most.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from crawloop.crawl.recurring import Recurring
from crawloop.crawl.report import PageStatus
from crawloop.crawl.verdict.expect import Expectation
from crawloop.crawl.verdict.judge import Judgement
from crawloop.crawl.verdict.moved import Moves
from crawloop.crawl.verdict.problem import DOUBT, PAGE, Problem, named
from crawloop.crawl.verdict.symptoms import KNOWN, OF_FIELDS, Symptom, learnt, stream
from crawloop.values import detector
from crawloop.values.detector import Detector, Tally

HEALTHY_RUN = 40_000  # pages between two false alarms, on average, or more
# The share of all false alarms that may come of a symptom; of one of fields, in all fields together. Extractors break
# most by pages that do not fit and by values that are lost.
_SHARE = {
    Symptom.DRIFT: 0.12,
    Symptom.EMPTY: 0.02,
    Symptom.COUNT: 0.02,
    Symptom.IDENTICAL: 0.02,
    Symptom.MISSING: 0.34,
    Symptom.REPEATED: 0.08,
    Symptom.SPREAD: 0.12,
    Symptom.MARKUP: 0.12,
    Symptom.FAULT: 0.06,
    Symptom.CHANGED: 0.05,
    Symptom.STRAY: 0.05,
}
_WARY = 60  # pages that agree with their markup, after which it is asked now and then only
# Pages come in some order: names grow longer, and brands stand together. What is not rare by nature proves nothing.
_CEILING = {Symptom.STRAY: 0.25, Symptom.REPEATED: 0.25, Symptom.SPREAD: 0.25, Symptom.IDENTICAL: 0.25}
_SAID = {
    Symptom.EMPTY: "it says that there is nothing",
    Symptom.COUNT: "an unusual number of records",
    Symptom.IDENTICAL: "records that are the same as others before",
    Symptom.MISSING: "is missing",
    Symptom.CHANGED: "may be another value: it is not what was known",
    Symptom.STRAY: "may be another value: it is unlike all that was seen",
    Symptom.REPEATED: "is the same as in other records",
    Symptom.SPREAD: "is the same as in other records",
    Symptom.MARKUP: "is not what the page's markup says",
}
_STREAMS = tuple(f": {symptom}" for symptom in _SHARE)
# Kept with the numbers. Before, pages known and new were one sort, and a value came back beside sixteen records.
_FORM, _THIS_FORM = "form", [2.0]
_OTHERWISE = tuple(f": {symptom}" for symptom in (Symptom.MISSING, Symptom.REPEATED, Symptom.IDENTICAL))
_MISREAD = frozenset({Symptom.REPEATED, Symptom.SPREAD, Symptom.MARKUP})  # a value of which this is sure is not served


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
        self._recurring = Recurring(kept or {})
        self._fields = len(expected.fields)
        self._learnt: dict[str, list[float]] = {}
        for golden in expected.goldens:
            for name, x in learnt(expected, golden.records):
                self._learnt.setdefault(name, []).append(x)
        self._detectors = _restored(kept or {})
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
        known = {name: one.numbers() for name, one in self._detectors.items()} | self._recurring.numbers()
        return {_FORM: [*_THIS_FORM], **known} if known else {}

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
            said |= self._recurring.symptoms(judgement.url, judgement.records, judgement.beside)
        for name, x in said.items():
            found, symptom, sort = self._detector(name)
            if found.see(x, self._bar(symptom), _CEILING.get(symptom, 1.0), sort):
                news.append(_stream(name)[0])
        return said, tuple(news)

    def _detector(self, name: str) -> tuple[Detector, Symptom, int]:
        """The detector of a stream, what it counts, and of which sort of its pages a word is."""
        own, sort = _stream(name)
        symptom = Symptom(own.rpartition(": ")[2])
        if own not in self._detectors:
            self._detectors[own] = detector.of(KNOWN.get(symptom, Tally()), self._learnt.get(own, ()))
        return self._detectors[own], symptom, sort

    def _bar(self, symptom: Symptom) -> float:
        return HEALTHY_RUN / _SHARE[symptom] * (self._fields if symptom in OF_FIELDS else 1)

    def _stricter(self, judgement: Judgement, said: Mapping[str, float]) -> Judgement:
        """The verdict with what is bad of the broken streams named, and what is surely misread null."""
        if not judgement.status.is_served:
            return judgement
        told = {*named(judgement.problems)}
        problems, misread, broken = [], set(), set()
        for one, x in said.items():
            found, symptom, sort = self._detector(one)
            if not found.broken or x <= found.tolerated(sort):
                continue
            name = one.rpartition(": ")[0]
            broken.add(_stream(one)[0])
            if symptom in _MISREAD:
                misread.add(name)
            if name not in told and symptom in _SAID:
                problems.append(Problem(symptom, f"{_SAID[symptom]}, {found.told(sort)}", name))
                told.add(name)
        if not broken:
            return judgement
        return replace(
            judgement,
            status=PageStatus.PARTIAL,
            records=tuple({k: None if k in misread else v for k, v in row.items()} for row in judgement.records),
            problems=(*judgement.problems, *problems),
            causes=tuple(sorted({*judgement.causes, *broken})),
        )


def _restored(kept: Mapping[str, Sequence[float]]) -> dict[str, Detector]:
    """The detectors of these numbers; what means something else since is begun anew, unless it is broken."""
    found = {name: detector.restored(numbers) for name, numbers in kept.items() if name.endswith(_STREAMS)}
    is_old = kept.get(_FORM) != _THIS_FORM
    return {
        name: one
        for name, one in found.items()
        if one is not None and (one.broken or not (is_old and name.endswith(_OTHERWISE)))
    }


def _stream(name: str) -> tuple[str, int]:
    """The stream that is watched, and the sort of its pages: a value is lost where it was known, else it is missing."""
    field, _, symptom = name.rpartition(": ")
    return (stream(field, Symptom.MISSING), 1) if symptom == Symptom.LOST else (name, 0)


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
