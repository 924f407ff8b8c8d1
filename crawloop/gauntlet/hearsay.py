"""A field that a model alone speaks of is read where the page itself calls it so, or not at all.

A model that reads the same wrong line of every page, or mixes up two fields, agrees with itself; the program that
follows it agrees with it too, on unseen pages as well. Only the page's own names can tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from crawloop.carriers.called import fits, is_called, names_of
from crawloop.contract import Case
from crawloop.extract.plan import Plan
from crawloop.extract.view import PageView
from crawloop.gauntlet.comparison import claimed
from crawloop.gauntlet.wording import few, shown
from crawloop.model.candidate import Candidate, Trial
from crawloop.model.kind import Field
from crawloop.model.truth import Claim
from crawloop.model.verdict import Finding
from crawloop.values import equal, is_blank

FREE = frozenset(("examples", "history", "markup", "likeness"))


class Hearsay:
    """Fatal to the field: it is left out, and another candidate may read it better."""

    name = "hearsay"

    def judge(self, trial: Trial, case: Case) -> Iterator[Finding]:
        for field in claimed(trial, case):
            said = [one for one in _claims(field, case) if one.supported]
            if not said or not all(FREE.isdisjoint(one.witnesses) for one in said):
                continue
            if doubt := _doubt(field, [one.value for one in said]):
                yield Finding(self.name, f"{field.name} rests on a model's word alone, {doubt}", True, field=field.name)
            elif trial.candidate.plan is not None:
                yield from self._reader(field, trial.candidate, case)
            else:
                yield from few(self._values(field, trial, case))

    def _reader(self, field: Field, candidate: Candidate, case: Case) -> Iterator[Finding]:
        plan = Plan.loads(candidate.plan or "").fields.get(field.name)
        if plan is not None and not all(fits(names_of(one), field, case.schema) for one in plan.readers):
            message = f"{field.name} rests on a model's word alone, and is read where nothing is named after it"
            yield Finding(self.name, message, True, field=field.name)

    def _values(self, field: Field, trial: Trial, case: Case) -> Iterator[Finding]:
        pages = zip(case.seen + case.unseen, trial.seen + trial.unseen, strict=True)
        for sample, run in pages:
            view = PageView(sample.page.html, sample.page.base)
            for number, row in enumerate(run.records or ()):
                value = row.get(field.name)
                if not is_blank(value) and not is_called(view, value, field, case.schema):
                    message = f"{field.name} {shown(value)} rests on a model's word alone, and nothing names it so"
                    yield Finding(self.name, message, True, run.url, number, field.name, None, value)


def _doubt(field: Field, values: Sequence[Any]) -> str:
    """What cannot be told from values that only a model knows: "" where nothing is amiss."""
    if len(values) < 2:
        return "which knows it from one place only"
    if all(equal(values[0], one, field) for one in values):
        return "which is the same everywhere: so is what has nothing to do with the page"
    if field.many and all(isinstance(one, list) and len(one) == 1 for one in values):
        return "which never shows how several are told apart"
    return ""


def _claims(field: Field, case: Case) -> Iterator[Claim]:
    for sample in case.seen + case.unseen:
        for record in sample.truth.records if sample.truth else ():
            if field.name in record:
                yield record[field.name]
