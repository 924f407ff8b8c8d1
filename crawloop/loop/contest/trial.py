"""Running a candidate once on each page, and having it judged."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from crawloop.contract import Case
from crawloop.loop.contest.split import Split
from crawloop.loop.kit import Attempt
from crawloop.loop.states import Round
from crawloop.model.candidate import Candidate, Trial
from crawloop.model.events import CandidateJudged
from crawloop.model.family import Version
from crawloop.model.kind import Schema
from crawloop.model.page import Page, Record
from crawloop.model.truth import Sample
from crawloop.model.verdict import Finding, Verdict

LONGEST_FINDINGS = 20


def case_of(division: Split, state: Round, at: Attempt) -> Case:
    """What candidates of this round are judged on. After a redesign the old layout's golden pages do not block."""
    old = at.active is None or state.redesigned
    return Case(
        at.schema,
        at.policy,
        division.learn,
        division.unseen,
        () if old else tuple(at.kit.store.goldens(at.family.name, at.family.epoch)),
        known(division.learn + division.unseen, at),
        _unread(at.schema, at.active),
    )


def _unread(schema: Schema, active: Version | None) -> frozenset[str]:
    """The fields that the active version does not read; none where it does not tell which it reads."""
    return frozenset(schema.names) - {*active.fields} if active is not None and active.fields else frozenset()


def known(samples: Sequence[Sample], at: Attempt) -> dict[str, tuple[Record, ...]]:
    """The last known good records of the samples' URLs."""
    found = ((sample.page.url, at.kit.store.known(at.family.name, sample.page.url)) for sample in samples)
    return {url: one.records for url, one in found if one is not None}


async def judged(candidate: Candidate, case: Case, at: Attempt) -> Verdict:
    """The candidate's verdict, after one run on each page of the case."""
    pages = [sample.page for sample in case.seen + case.unseen]
    pages += [Page(golden.url, golden.html) for golden in case.goldens]
    deadline = at.policy.deadline
    runs = await asyncio.to_thread(at.kit.sandbox.run, candidate.source, pages, deadline=deadline)
    cut, end = len(case.seen), len(case.seen) + len(case.unseen)
    trial = Trial(candidate, runs[:cut], runs[cut:end], runs[end:])
    return await asyncio.to_thread(at.kit.judge, trial, case)


def tell_verdict(verdict: Verdict, number: int, at: Attempt) -> None:
    """Audits a verdict with its findings, the fatal ones first."""
    ordered = sorted(verdict.findings, key=lambda one: not one.fatal)
    if verdict.candidate.answer:
        says = "passed" if verdict.passed else f"stopped at {verdict.stopped_at}"
        at.kit.store.conclude(verdict.candidate.answer, f"{says}: {line(ordered[0])}" if ordered else says)
    at.tell(
        CandidateJudged,
        origin=verdict.candidate.origin,
        round=number,
        passed=verdict.passed,
        stopped_at=verdict.stopped_at,
        findings=tuple(line(one) for one in ordered[:LONGEST_FINDINGS]),
    )


def line(finding: Finding) -> str:
    """A finding as one line: gate, message, field and place."""
    place = [
        f"{finding.field}" if finding.field else "",
        f"record {finding.record}" if finding.record is not None else "",
    ]
    place += [f"line {finding.line}" if finding.line is not None else "", finding.url or ""]
    where = ", ".join(part for part in place if part)
    return f"{finding.gate}: {finding.message}" + (f" ({where})" if where else "")
