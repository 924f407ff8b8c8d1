"""Which fields of a plan hold on the pages whose truth is known: right somewhere, wrong nowhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from crawloop.extract.bounds.guard import check
from crawloop.extract.plan import Plan
from crawloop.extract.view import PageView
from crawloop.model.kind import Schema
from crawloop.model.page import Record
from crawloop.model.truth import Sample, Truth
from crawloop.values import equal, is_blank, paired


@dataclass(slots=True)
class Proof:
    """Counts by field over all samples. `miscounted` names pages with another number of records than there are."""

    right: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    miscounted: list[str] = field(default_factory=list)

    @property
    def holding(self) -> frozenset[str]:
        """The fields that are right somewhere and wrong nowhere."""
        return frozenset(self.right) - frozenset(self.wrong)


def prove(plan: Plan, samples: Sequence[Sample], schema: Schema) -> Proof:
    """The plan read on each sample and compared with its truth. Raises PageRefused."""
    proof = Proof()
    for sample in samples:
        if sample.truth is None:
            continue
        check(sample.page.html)
        records = plan.read(PageView(sample.page.html, sample.page.base))
        if sample.truth.complete and len(records) != len(sample.truth.records):
            proof.miscounted.append(sample.page.url)
        _compare(sample.truth, records, schema, proof, sample.page.base)
    return proof


def _compare(truth: Truth, records: list[Record], schema: Schema, proof: Proof, base: str) -> None:
    places = paired(truth.values(), records, schema.fields, all_known=truth.complete, base=base)
    for number, (known, place) in enumerate(zip(truth.values(), places, strict=True)):
        got = records[place] if place is not None else {}
        for name in schema.names:
            value = got.get(name)
            if is_blank(value):
                continue
            if name in known:
                same = equal(known[name], value, schema[name], base=base)
                (proof.right if same else proof.wrong)[name] += 1
            elif (number, name) in truth.absent:
                proof.wrong[name] += 1
