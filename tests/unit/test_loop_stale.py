"""Old values of history are doubted only where they move by nature, alone, and against the majority of pages."""

from dataclasses import replace

import pytest

from crawloop.loop.stale import doubted, stale
from crawloop.model.candidate import Candidate
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page
from crawloop.model.truth import Claim, Sample, Truth
from crawloop.model.verdict import Finding, Tally, Verdict

SCHEMA = Schema("Product@1", (Field("price", Kind.MONEY, volatile=True), Field("title")))
URLS = [f"https://shop.example/{n}" for n in range(4)]


def samples(*by: str) -> tuple[Sample, ...]:
    """Four pages; their values are said by `by`."""
    record = {"price": Claim(10.0, by), "title": Claim("Kettle", by)}
    return tuple(Sample(Page(url, url), Truth(url, (record,))) for url in URLS)


def verdict(field: str, right: int, wrong: int) -> Verdict:
    findings = (Finding("unseen", "10 is right, got 8", True, URLS[3], 0, field, 10.0, 8.0),) if wrong else ()
    return Verdict(Candidate("x", "dom", frozenset({field})), findings, {field: Tally(right, wrong)})


def test_an_old_value_against_the_majority_is_doubted_and_nothing_else() -> None:
    known = samples("history")
    (one,) = stale([(verdict("price", 3, 1),)], known, SCHEMA)
    assert (one.url, one.record, one.field, one.said, one.got) == (URLS[3], 0, "price", 10.0, 8.0)
    after = doubted(known, [one])
    assert after[:3] == known[:3]
    assert after[3].truth is not None
    assert after[3].truth.values() == ({"title": "Kettle"},)


@pytest.mark.parametrize(
    ("groups", "known"),
    [
        ([(verdict("title", 3, 1),)], samples("history")),
        ([(verdict("price", 3, 1),)], samples("history", "markup")),
        ([(verdict("price", 2, 2),)], samples("history")),
        ([(verdict("price", 3, 1),), (verdict("price", 4, 0),)], samples("history")),
        ([(verdict("price", 4, 0),)], samples("history")),
    ],
    ids=["does not move", "others say so too", "no majority", "another reading agrees everywhere", "no contradiction"],
)
def test_what_is_not_doubted(groups: list[tuple[Verdict, ...]], known: tuple[Sample, ...]) -> None:
    assert stale(groups, known, SCHEMA) == ()


def test_the_folds_of_a_program_count_together() -> None:
    folds = (verdict("price", 1, 0), verdict("price", 1, 0), verdict("price", 0, 1))
    assert [one.url for one in stale([folds], samples("history"), SCHEMA)] == [URLS[3]]


def test_a_reading_that_is_null_where_the_value_is_old_does_not_defend_it() -> None:
    shy = replace(verdict("price", 1, 0), fields={"price": Tally(1, 0, 3)})
    assert stale([(verdict("price", 3, 1),), (shy,)], samples("history"), SCHEMA)
