"""Profiles name what is clearly foreign, and never a value that is merely new."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop.model.kind import Field, Kind
from crawloop.values import departs, fits, profile

TITLES = ["Iron pan", "Copper kettle with lid", "Bread knife", "Wooden spoon, 30 cm", "Salt mill"]
PRICES = [12.5, 49.0, 8.95, 120.0, 19.9]
DAYS = ["2024-01-02", "2024-05-06", "2025-11-30", "2026-01-02"]
LINKS = [f"https://img.shop.example/i/{n}/pan.jpg" for n in range(5)]
IDS = ["10023", "88712", "00123", "55555"]
SUMMARY = "A pan of cast iron that keeps the heat and lasts for longer than the person who bought it, if oiled well. "

TITLE, PRICE, DAY, LINK = Field("t"), Field("p", Kind.MONEY), Field("d", Kind.DATE), Field("l", Kind.URL)
STOCK = Field("s", Kind.ENUM, choices=("available", "unavailable"))
TAGS = Field("tags", many=True)
PARTS = [["2 long screws", "a brass hinge"], ["4 legs of oak", "a felt pad", "8 short screws"]]


@pytest.mark.parametrize(
    ("field", "known", "value"),
    [
        (TITLE, TITLES, "1984"),
        (TITLE, TITLES, "A pan"),
        (TITLE, TITLES, "Cast iron casserole with enamel coating and two steel handles, 28 cm, suitable for all hobs"),
        (TITLE, TITLES, "List<String> & friends"),
        (TITLE, TITLES, "Loading bay, steel"),
        (TITLE, [*TITLES, "–"], "-"),
        (TITLE, TITLES, None),
        (TITLE, TITLES, ""),
        (PRICE, PRICES, 0),
        (PRICE, PRICES, 999.0),
        (PRICE, PRICES, 0.5),
        (PRICE, [], -5),
        (Field("degrees", Kind.NUMBER), [5, 10, 15, 20], -3),
        (DAY, DAYS, "1999-12-31"),
        (DAY, DAYS, "2030-01-01"),
        (LINK, LINKS, "https://cdn.other.example/x/y/z.png"),
        (LINK, LINKS, "/i/9/pan.webp"),
        (STOCK, ["available"] * 5, "unavailable"),
        (TAGS, [["a", "b"], ["c"]], ["a", "b", "c", "d", "e"]),
        (TAGS, [["news", "city"], ["trade", "sea", "port"]], ["sea", "NATO", "city"]),
        (TAGS, PARTS, ["2 LONG SCREWS", "A BRASS HINGE"]),
        (TAGS, PARTS, ["1. Screw it on", "2. Turn it round", "1.5 m of felt, 2.5 mm thick"]),
        (TAGS, [*PARTS, ["FOR THE TABLE", "4 legs of oak"]], ["FOR THE LAMP", "a brass foot", "a felt pad"]),
        (Field("score", Kind.NUMBER), [4, 3.5, 4.25], 4.125),
        (Field("score", Kind.NUMBER), [52.516274], 48.1371549),
    ],
)
def test_a_new_value_is_no_problem(field: Field, known: list[Any], value: Any) -> None:
    assert fits(value, profile(known, field), field) is None


@pytest.mark.parametrize(
    ("field", "known", "value", "said"),
    [
        (TITLE, TITLES, "word " * 200, "characters long"),
        (TITLE, TITLES, "{{ product.title }}", "looks like"),
        (TITLE, TITLES, "<div class='x'>Iron pan</div>", "looks like"),
        (TITLE, TITLES, "undefined", "looks like"),
        (TITLE, TITLES, "Loading…", "looks like"),
        (TITLE, TITLES, "- -", "nothing but signs"),
        (TITLE, TITLES, '{"@type": "Product"}', "looks like"),
        (Field("summary"), [SUMMARY * n for n in (2, 3, 4)], "Home", "characters long"),
        (Field("id"), IDS, "Add to cart", "letters"),
        (PRICE, PRICES, 1_250_000.0, "far from the usual"),
        (PRICE, PRICES, -12.5, "is negative"),
        (PRICE, PRICES, "sold out", "is no amount"),
        (DAY, DAYS, "1970-01-01", "far from the usual"),
        (DAY, DAYS, "2400-01-01", "far from the usual"),
        (DAY, DAYS, "yesterday", "is no date"),
        (LINK, LINKS, "https://shop.example/", "front page"),
        (LINK, LINKS, "undefined", "looks like"),
        (LINK, LINKS, "https://shop.example/p/{{ product.id }}", "looks like"),
        (LINK, LINKS, "https://ads.example/click", "another sort"),
        (STOCK, ["available"] * 5, "in 3 days", "is no known label"),
        (TAGS, [["a", "b"], ["c"]], ["x"] * 100, "100 items"),
        (TAGS, PARTS, ["1. Screw it on. Fold 2.5 cm.2. Turn it round."], "whole list"),
        (TAGS, PARTS, ["FOR THE LAMP", "a brass foot", "a felt pad"], "heading, 'FOR THE LAMP'"),
        (Field("score", Kind.NUMBER), [4, 3.5, 4.25], 3.6666666666666665, "16 decimals"),
        (TAGS, [["a", "b"], ["c"], ["d"]], ["<b>x</b>", "<i>y</i>", "z"], "looks like"),
    ],
)
def test_a_clearly_foreign_value_is_named(field: Field, known: list[Any], value: Any, said: str) -> None:
    problem = fits(value, profile(known, field), field)
    assert problem is not None
    assert said in problem


def test_a_volatile_field_tolerates_more() -> None:
    calm, moving = Field("views", Kind.NUMBER), Field("views", Kind.NUMBER, volatile=True)
    known = [120, 80, 95] * 5
    assert fits(50_000, profile(known, calm), calm) is not None
    assert fits(50_000, profile(known, moving), moving) is None


def test_a_profile_is_plain_json() -> None:
    for field, known in ((TITLE, TITLES), (PRICE, PRICES), (DAY, DAYS), (LINK, LINKS), (TAGS, [["a"], None])):
        seen = profile([*known, None], field)
        assert json.loads(json.dumps(seen)) == seen
    assert profile([*TITLES, None, "", "Iron pan"], TITLE)["fill"] == 0.75


def test_a_field_that_is_no_longer_filled_is_named() -> None:
    before = profile(TITLES, TITLE)
    assert "never filled" in str(departs(profile([None] * 5, TITLE), before, TITLE))
    assert departs(profile([None, "Pan", "Lid"], TITLE), before, TITLE) is None
    assert departs(profile([None, None], TITLE), before, TITLE) is None


def test_an_optional_field_that_is_seldom_filled_may_be_absent() -> None:
    before = profile(["sale", *[None] * 9], TITLE)
    assert departs(profile([None] * 10, TITLE), before, TITLE) is None


def test_the_same_value_in_every_record_is_named() -> None:
    before = profile(TITLES, TITLE)
    assert "the same in all 20" in str(departs(profile(["Cookies"] * 20, TITLE), before, TITLE))
    assert departs(profile(["shop"] * 20, TITLE), profile(["shop"] * 20, TITLE), TITLE) is None


def test_values_of_another_kind_in_most_records_are_named() -> None:
    junk = profile(["sold out", "ask us", "soon", 12.5], PRICE)
    assert "is no amount" in str(departs(junk, profile(PRICES, PRICE), PRICE))


def test_texts_that_have_all_become_figures() -> None:
    before = profile(TITLES, TITLE)
    assert "only figures in all 3" in str(departs(profile(["$49.90", "$1,299.00", "64"], TITLE), before, TITLE))
    assert departs(profile(["$49.90", "Iron pan 2", "64"], TITLE), before, TITLE) is None
    assert departs(profile(["1984", "2001"], TITLE), before, TITLE) is None
    assert departs(profile(["7"] * 3 + ["8", "9"], TITLE), profile(["4", "5b", "66"], TITLE), TITLE) is None


@given(
    st.lists(st.text() | st.integers() | st.none() | st.lists(st.text())), st.sampled_from(list(Kind)), st.booleans()
)
def test_a_value_that_was_seen_fits(values: list[Any], kind: Kind, many: bool) -> None:
    field = Field("f", kind, many=many)
    seen = profile(values, field)
    assert json.loads(json.dumps(seen)) == seen
    for value in values:
        if not isinstance(value, list) or many:
            assert fits(value, seen, field) is None
    assert departs(seen, seen, field) is None
