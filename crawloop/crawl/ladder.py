"""The ladder of versions on a page: the active one first, then the others; which serves is a matter of evidence.

An exception in an extractor is evidence against it like any other: every version is tried before a page counts as
drifted. After a rollback newer versions are among the others: what they were right on is still there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from zlib import crc32

from crawloop.contract import Known
from crawloop.crawl.kit import CrawlKit
from crawloop.crawl.report import PageStatus
from crawloop.crawl.verdict.expect import Expectation
from crawloop.crawl.verdict.judge import Judgement, judge
from crawloop.crawl.verdict.reading import Markup, Reading
from crawloop.errors import PageRefused, UserError
from crawloop.model.candidate import Run
from crawloop.model.family import Family, Version
from crawloop.model.kind import Schema
from crawloop.model.page import Page, Record
from crawloop.shape import marks
from crawloop.values import equal

_OTHERS = 40  # pages of history that a version is measured by, beside its golden ones
_SAMPLED = 3  # of so many pages one is compared with its markup
_PATIENCE = 3  # times that the rest of a batch is tried again after a page that hit the deadline


@dataclass(frozen=True, slots=True)
class Served:
    """A page, the version that serves it, and the verdict."""

    page: Page
    expected: Expectation
    judgement: Judgement


class Ladder:
    """The versions of a family that may serve. Raises UserError where the family has none.

    One that `is_wary` compares each page with its markup; else one page in three, and those that give cause.
    """

    is_wary = False

    def __init__(self, family: Family, schema: Schema, kit: CrawlKit) -> None:
        versions = {one.number: one for one in kit.store.versions(family.name)}
        if family.active is None or family.active not in versions:
            remedy = f"run `crawloop regen {family.name}`, with --examples FILE where you know right values"
            raise UserError(f"{family.name} has no version that could serve: {remedy}")
        self._kit = kit
        self._schema = schema
        self._others = [versions[n] for n in nearest(versions, family.active)]
        known = kit.store.known_pages(family.name, kit.store.known_urls(family.name)[:_OTHERS])
        self.active = self._expected(versions[family.active], list(known.values()))
        self._expectations: dict[int, Expectation] = {}
        self._agreed: dict[int, dict[str, bool]] = {}

    def _expected(self, version: Version, others: Sequence[Known] = ()) -> Expectation:
        return Expectation(version, self._schema, self._kit.store.goldens(version.family, version.epoch), others)

    def _other_ones(self) -> Iterator[Expectation]:
        """The other versions, nearest first; their golden pages are read when it comes to them."""
        for version in self._others:
            if version.number not in self._expectations:
                self._expectations[version.number] = self._expected(version)
            yield self._expectations[version.number]

    async def run(self, pages: Sequence[Page]) -> list[Run]:
        """What the active version reads on each page."""
        return await self._run(self.active.version.source, pages)

    async def serve(self, pages: Sequence[Page], runs: Sequence[Run]) -> list[Served]:
        """Each page by the version that fits it best; where none fits, by the active one, with what is wrong.

        `runs` are those of the active version.
        """
        known = self._kit.store.known_pages(self.active.version.family, [page.url for page in pages])
        best = await self._by(self.active, pages, runs, known)
        left = [n for n, one in enumerate(best) if one.judgement.status is not PageStatus.OK]
        for other in self._other_ones() if left else ():
            some = [pages[n] for n in left]
            theirs = await self._by(other, some, await self._run(other.version.source, some), known)
            for n, one in zip(left, theirs, strict=True):
                if _is_better(one.judgement, best[n].judgement):
                    verdict = replace(one.judgement, status=PageStatus.VARIANT)
                    best[n] = Served(one.page, other, verdict)
            left = [n for n in left if best[n].judgement.status is not PageStatus.VARIANT]
            if not left:
                break
        return best

    async def _by(
        self, expected: Expectation, pages: Sequence[Page], runs: Sequence[Run], known: Mapping[str, Known]
    ) -> list[Served]:
        return [
            await self._judged(expected, page, run, known.get(page.url)) for page, run in zip(pages, runs, strict=True)
        ]

    async def _run(self, source: str, pages: Sequence[Page]) -> list[Run]:
        """After a page that hit the deadline the sandbox leaves out the rest; those are tried again without it."""
        runs: list[Run] = []
        for attempt in range(_PATIENCE + 1):
            rest = pages[len(runs) :]
            if not rest:
                break
            got = await asyncio.to_thread(self._kit.sandbox.run, source, rest, deadline=self._kit.deadline)
            late = next((n for n, run in enumerate(got) if run.failure and run.failure.kind == "deadline"), None)
            runs.extend(got if late is None or attempt == _PATIENCE else got[: late + 1])
        return runs

    async def _judged(self, expected: Expectation, page: Page, run: Run, known: Known | None) -> Served:
        await asyncio.sleep(0)  # fetching goes on meanwhile
        reading = Reading(page, run, expected, marks(page.html), _said_before(expected, page, known))
        judgement = judge(reading)
        is_suspect = judgement.status is not PageStatus.OK or reading.recall.changed or not reading.is_same_layout
        is_sample = await self._is_sample(expected, page)
        if run.records and (is_suspect or is_sample):
            markup = replace(await self.markup(expected, page), is_sample=is_sample)
            if markup.records:
                judgement = judge(replace(reading, markup=markup))
        return Served(page, expected, judgement)

    def known(self, expected: Expectation, page: Page) -> tuple[Record, ...]:
        """What history says of a page that `expected` serves."""
        return _said_before(expected, page, self._kit.store.known(expected.version.family, page.url))

    async def _is_sample(self, expected: Expectation, page: Page) -> bool:
        """Whether markup is asked whatever the page looks like; others each night, for asking takes its time."""
        if expected is not self.active or not _trusted(await self._agreement(expected)) - expected.structured:
            return False
        return self.is_wary or crc32(f"{page.url} {page.fetched_at}".encode()) % _SAMPLED == 0

    async def markup(self, expected: Expectation, page: Page) -> Markup:
        """What the page's markup says, and how far that agreed with the version on its golden pages."""
        said = await self._testimony(expected, page)
        if not said:
            return Markup()
        agreed = await self._agreement(expected)
        return Markup(said, _trusted(agreed), frozenset(agreed) - _trusted(agreed))

    async def _agreement(self, expected: Expectation) -> Mapping[str, bool]:
        number = expected.version.number
        if number not in self._agreed:
            self._agreed[number] = await self._proven(expected)
        return self._agreed[number]

    async def _testimony(self, expected: Expectation, page: Page) -> tuple[Record, ...]:
        witness = self._kit.markup
        if witness is None:
            return ()
        try:
            said = await witness.testify(page, expected.version.family, expected.schema, None)
        except PageRefused:  # a page that is not safe to be parsed here; its extractor's verdict stands alone
            return ()
        return said.records if said else ()

    async def _proven(self, expected: Expectation) -> dict[str, bool]:
        """{field: whether markup and version agreed on every golden page on which both had a value}."""
        agreed: dict[str, bool] = {}
        for golden in expected.goldens[:5]:
            said = await self._testimony(expected, Page(golden.url, golden.html))
            if len(said) != len(golden.records):
                continue
            for own, other in zip(golden.records, said, strict=True):
                for one in expected.schema.fields:
                    a, b = own.get(one.name), other.get(one.name)
                    if a is not None and b is not None:
                        agreed[one.name] = agreed.get(one.name, True) and equal(a, b, one, base=golden.url)
        return agreed


def _said_before(expected: Expectation, page: Page, known: Known | None) -> tuple[Record, ...]:
    """History of the URL, but for what the version did not reach on that very page when it was promoted."""
    golden = expected.golden_records(page.url)
    if known is None:
        return golden or ()
    if golden is None or len(golden) != len(known.records):
        return known.records
    return tuple(
        {name: value for name, value in record.items() if own.get(name) is not None}
        for record, own in zip(known.records, golden, strict=True)
    )


def _trusted(agreed: Mapping[str, bool]) -> frozenset[str]:
    return frozenset(name for name, is_right in agreed.items() if is_right)


def nearest(numbers: Iterable[int], active: int) -> list[int]:
    """The versions beside the active one, nearest first; of two as near the older first."""
    return sorted((n for n in numbers if n != active), key=lambda n: (abs(n - active), n))


def _is_better(other: Judgement, best: Judgement) -> bool:
    """A better verdict, and not bought with fewer values."""
    (rank, values), (best_rank, best_values) = other.worth, best.worth
    return rank > best_rank and values >= best_values
