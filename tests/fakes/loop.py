"""Fakes for the steps of the loop: programs that are plain functions, parts that say what they are told.

For unit tests of steps only. A program's source is a key into `Programs`; flow tests run real programs in the jail.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from crawloop.contract import Brief, Case
from crawloop.errors import OracleRefused, StrategyDeclined
from crawloop.loop.kit import Attempt, Kit
from crawloop.loop.states import Task
from crawloop.model.candidate import Candidate, Failure, Run, Trial
from crawloop.model.events import Event, VersionPromoted
from crawloop.model.family import Family
from crawloop.model.kind import Field, Schema
from crawloop.model.outcome import Promotion
from crawloop.model.page import Page, Record
from crawloop.model.policy import Policy
from crawloop.model.truth import Claim, Testimony, Truth
from crawloop.model.verdict import Finding, Tally, Verdict
from crawloop.registry import MemoryStore
from crawloop.triage import PageKind

NOW = "2026-01-01T00:00:00Z"
SHOP = "shop.example/product"
SCHEMA = Schema("Product@1", (Field("title", required=True), Field("price"), Field("badge")))


class Programs:
    """A Sandbox over plain functions: `source` names one; what it raises is a failure of its run."""

    def __init__(self, programs: Mapping[str, Callable[[Page], list[Record]]]) -> None:
        self.programs = dict(programs)
        self.ran: list[tuple[str, str]] = []

    def admit(self, source: str) -> None:
        """Everything that is known is admitted."""

    def run(self, source: str, pages: Sequence[Page], *, deadline: float = 5.0) -> tuple[Run, ...]:
        return tuple(self._one(source, page) for page in pages)

    def _one(self, source: str, page: Page) -> Run:
        self.ran.append((source, page.url))
        try:
            return Run(page.url, tuple(self.programs[source](page)))
        except (ValueError, KeyError) as why:
            return Run(page.url, None, Failure("exception", f"{type(why).__name__}: {why}", 3))

    def close(self) -> None:
        """Nothing is open."""


@dataclass
class Says:
    """A witness that says `values` by URL. An exception among them is raised."""

    values: Mapping[str, Any]
    name: str = "examples"
    needs_model: bool = False
    asked: list[tuple[str, str | None]] = field(default_factory=list)

    async def testify(
        self, page: Page, family: str, schema: Schema, model: str | None, beside: Sequence[Page] = ()
    ) -> Testimony | None:
        self.asked.append((page.url, model))
        said = self.values.get(page.url)
        if isinstance(said, Exception):
            raise said
        return None if said is None else Testimony(self.name, (said,))


@dataclass
class Proposes:
    """A strategy that proposes what `offer` gives for a brief. An exception is raised."""

    offer: Callable[[Brief], Sequence[Candidate]] | Exception
    name: str = "value-path"
    needs_model: bool = False
    briefs: list[Brief] = field(default_factory=list)

    async def propose(self, brief: Brief) -> Sequence[Candidate]:
        self.briefs.append(brief)
        if isinstance(self.offer, Exception):
            raise self.offer
        candidates = self.offer(brief)
        if not candidates:
            raise StrategyDeclined("nothing fits")
        return candidates


def candidate(source: str, *fields: str, **more: Any) -> Candidate:
    return Candidate(source, more.pop("origin", "value-path"), frozenset(fields or ("title", "price")), **more)


def reconcile(page: Page, testimonies: Sequence[Testimony], schema: Schema) -> Truth:
    """The first who says something is right; a value of "?" is refused."""
    record: dict[str, Claim] = {}
    for one in testimonies:
        for name, value in one.records[0].items():
            if value == "?":
                raise OracleRefused(f"nobody agrees on {name}")
            record.setdefault(name, Claim(value, (one.witness,)))
    return Truth(page.url, (record,))


def judge(trial: Trial, case: Case) -> Verdict:
    """Equality field by field on seen and unseen pages and on golden ones; half of the fields must come out right."""
    tally: dict[str, Tally] = {}
    findings: list[Finding] = []
    for sample, run in zip(case.seen + case.unseen, trial.seen + trial.unseen, strict=True):
        if run.failure:
            findings.append(Finding("runs", run.failure.message, url=run.url, line=run.failure.line))
        elif sample.truth:
            _compare(sample.truth, run, trial.candidate, tally, findings)
    for golden, run in zip(case.goldens, trial.golden, strict=True):
        if run.records != golden.records:
            findings.append(Finding("golden", "is not reproduced", url=golden.url))
    supported = {name for sample in case.seen if sample.truth for name in sample.truth.fields}
    right = {name for name, one in tally.items() if one.right}
    if 2 * len(right) < len(supported):
        findings.append(Finding("agreement", f"reaches {len(right)} of {len(supported)} fields"))
    return Verdict(trial.candidate, tuple(findings), tally)


def _compare(truth: Truth, run: Run, program: Candidate, tally: dict[str, Tally], findings: list[Finding]) -> None:
    record = (run.records or ({},))[0]
    for name, expected in truth.values()[0].items():
        if name not in program.fields:
            continue
        before, got = tally.get(name, Tally()), record.get(name)
        right, gap = got == expected, got is None
        wrong = not right and not gap
        tally[name] = Tally(before.right + right, before.wrong + wrong, before.gap + gap)
        if wrong:
            findings.append(
                Finding("agreement", "is not the value", url=run.url, record=0, field=name, expected=expected, got=got)
            )


def kit(site: Any, programs: Programs | None = None, **parts: Any) -> Kit:
    """A kit of fakes over a store in memory; `parts` replace its own."""
    told: list[Event] = []
    usual: dict[str, Any] = {
        "fetcher": site,
        "store": MemoryStore(),
        "sandbox": programs or Programs({}),
        "schema": lambda ref: SCHEMA,
        "witnesses": (),
        "strategies": (),
        "reconcile": reconcile,
        "judge": judge,
        "triage": lambda page: (PageKind.REAL, ""),
        "siblings": lambda url, html, limit: [],
        "clock": lambda: NOW,
        "observer": told.append,
    }
    return Kit(**(usual | parts))


def attempt(parts: Kit, *urls: str, policy: Policy | None = None, **task: Any) -> Attempt:
    """An attempt at the shop's family with these URLs."""
    wanted = Task(SHOP, "Product@1", urls, **task)
    family = parts.store.family(SHOP) or Family(SHOP, "Product@1")
    return Attempt(parts, policy or Policy(min_oracles=1), wanted, family, SCHEMA, "run-1")


def serve(parts: Kit, winner: Candidate) -> None:
    """Makes `winner` the first version of the shop's family."""
    event = VersionPromoted(SHOP, NOW, "run-0", 0, winner.origin)
    family = Family(SHOP, "Product@1")
    parts.store.settle(family, Promotion(winner, Verdict(winner), ()), event, (), NOW)


def told(parts: Kit, *kinds: str) -> list[Event]:
    """The audited events of these kinds."""
    return [one.event for one in parts.store.entries(kinds=kinds)]
