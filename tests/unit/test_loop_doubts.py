"""Old values of history are doubted only where they move by nature, alone, and against the majority of pages."""

from dataclasses import replace

import pytest

from crawloop.loop.truth.doubts import doubted, doubts
from crawloop.model.candidate import Candidate
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page
from crawloop.model.truth import Claim, Evidence, Sample, Truth
from crawloop.model.verdict import Contradiction, Tally, Verdict

SCHEMA = Schema("Product@1", (Field("price", Kind.MONEY, volatile=True), Field("title")))
URLS = [f"https://shop.example/{n}" for n in range(4)]


def samples(*by: str) -> tuple[Sample, ...]:
    """Four pages; their values are said by `by`."""
    record = {"price": Claim(10.0, by), "title": Claim("Kettle", by)}
    return tuple(Sample(Page(url, url), Truth(url, (record,))) for url in URLS)


def verdict(field: str, right: int, wrong: int) -> Verdict:
    against = (Contradiction(URLS[3], 0, field, 10.0, 8.0),) if wrong else ()
    return Verdict(Candidate("x", "dom", frozenset({field})), (), {field: Tally(right, wrong)}, against)


def test_an_old_value_against_the_majority_is_doubted_and_nothing_else() -> None:
    known = samples("history")
    (one,) = doubts([(verdict("price", 3, 1),)], known, SCHEMA)
    assert (one.url, one.record, one.field, one.said, one.got) == (URLS[3], 0, "price", 10.0, 8.0)
    after = doubted(known, [one.place])
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
    assert doubts(groups, known, SCHEMA) == ()


def test_the_folds_of_a_program_count_together() -> None:
    folds = (verdict("price", 1, 0), verdict("price", 1, 0), verdict("price", 0, 1))
    assert [one.url for one in doubts([folds], samples("history"), SCHEMA)] == [URLS[3]]


def test_a_reading_that_is_null_where_the_value_is_old_does_not_defend_it() -> None:
    shy = replace(verdict("price", 1, 0), fields={"price": Tally(1, 0, 3)})
    assert doubts([(verdict("price", 3, 1),), (shy,)], samples("history"), SCHEMA)


def labelled(values: list[str], snippet: str) -> tuple[Sample, ...]:
    """Pages that a person labelled; the last value stands on its page as `snippet` says."""
    found = []
    for number, value in enumerate(values):
        shown = snippet if number == len(values) - 1 else value
        claim = Claim(value, ("examples",), (Evidence("text", "h1", shown),))
        url = f"https://shop.example/{number}"
        found.append(Sample(Page(url, url), Truth(url, ({"title": claim},))))
    return tuple(found)


def titles(right: int, of: int, said: str = "Kettle", got: str = "Kettle, red") -> Verdict:
    """A reading that is right so often, and contradicts the last page's label."""
    against = Contradiction(f"https://shop.example/{of - 1}", 0, "title", said, got)
    return Verdict(Candidate("x", "dom", frozenset({"title"})), (), {"title": Tally(right, of - right)}, (against,))


@pytest.mark.parametrize(
    ("values", "snippet", "right"),
    [
        (["Cup", "Mug", "Bowl", "Pan", "Kettle"], "Kettle, red", 4),
        ([f"Cup {number}" for number in range(40)], "Cup 39", 39),
    ],
    ids=["four pages outvote a label that stands nowhere as a whole", "forty rows outvote any slip"],
)
def test_a_slip_of_a_person_is_outvoted(values: list[str], snippet: str, right: int) -> None:
    (one,) = doubts([(titles(right, len(values)),)], labelled(values, snippet), SCHEMA)
    assert (one.field, one.said, one.got) == ("title", "Kettle", "Kettle, red")


@pytest.mark.parametrize(
    ("values", "snippet", "right"),
    [
        (["Cup", "Mug", "Bowl", "Pan", "Teapot"], "Teapot", 4),
        (["Cup", "Mug", "Teapot"], "Teapot, blue", 2),
        (["Cup", "Cup", "Cup", "Cup", "Teapot"], "Teapot, blue", 4),
        ([f"Cup {number}" for number in range(40)], "Cup 39", 36),
    ],
    ids=["it stands there as a whole", "too few", "always the same value", "too often"],
)
def test_a_person_is_believed_before_a_reading(values: list[str], snippet: str, right: int) -> None:
    assert doubts([(titles(right, len(values), values[-1]),)], labelled(values, snippet), SCHEMA) == ()


SLIPS = Schema("Product@1", (Field("title"), Field("sku"), Field("maker")))


def with_others(pages: tuple[Sample, ...], **others: str) -> tuple[Sample, ...]:
    """The pages, with other fields on the last one."""
    truth = pages[-1].truth
    assert truth is not None
    claims = {name: Claim(value, ("examples",), (Evidence("text", "b", value),)) for name, value in others.items()}
    return (*pages[:-1], replace(pages[-1], truth=replace(truth, records=({**truth.records[0], **claims},))))


@pytest.mark.parametrize(
    ("said", "got", "values"),
    [
        ("Kettle", "Kettle, red", ["Cup", "Mug", "Bowl"]),
        ("Kettle No.", "Kettle No. 5", ["Cup", "Mug", "Bowl"]),
        ("Kettle", "Kettle, red", ["Cup", "Cup", "Cup"]),
        ("KT-1", "Kettle, red", ["Cup", "Mug", "Bowl"]),
        ("Bowl", "Kettle, red", ["Cup", "Mug", "Bowl"]),
        ("Acme", "Kettle, red", ["Cup", "Mug", "Bowl"]),
    ],
    ids=[
        "a part of what is shown",
        "a part that ends in a sign",
        "a part, of a field that is always the same",
        "another field's value",
        "another page's value",
        "what is read for another field, whose label is wrong too",
    ],
)
def test_three_pages_outvote_a_plain_slip_that_stands_on_the_page(said: str, got: str, values: list[str]) -> None:
    known = with_others(labelled([*values, said], said), sku="KT-1", maker="Amce")
    maker = Contradiction(f"https://shop.example/{len(values)}", 0, "maker", "Amce", "Acme")
    reading = replace(titles(3, 4, said, got), contradictions=(maker, *titles(3, 4, said, got).contradictions))
    (one,) = doubts([(reading,)], known, SLIPS)
    assert (one.field, one.said, one.got) == ("title", said, got)


def test_two_pages_that_say_the_same_are_no_copy_where_others_do_too() -> None:
    values = ["Cup", "Cup", "Mug", "Mug"]
    assert doubts([(titles(3, 4, "Mug"),)], labelled(values, "Mug"), SCHEMA) == ()


def test_a_label_that_decided_nothing_is_doubted_where_three_right_ones_teach_its_reading() -> None:
    known = with_others(labelled(["Cup", "Mug", "Bowl", "KT-1"], "KT-1"), sku="KT-1")
    (one,) = doubts([(replace(titles(3, 4, "KT-1"), fields={"title": Tally(3, 0)}),)], known, SLIPS)
    assert one.place == ("https://shop.example/3", 0, "title")
