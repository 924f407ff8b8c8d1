"""Texts of history that were edited where the active version still reads them by their name."""

import pytest

from crawloop.extract.plan import FieldPlan, Plan
from crawloop.extract.reading import Read
from crawloop.loop.truth.edits import edited
from crawloop.model.candidate import Candidate
from crawloop.model.family import Version
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page
from crawloop.model.truth import Claim, Sample, Truth
from crawloop.model.verdict import Contradiction, Tally, Verdict

URL = "https://food.example/soup"
SCHEMA = Schema("Recipe@1", (Field("title"), Field("ingredients", many=True), Field("price", Kind.MONEY)))
NAMED = Read("json_all", ("@Recipe.recipeIngredient[*]",))
OLD = ["2 cups chicken broth or water", "1 onion, diced"]
NEW = ["2 cups chicken broth (or water)", "1 onion, diced"]


def doubted(field: str, said: object, got: object, reader: Read, by: str = "history") -> tuple[str, ...]:
    plan = Plan({field: FieldPlan((reader,))})
    source = plan.source("food", "induction")
    active = Version("food", 1, source, "induction", SCHEMA.ref, 0, "2026-01-01T00:00:00Z", plan.dumps())
    sample = Sample(Page(URL, ""), Truth(URL, ({field: Claim(said, (by,))},)))
    verdict = Verdict(
        Candidate(source, "version 1", frozenset({field})),
        fields={field: Tally(0, 1)},
        contradictions=(Contradiction(URL, 0, field, said, got),),
    )
    return tuple(one.field for one in edited([verdict], [sample], active, SCHEMA))


def test_a_list_of_which_some_words_changed_is_no_longer_what_history_says() -> None:
    assert doubted("ingredients", OLD, NEW, NAMED) == ("ingredients",)


@pytest.mark.parametrize(
    ("said", "got", "reader", "by"),
    [
        (OLD, NEW, NAMED, "examples"),
        (OLD, NEW, Read("texts", ("ul.list li",)), "history"),
        (OLD, ["500 g flour", "3 eggs", "a pinch of salt"], NAMED, "history"),
        (["1 egg"], ["2 egg"], NAMED, "history"),
    ],
    ids=["a person says it", "the place has no name", "another list", "too short to be alike"],
)
def test_what_history_still_decides(said: object, got: object, reader: Read, by: str) -> None:
    assert doubted("ingredients", said, got, reader, by) == ()


def test_a_title_with_more_around_it_was_not_edited() -> None:
    reader = Read("attr", ('meta[property="og:title"]', "content"))
    assert doubted("title", "The smallest phone of all", "The smallest phone of all - Weekly", reader) == ()
    assert doubted("title", "The smallest phone of all", "The smallest phone at last", reader) == ("title",)


def test_an_amount_is_never_edited() -> None:
    assert doubted("price", 1299.0, 1290.0, Read("json", ("@Product.offers.price",))) == ()
