"""The strategy: several plans for the rows of a listing, the best first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from crawloop.contract import Brief
from crawloop.errors import PageRefused, StrategyDeclined
from crawloop.model.candidate import Candidate
from crawloop.model.kind import Schema
from crawloop.strategy.listing.plan import Listed, listed
from crawloop.strategy.listing.rows.alignment import Root
from crawloop.strategy.listing.rows.json_lists import json_roots
from crawloop.strategy.listing.rows.roots import roots
from crawloop.strategy.listing.sheet import Sheet
from crawloop.strategy.listing.single import certain, root_of_one
from crawloop.strategy.plans.emit import from_plan
from crawloop.strategy.plans.healing import reads_pages

_TRIED = 5
_ALIKE = 3
_LEAST_TRIED = 2
_ROWS_READ = 2000  # of long listings fewer sets of rows are tried: many records say which is right
_LISTS = 2
_OFFERED = 3


class ListingInduction:
    """Finds the rows of a listing and how each field is read from them, without a model."""

    name = "listing"
    needs_model = False

    async def propose(self, brief: Brief) -> Sequence[Candidate]:
        """A few candidates, the best first. Raises StrategyDeclined where no page has several records or no rows do."""
        sheets = _sheets(brief)
        plans = _plans(sheets, brief.schema) if _have_several(sheets) else _plans_of_one(sheets, brief)
        if not plans:
            raise StrategyDeclined("no kind of element holds the records one by one")
        offered = [(one.plan, one.notes) for one in plans[:_OFFERED]]
        best = plans[0]
        if best.wary:
            offered.append((replace(best.plan, fields={**best.plan.fields, **best.wary}), best.notes))
        return tuple(from_plan(plan, brief.family, self.name, notes) for plan, notes in offered)


def _have_several(sheets: Sequence[Sheet]) -> bool:
    return any(len(one.records) > 1 for one in sheets)


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
    records = sum(len(one.records) for one in sheets)
    tried = max(_LEAST_TRIED, min(_TRIED, _ROWS_READ // max(records, 1)))
    likely = [*likeliest(roots(sheets), tried), *json_roots(sheets)[:_LISTS]]
    plans = [plan for root in likely if (plan := listed(root, schema)) is not None]
    return sorted(plans, key=lambda one: -one.worth)


def _plans_of_one(sheets: Sequence[Sheet], brief: Brief) -> list[Listed]:
    """The plan for pages of one record each. Raises StrategyDeclined where that is rather what each page is about."""
    root = None if reads_pages(brief.active) else root_of_one(sheets)
    if root is None:
        raise StrategyDeclined("no sample is a page of several records")
    plan = listed(root, brief.schema)
    return [certain(plan, brief.schema)] if plan is not None else []


def likeliest(found: Sequence[Root], most: int) -> list[Root]:
    """The likeliest rows, so many at most, not all of them about the same elements: others may hold what those lack.

    And those that are records one by one as nearly as any: others may hold more for they are groups of them.
    """
    chosen: list[Root] = []
    for one in found:
        if sum(one.overlaps(other) for other in chosen) < _ALIKE:
            chosen.append(one)
        if len(chosen) == most:
            break
    clean = [one for one in found if 2 * one.cover > found[0].cover]
    best = min(clean, key=lambda one: (one.missing + one.extras, -one.cover), default=None)
    return chosen if best is None or best in chosen else [*chosen, best]
