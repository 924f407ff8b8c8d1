"""Listing pages written for tests, with what is true of them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from crawloop.carriers import support
from crawloop.contract import Brief
from crawloop.extract.plan import Plan
from crawloop.extract.view import PageView
from crawloop.loop.contest.composition import without_fields
from crawloop.model.candidate import Candidate
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page
from crawloop.model.truth import Claim, Sample, Truth
from crawloop.strategy.listing import ListingInduction

URL = "https://site.example/list/1"
SCHEMA = Schema(
    "Entry@1",
    (
        Field("title"),
        Field("code"),
        Field("date", Kind.DATE),
        Field("price", Kind.MONEY),
        Field("link", Kind.URL),
        Field("note"),
        Field("tags", many=True),
    ),
)


def sample(html: str, records: Sequence[dict[str, Any]], url: str = URL) -> Sample:
    view = PageView(html, url)
    claims = []
    for record in records:
        found = {name: support(view, value, SCHEMA[name]) for name, value in record.items() if value is not None}
        claims.append({name: Claim(record[name], ("examples",), seen, bool(seen)) for name, seen in found.items()})
    return Sample(Page(url, html), Truth(url, tuple(claims)))


def proposed(*samples: Sample, untaught: Sequence[str] = ()) -> Candidate:
    """The first program, without fields that no sample knows but for those that are asked for."""
    found = asyncio.run(ListingInduction().propose(Brief("site", SCHEMA, samples)))[0]
    known = {name for one in samples if one.truth for record in one.truth.records for name in record}
    unknown = found.fields - known - set(untaught)
    return without_fields(found, unknown, "site", "not asked for") or found


def read(candidate: Candidate, html: str, url: str = URL) -> list[dict[str, Any]]:
    """What the program returns; the plan and its printed source agree."""
    from crawloop.extract import transforms

    space: dict[str, Any] = {name: getattr(transforms, name) for name in transforms.__all__}
    exec(candidate.source, space)
    view = PageView(html, url)
    records = Plan.loads(candidate.plan or "").read(view)
    assert space["extract"](view) == records
    return records
