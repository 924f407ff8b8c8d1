"""Cases and trials by hand: pages with their truth, and what a program returned for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from crawloop.contract import Case
from crawloop.model.candidate import Candidate, Failure, Run, Trial
from crawloop.model.family import Golden
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page, Record
from crawloop.model.policy import Policy
from crawloop.model.truth import Claim, Evidence, Sample, Truth

PRODUCT = Schema(
    "Product@1",
    (
        Field("title", required=True),
        Field("price", Kind.MONEY, volatile=True),
        Field("brand"),
        Field("tags", many=True),
        Field("url", Kind.URL),
        Field("released", Kind.DATE),
        Field("stock", Kind.ENUM, choices=("available", "unavailable")),
    ),
)
Rows = Sequence[Record]


def page(number: int, html: str = "") -> Page:
    return Page(f"https://shop.example/p/{number}", html or f"<h1>page {number}</h1>")


def truth(url: str, rows: Rows, *, absent: Sequence[tuple[int, str]] = (), complete: bool = True) -> Truth:
    """Every value of `rows` is supported."""
    where = (Evidence("text", "body > h1", "…"),)
    records = tuple({k: Claim(v, ("examples",), where) for k, v in row.items()} for row in rows)
    return Truth(url, records, frozenset(absent), complete=complete)


def known(number: int, *rows: Record, html: str = "", **of_truth: Any) -> Sample:
    at = page(number, html)
    return Sample(at, truth(at.url, rows, **of_truth))


def unknown(number: int, html: str = "") -> Sample:
    return Sample(page(number, html))


def case(
    seen: Sequence[Sample], unseen: Sequence[Sample] = (), *, schema: Schema = PRODUCT, bar: float = 0.98, **more: Any
) -> Case:
    return Case(schema, Policy(agreement_bar=bar), tuple(seen), tuple(unseen), **more)


def trial(
    on: Case, *returned: Rows | Failure, fields: Sequence[str] = (), goldens: Sequence[Rows | Failure] = ()
) -> Trial:
    """What a program returned on the pages of a case, seen ones first. It claims `fields`, or all that it returned."""
    samples = on.seen + on.unseen
    runs = [_run(sample.page.url, got) for sample, got in zip(samples, returned, strict=True)]
    golden = tuple(_run(one.url, got) for one, got in zip(on.goldens, goldens, strict=True))
    names = {name for got in returned if not isinstance(got, Failure) for row in got for name in row}
    candidate = Candidate("def extract(page): ...", "codegen", frozenset(fields) or frozenset(names))
    cut = len(on.seen)
    return Trial(candidate, tuple(runs[:cut]), tuple(runs[cut:]), golden)


def golden(number: int, *rows: Record, epoch: int = 0, **changes: Any) -> Golden:
    at = page(number)
    url = str(changes.get("url", at.url))
    return Golden("shop.example/product", f"v1-{number}", url, at.html, tuple(rows), epoch, 1)


def history(**by_number: Mapping[str, Any]) -> dict[str, tuple[Record, ...]]:
    """`p1={...}` is what is known of page 1."""
    return {page(int(name[1:])).url: (dict(row),) for name, row in by_number.items()}


def _run(url: str, got: Rows | Failure) -> Run:
    return Run(url, None, got) if isinstance(got, Failure) else Run(url, tuple(got))
