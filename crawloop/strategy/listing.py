"""Listing induction: from pages with several true records each to a plan with rows.

sheets    pages with their records, and where each value stands
roots     which elements are the rows, and the selectors that find them
fields    how each field is read from a row
keep      which readings tell rows with a record from heads and advertisements
"""

from __future__ import annotations

from collections.abc import Sequence

from crawloop.contract import Brief
from crawloop.errors import PageRefused, StrategyDeclined
from crawloop.extract.plan import Plan
from crawloop.model.candidate import Candidate
from crawloop.model.kind import Schema
from crawloop.strategy.listing_json import json_roots
from crawloop.strategy.listing_plan import Listed, listed
from crawloop.strategy.listing_roots import roots
from crawloop.strategy.listing_sheet import Sheet

_TRIED = 5
_LISTS = 2
_OFFERED = 3


class ListingInduction:
    """Finds the rows of a listing and how each field is read from them, without a model."""

    name = "listing"
    needs_model = False

    async def propose(self, brief: Brief) -> Sequence[Candidate]:
        """A few candidates, the best first. Raises StrategyDeclined where no page has several records or no rows do."""
        sheets = _sheets(brief)
        if max((len(one.records) for one in sheets), default=0) < 2:
            raise StrategyDeclined("no sample is a page of several records")
        plans = _plans(sheets, brief.schema)
        if not plans:
            raise StrategyDeclined("no kind of element holds the records one by one")
        return tuple(_candidate(one, brief.family, self.name) for one in plans[:_OFFERED])


def _sheets(brief: Brief) -> list[Sheet]:
    found = []
    for sample in brief.samples:
        if sample.truth is not None:
            try:
                found.append(Sheet(sample, brief.schema))
            except PageRefused:
                continue
    return found


def _plans(sheets: Sequence[Sheet], schema: Schema) -> list[Listed]:
    """The plans for the likeliest rows, the best first."""
    likely = [*roots(sheets)[:_TRIED], *json_roots(sheets)[:_LISTS]]
    found = [plan for root in likely if (plan := listed(root, schema)) is not None]
    return sorted(found, key=lambda one: -one.worth)


def _candidate(one: Listed, family: str, origin: str) -> Candidate:
    plan: Plan = one.plan
    return Candidate(
        source=plan.source(family, origin),
        origin=origin,
        fields=frozenset(plan.fields),
        plan=plan.dumps(),
        notes=one.notes,
    )
