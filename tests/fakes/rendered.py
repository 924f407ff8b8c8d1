"""Learning from rendered pages and judging on others of the same template: the real induction and the real gauntlet."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from crawloop.carriers import support
from crawloop.contract import Brief, Case, Strategy
from crawloop.errors import StrategyDeclined
from crawloop.extract.plan import Plan
from crawloop.extract.view import PageView
from crawloop.gauntlet import judge
from crawloop.loop.contest.composition import cleaned
from crawloop.model.candidate import Candidate, Run, Trial
from crawloop.model.kind import Schema
from crawloop.model.page import Page, Record
from crawloop.model.policy import Policy
from crawloop.model.truth import Claim, Sample, Truth
from crawloop.model.verdict import Verdict
from crawloop.values import equal, is_blank, paired


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page and what was rendered on it."""

    page: Page
    records: tuple[Record, ...]

    def sample(self, schema: Schema) -> Sample:
        """The page with its truth, as an example gives it: what a record lacks is said to be absent."""
        view = PageView(self.page.html, self.page.url)
        claims = [
            {name: _claim(view, value, schema, name) for name, value in one.items() if value is not None}
            for one in self.records
        ]
        absent = {(n, name) for n, one in enumerate(self.records) for name, value in one.items() if value is None}
        return Sample(self.page, Truth(self.page.url, tuple(claims), frozenset(absent)))


def _claim(view: PageView, value: object, schema: Schema, name: str) -> Claim:
    found = support(view, value, schema[name])
    assert found, f"{name} {value!r} is on the page, and no carrier of it is found"
    return Claim(value, ("examples",), found)


def learned(strategy: Strategy, schema: Schema, pages: Sequence[Rendered]) -> Candidate | None:
    """The first candidate that clears the gauntlet, without the fields that are wrong on a sample; None without one."""
    samples = tuple(one.sample(schema) for one in pages)
    case = Case(schema, Policy(min_oracles=1), samples)
    try:
        proposed = asyncio.run(strategy.propose(Brief("drawn", schema, samples)))
    except StrategyDeclined:
        return None
    for candidate in proposed:
        verdict = judged(candidate, case)
        better = cleaned(verdict, "drawn")
        verdict = judged(better, case) if better is not None else verdict
        if verdict.passed and not any(tally.wrong for tally in verdict.fields.values()):
            return verdict.candidate
    return None


def judged(candidate: Candidate, case: Case) -> Verdict:
    """The gauntlet's verdict; the program is a plan's, and its plan is run in place of it."""
    runs = [Run(one.page.url, tuple(extracted(candidate, one.page))) for one in case.seen]
    return judge(Trial(candidate, tuple(runs)), case)


def extracted(candidate: Candidate, page: Page) -> list[Record]:
    return Plan.loads(candidate.plan or "").read(PageView(page.html, page.url))


def faults(candidate: Candidate, schema: Schema, page: Rendered) -> Iterator[str]:
    """What is wrong on a page that nobody has shown: other values, values where there are none, rows too many."""
    got = extracted(candidate, page.page)
    places = paired(page.records, got, schema.fields, all_known=True)
    if len(got) > len(page.records):
        yield f"{len(got)} records, there are {len(page.records)}"
    for known, place in zip(page.records, places, strict=True):
        for one in schema.fields:
            value = got[place].get(one.name) if place is not None else None
            if not is_blank(value) and not equal(value, known[one.name], one, base=page.page.url):
                yield f"{one.name}: {value!r}, it is {known[one.name]!r}"


def missing(candidate: Candidate, page: Rendered) -> set[str]:
    """Fields that the page has and the program does not find on it, in some record."""
    got = extracted(candidate, page.page)
    names = {name for one in page.records for name, value in one.items() if value is not None}
    if len(got) != len(page.records):
        return names
    pairs = list(zip(page.records, got, strict=True))
    return {n for n in names if any(known[n] is not None and is_blank(found.get(n)) for known, found in pairs)}
