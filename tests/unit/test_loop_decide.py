"""`decide` as a table: what a round's verdicts lead to. And what the next round is told of them."""

from dataclasses import replace

import pytest

from crawloop.loop.contest.feedback import LONGEST, feedback
from crawloop.loop.kit import Attempt
from crawloop.loop.states import Round, Sampled
from crawloop.loop.steps import decide
from crawloop.model.candidate import Candidate
from crawloop.model.outcome import Escalation, Promotion, Reason
from crawloop.model.page import Page
from crawloop.model.policy import Policy
from crawloop.model.truth import Claim, Evidence, Sample, Truth
from crawloop.model.verdict import Finding, Tally, Verdict
from tests.fakes.loop import attempt, kit
from tests.fakes.site import Site

URL = "https://shop.example/p/2"


def known(url: str = URL) -> Sample:
    where = Evidence("json", "@Product.offers.price", '"price": "12,50"')
    return Sample(
        Page(url, "<html>"), Truth(url, ({"title": Claim("Kettle", ("a",)), "price": Claim(12.5, ("a",), (where,))},))
    )


STATE = Round(Sampled(()), (known(), known("https://shop.example/p/3")))
WRONG = Finding("agreement", "is not the value", url=URL, record=0, field="price", expected=12.5, got=1250)


def verdict(origin: str, *right: str, findings: tuple[Finding, ...] = ()) -> Verdict:
    tally = {name: Tally(right=2) for name in right}
    return Verdict(Candidate(origin, origin, frozenset({"title", "price"})), findings, tally)


def at(*models: str, rounds: int = 3) -> Attempt:
    return attempt(kit(Site({})), policy=Policy(models=models, max_rounds=rounds, min_oracles=1))


FAILED = verdict("codegen", "title", findings=(WRONG,))
FREE = verdict("value-path", "title", "price")
PAID = verdict("codegen", "title", "price")
PARTIAL = verdict("value-path", "title")
MORE = replace(FREE, candidate=Candidate("more", "dom", frozenset({"title", "price", "badge"})))
GAPPY = replace(FREE, fields={"title": Tally(2), "price": Tally(1, gap=1)})


@pytest.mark.parametrize(
    ("verdicts", "wins"),
    [
        ((FREE, PAID), "value-path"),
        ((PAID, FREE), "codegen"),
        ((PARTIAL, PAID), "codegen"),
        ((FAILED, PARTIAL), "value-path"),
        ((GAPPY, PAID), "codegen"),
        ((FREE, MORE), "dom"),
    ],
    ids=[
        "a tie goes to the earliest",
        "whoever that is",
        "more fields win",
        "a failed one never does",
        "fewer gaps win",
        "what no truth speaks of counts among equals",
    ],
)
def test_who_wins(verdicts: tuple[Verdict, ...], wins: str) -> None:
    ending = decide(STATE, verdicts, at("small"))
    assert isinstance(ending, Promotion)
    assert ending.winner.origin == wins
    assert ending.verdicts == verdicts


@pytest.mark.parametrize(
    ("state", "attempted", "leads_to"),
    [
        (STATE, at("small"), 2),
        (replace(STATE, number=2), at("small"), 3),
        (replace(STATE, number=3), at("small"), Reason.ROUNDS_EXHAUSTED),
        (STATE, at("small", rounds=1), Reason.ROUNDS_EXHAUSTED),
        (STATE, at(), Reason.ROUNDS_EXHAUSTED),
        (replace(STATE, samples=STATE.samples[:1]), at("small"), Reason.ROUNDS_EXHAUSTED),
        (replace(STATE, spent=True), at("small"), Reason.BUDGET_SPENT),
        (replace(STATE, number=3, spent=True), at("small"), Reason.BUDGET_SPENT),
    ],
    ids=["next", "next again", "no more", "only one", "no model", "one sample", "spent", "spent at the end"],
)
def test_what_a_failed_round_leads_to(state: Round, attempted: Attempt, leads_to: int | Reason) -> None:
    following = decide(state, (FAILED,), attempted)
    if isinstance(following, Round):
        assert following.number == leads_to
        assert following.verdicts == (FAILED,)
    else:
        assert isinstance(following, Escalation)
        assert following.reason is leads_to
        assert following.verdicts == (FAILED,)


def test_a_promotion_names_residual_fields_warnings_and_the_epoch() -> None:
    warned = replace(PARTIAL, findings=(Finding("history", "price moved by a factor of 1.19", fatal=False),))
    ending = decide(replace(STATE, redesigned=True, number=2), (warned,), at())
    assert isinstance(ending, Promotion)
    assert ending.residual == ("price",)
    assert ending.warnings == ("price moved by a factor of 1.19",)
    assert ending.new_epoch
    assert ending.rounds == 2


def test_verdicts_of_earlier_tiers_and_rounds_stay_in_the_evidence() -> None:
    state = replace(STATE, sampled=Sampled((), 1, (PARTIAL,)), verdicts=(FAILED,), number=3)
    ending = decide(state, (FAILED,), at("small", "large"))
    assert isinstance(ending, Escalation)
    assert ending.verdicts == (PARTIAL, FAILED, FAILED)
    assert ending.detail == "the nearest, by codegen, stopped at agreement"


def test_fault_12_feedback_names_field_value_and_where_the_right_one_stands() -> None:
    text = feedback((FAILED,), STATE.samples)
    assert "price: is not the value (expected 12.5, got 1250) on https://shop.example/p/2, record 0" in text
    assert 'on the page: json @Product.offers.price: "price": "12,50"' in text
    assert "right everywhere: title" in text


def test_fault_12_feedback_shows_the_exception_with_its_line() -> None:
    raised = Finding("runs", "KeyError: 'offers'", url=URL, line=7)
    assert "[runs] KeyError: 'offers' at line 7 on https://shop.example/p/2" in feedback(
        (verdict("x", findings=(raised,)),), ()
    )


def test_feedback_keeps_what_is_right_on_unseen_pages_to_itself() -> None:
    url = STATE.samples[0].page.url
    finding = Finding("unseen", '"secret" is right, got 3', url=url, record=0, field="price", expected="secret", got=3)
    text = feedback([verdict("codegen", findings=(finding,))], STATE.samples)
    assert "[unseen] price: does not hold on a page that is kept from you" in text
    assert "secret" not in text
    assert url not in text
    assert "on the page" not in text


def test_feedback_is_bounded_and_keeps_the_fatal_findings() -> None:
    gaps = tuple(
        Finding("agreement", "is null", fatal=False, url=URL, field=f"f{n}", expected="x" * 900) for n in range(99)
    )
    text = feedback([verdict("codegen", findings=(*gaps, WRONG))] * 9, STATE.samples)
    assert len(text) <= LONGEST
    assert "price: is not the value" in text


def test_a_passed_candidate_with_a_wrong_field_wins_only_where_there_is_no_clean_one() -> None:
    tally = {"title": Tally(right=2), "price": Tally(right=99, wrong=1)}
    tolerated = Verdict(Candidate("dom", "dom", frozenset(tally)), (), tally)
    for verdicts, wins in (((tolerated, PARTIAL), "value-path"), ((tolerated, FAILED), "dom")):
        ending = decide(STATE, verdicts, at())
        assert isinstance(ending, Promotion)
        assert ending.winner.origin == wins
