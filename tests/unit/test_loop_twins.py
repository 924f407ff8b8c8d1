"""Two labels of a record that say the same, though their fields differ elsewhere, decide nothing: one is a slip."""

from dataclasses import replace

from crawloop.loop.truth.doubts import doubted
from crawloop.loop.truth.twins import twins, undecided
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page
from crawloop.model.truth import Claim, Evidence, Sample, Truth

SCHEMA = Schema(
    "Product@1", (Field("title"), Field("maker"), Field("rating", Kind.NUMBER), Field("votes", Kind.NUMBER))
)
THERE = (Evidence("text", "p", ""),)


def labelled(*records: dict[str, object]) -> tuple[Sample, ...]:
    """A page for each record."""
    found = []
    for number, record in enumerate(records):
        url = f"https://shop.example/{number}"
        claims = {name: Claim(value, ("examples",), THERE) for name, value in record.items()}
        found.append(Sample(Page(url, ""), Truth(url, (claims,))))
    return tuple(found)


CUP, MUG = {"title": "Cup", "maker": "Acme"}, {"title": "Mug", "maker": "Tefal"}
ALIKE = {"title": "Bodum", "maker": "BODUM"}
PLACE = ("https://shop.example/2", 0)


def test_the_same_in_two_fields_of_one_record_of_three_is_undecided() -> None:
    samples = labelled(CUP, MUG, ALIKE)
    assert twins(samples, SCHEMA) == (((*PLACE, "title"), (*PLACE, "maker")),)
    assert undecided(samples, SCHEMA) == {(*PLACE, "title"), (*PLACE, "maker")}


def test_once_one_is_doubted_the_other_decides_again() -> None:
    assert undecided(doubted(labelled(CUP, MUG, ALIKE), [(*PLACE, "maker")]), SCHEMA) == frozenset()


def test_fields_that_are_the_same_as_often_as_not_have_no_twins() -> None:
    assert twins(labelled(CUP, ALIKE), SCHEMA) == ()
    assert twins(labelled(ALIKE), SCHEMA) == ()


def test_numbers_are_the_same_by_chance() -> None:
    alike = {"rating": 4.0, "votes": 4.0}
    assert twins(labelled({"rating": 3.5, "votes": 8.0}, {"rating": 4.5, "votes": 2.0}, alike), SCHEMA) == ()


def test_a_page_that_nobody_knows_has_none() -> None:
    assert twins([replace(labelled(CUP)[0], truth=None)], SCHEMA) == ()
