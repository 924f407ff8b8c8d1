"""Labels that a promotion could not use are told once each: those that stand nowhere, those that cost a field, and
those that are another field's."""

from crawloop.loop.truth.slips import slips
from crawloop.model.candidate import Candidate
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.outcome import Promotion
from crawloop.model.page import Page
from crawloop.model.truth import Claim, Evidence, Sample, Truth
from crawloop.model.verdict import Contradiction, Finding, Tally, Verdict

SCHEMA = Schema("Product@1", (Field("title"), Field("maker"), Field("price", Kind.MONEY)))
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
    (one,) = slips(promotion(pages(1), "price"), (), SCHEMA)
    assert (one.url, one.field, one.said, one.got) == (URLS[0], "price", 10.0, None)


def test_a_field_that_is_written_in_another_way_everywhere_is_no_slip() -> None:
    assert list(slips(promotion(pages(3), "price"), (), SCHEMA)) == []


def test_a_label_that_cost_its_field_is_told_with_what_the_page_shows() -> None:
    against = Contradiction(URLS[3], 0, "price", 10.0, 8.0)
    tried = Verdict(Candidate("x", "dom", frozenset({"price"})), (), {"price": Tally(4, 1)}, (against,))
    assert list(slips(promotion(pages(0), "title"), (tried, tried), SCHEMA)) == [against]
    assert list(slips(promotion(pages(0), "price"), (tried,), SCHEMA)) == []


def makers(title: str, maker: str, *decide: str) -> tuple[Sample, ...]:
    """Three pages, the last one with this title and maker, of which only those fields decide that are named."""
    found = []
    for number, record in enumerate([("Cup", "Acme"), ("Mug", "Tefal"), (title, maker)]):
        said = dict(zip(("title", "maker"), record, strict=True))
        claims = {
            name: Claim(value, ("examples",), THERE, number < 2 or name in decide) for name, value in said.items()
        }
        found.append(Sample(Page(URLS[number], ""), Truth(URLS[number], (claims,))))
    return tuple(found)


def read_otherwise(field: str) -> Verdict:
    winner = Candidate("x", "dom", frozenset({"title", "maker"}))
    return Verdict(winner, contradictions=(Contradiction(URLS[2], 0, field, "Bodum", "Press"),))


def test_of_two_that_say_the_same_the_one_that_the_winner_reads_otherwise_is_told() -> None:
    verdict = read_otherwise("title")
    outcome = Promotion(winner=verdict.candidate, verdict=verdict, samples=makers("Bodum", "Bodum"))
    (one,) = slips(outcome, (), SCHEMA)
    assert (one.field, one.said, one.got) == ("title", "Bodum", "Press")


def test_of_two_that_say_the_same_the_one_whose_field_the_winner_lacks_is_told() -> None:
    (one,) = slips(promotion(makers("Bodum", "Bodum"), "maker"), (), SCHEMA)
    assert (one.field, one.said, one.got) == ("title", "Bodum", None)


def test_a_text_that_the_winner_reads_for_another_field_and_not_for_its_own_is_told() -> None:
    winner = Candidate("x", "dom", frozenset({"title", "maker"}))
    gap = Finding("agreement", "gap", False, URLS[2], 0, "maker", "Press")
    misread = Contradiction(URLS[2], 0, "title", "Pres", "Press")
    verdict = Verdict(winner, (gap,), contradictions=(misread,))
    outcome = Promotion(winner=winner, verdict=verdict, samples=makers("Pres", "Press", "title", "maker"))
    assert [one.field for one in slips(outcome, (), SCHEMA)] == ["maker"]


def test_what_the_run_doubted_before_is_not_told_again() -> None:
    verdict = read_otherwise("maker")
    outcome = Promotion(winner=verdict.candidate, verdict=verdict, samples=makers("Press", "Bodum", "title"))
    assert list(slips(outcome, (), SCHEMA)) == []
