"""Labels that a promotion could not use are told once each: those that stand nowhere, and those that cost a field."""

from crawloop.loop.slips import slips
from crawloop.model.candidate import Candidate
from crawloop.model.outcome import Promotion
from crawloop.model.page import Page
from crawloop.model.truth import Claim, Evidence, Sample, Truth
from crawloop.model.verdict import Contradiction, Tally, Verdict

URLS = [f"https://shop.example/{number}" for number in range(5)]
THERE = (Evidence("text", "p", "10"),)


def pages(nowhere: int) -> tuple[Sample, ...]:
    """Five labelled pages; on so many of them the price stands nowhere."""
    claims = [Claim(10.0, ("examples",), () if n < nowhere else THERE, n >= nowhere) for n in range(len(URLS))]
    return tuple(
        Sample(Page(url, url), Truth(url, ({"price": claim},))) for url, claim in zip(URLS, claims, strict=True)
    )


def promotion(samples: tuple[Sample, ...], *fields: str) -> Promotion:
    winner = Candidate("x", "dom", frozenset(fields))
    return Promotion(winner=winner, verdict=Verdict(winner), samples=samples)


def test_a_label_that_stands_nowhere_though_the_others_do_is_told() -> None:
    (one,) = slips(promotion(pages(1), "price"), ())
    assert (one.url, one.field, one.said, one.got) == (URLS[0], "price", 10.0, None)


def test_a_field_that_is_written_in_another_way_everywhere_is_no_slip() -> None:
    assert list(slips(promotion(pages(3), "price"), ())) == []


def test_a_label_that_cost_its_field_is_told_with_what_the_page_shows() -> None:
    against = Contradiction(URLS[3], 0, "price", 10.0, 8.0)
    tried = Verdict(Candidate("x", "dom", frozenset({"price"})), (), {"price": Tally(4, 1)}, (against,))
    assert list(slips(promotion(pages(0), "title"), (tried, tried))) == [against]
    assert list(slips(promotion(pages(0), "price"), (tried,))) == []
