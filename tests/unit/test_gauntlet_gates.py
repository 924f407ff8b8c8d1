"""The gates before and after agreement: safety, runs, golden; and the order of all."""

from __future__ import annotations

import pytest

from crawloop.contract import Gate
from crawloop.gauntlet import GATES, judge
from crawloop.model.candidate import Failure
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.verdict import Finding
from tests.fakes.trials import case, golden, known, page, trial, unknown

ROW = {"title": "t", "price": 1}


def test_a_refused_program_is_told_once_with_its_line() -> None:
    on = case([known(1, ROW), known(2, ROW)], [unknown(3)])
    refused = Failure("refused", "import of os (rule: imports)", 3)
    verdict = judge(trial(on, refused, refused, refused, fields=["title"]), on)
    [finding] = verdict.findings
    assert (finding.gate, finding.line) == ("safety", 3)
    assert "import of os" in finding.message


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (Failure("exception", "KeyError: 'price'", 12), "raised KeyError: 'price'"),
        (Failure("deadline", "killed"), "did not finish within 5 s"),
        (Failure("memory", "512 MB"), "too much memory"),
        (Failure("output", "a dict"), "not a list of plain records"),
        (Failure("crash", "signal 11"), "ended its process"),
        (Failure("page", "nested too deeply"), "page is refused"),
        (Failure("syscall", "a system call"), "asked the system for what no program may have: a system call"),
        (Failure("newer kind", "strange"), "failed: strange"),
    ],
)
@pytest.mark.parametrize("place", [1, 2])
def test_fault_12_a_failure_on_any_page_is_told_in_full(failure: Failure, words: str, place: int) -> None:
    on = case([known(1, ROW)], [unknown(2)])
    returned: list[list[dict[str, object]] | Failure] = [[ROW], [ROW]]
    returned[place - 1] = failure
    verdict = judge(trial(on, *returned), on)
    assert verdict.stopped_at == "runs"
    [finding] = [one for one in verdict.findings if one.fatal]
    assert words in finding.message
    assert (finding.url, finding.line) == (page(place).url, failure.line)


def test_a_failure_on_a_golden_page_counts() -> None:
    on = case([known(1, ROW)], goldens=(golden(7, ROW),))
    made = trial(on, [ROW], goldens=[[ROW]])
    assert judge(made, on).passed
    broken = trial(on, [ROW], goldens=[Failure("exception", "IndexError", 4)])
    assert judge(broken, on).stopped_at == "runs"
    assert judge(trial(on, [ROW], goldens=[[]]), on).stopped_at == "golden"


def test_golden_pages_reproduce_exactly() -> None:
    on = case([known(1, ROW)], goldens=(golden(7, {**ROW, "brand": None, "url": "/p/7"}),))
    same = [{**ROW, "price": 1.0, "url": "https://shop.example/p/7"}]
    assert judge(trial(on, [ROW], goldens=[same]), on).passed
    verdict = judge(trial(on, [ROW], goldens=[[{**same[0], "price": 2, "url": None}]]), on)
    assert verdict.stopped_at == "golden"
    assert [(one.field, one.url) for one in verdict.findings if one.fatal] == [
        ("price", page(7).url),
        ("url", page(7).url),
    ]


def test_a_golden_gap_may_be_filled_and_a_new_field_added() -> None:
    on = case([known(1, ROW)], goldens=(golden(7, {**ROW, "brand": None}),))
    verdict = judge(trial(on, [ROW], goldens=[[{**ROW, "brand": "b", "tags": ["new"]}]]), on)
    assert verdict.passed
    assert [(one.gate, one.field) for one in verdict.findings] == [("golden", "brand")]


def test_what_no_program_read_so_far_may_stay_unread_and_not_be_read_otherwise() -> None:
    on = case([known(1, ROW)], goldens=(golden(7, {**ROW, "brand": "Nord"}),), unread=frozenset({"brand"}))
    assert judge(trial(on, [ROW], goldens=[[{**ROW, "brand": None}]]), on).findings == ()
    assert judge(trial(on, [ROW], goldens=[[{**ROW, "brand": "Nord"}]]), on).passed
    assert judge(trial(on, [ROW], goldens=[[{**ROW, "brand": "Sud"}]]), on).stopped_at == "golden"
    assert judge(trial(on, [ROW], goldens=[[{**ROW, "price": None, "brand": "Nord"}]]), on).stopped_at == "golden"


def test_fault_02_golden_pages_of_an_older_layout_do_not_block() -> None:
    on = case([known(1, ROW)], goldens=(golden(7, {"title": "old"}), golden(8, ROW, epoch=1)))
    assert judge(trial(on, [ROW], goldens=[[], [ROW]]), on).passed
    assert not judge(trial(on, [ROW], goldens=[[{"title": "old"}], []]), on).passed


def test_fault_03_golden_pages_are_compared_at_their_own_url() -> None:
    schema = Schema("Link@1", (Field("title"), Field("link", Kind.URL)))
    at = "https://shop.example/deep/er/page"
    on = case(
        [known(1, {"title": "t"})],
        schema=schema,
        goldens=(golden(7, {"title": "t", "link": "../x"}, url=at),),
    )
    right = [{"title": "t", "link": "https://shop.example/deep/x"}]
    assert judge(trial(on, [{"title": "t"}], goldens=[right]), on).passed
    elsewhere = [{"title": "t", "link": "https://shop.example/x"}]
    assert judge(trial(on, [{"title": "t"}], goldens=[elsewhere]), on).stopped_at == "golden"


def test_fault_18_only_the_golden_pages_of_the_case_are_asked_for() -> None:
    on = case([known(1, ROW)], goldens=())
    assert judge(trial(on, [ROW]), on).passed


class Counting:
    def __init__(self, name: str, *findings: Finding) -> None:
        self.name = name
        self.findings = findings
        self.asked = 0

    def judge(self, trial: object, case: object) -> tuple[Finding, ...]:
        self.asked += 1
        return self.findings


def test_a_candidate_goes_no_further_than_the_first_gate_that_it_fails() -> None:
    mild = Counting("mild", Finding("mild", "told", fatal=False))
    hard = Counting("hard", Finding("hard", "one"), Finding("hard", "two"))
    last = Counting("last")
    gates: tuple[Gate, ...] = (mild, hard, last)
    on = case([known(1, ROW)])
    verdict = judge(trial(on, [ROW]), on, gates)
    assert [one.message for one in verdict.findings] == ["told", "one", "two"]
    assert (verdict.stopped_at, last.asked) == ("hard", 0)


def test_cheap_gates_come_first() -> None:
    order = ["safety", "runs", "shape", "counts", "agreement", "hearsay", "golden", "unseen", "history"]
    names = [gate.name for gate in GATES]
    assert names == [name for name in order if name in names]
    assert len(names) == len(set(names))
