"""The one meaning of "the same value": whole values by kind, never a part."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from crawloop.model.kind import Field, Kind
from crawloop.values import equal, fold, normalise

TEXT, NUMBER, MONEY, BOOL = Field("t"), Field("n", Kind.NUMBER), Field("m", Kind.MONEY), Field("b", Kind.BOOL)
CENTS = Field("c", Kind.MONEY, unit="cents")
DATE, MOMENT, URL = Field("d", Kind.DATE), Field("dt", Kind.DATETIME), Field("u", Kind.URL)
MINUTES = Field("min", Kind.DURATION, unit="minutes")
STOCK = Field("e", Kind.ENUM, choices=("available", "unavailable", "In stock"))
BASE = "https://shop.example/a/b"


@pytest.mark.parametrize(
    ("a", "b", "field"),
    [
        ("Pasta with 2 eggs", "Pizza with 2 onions", TEXT),
        ("Pasta with 2 eggs", "Pizza with 2 onions", NUMBER),
        ("Pasta", "Pasta with eggs", TEXT),
        ("List<String>", "List<Integer>", TEXT),
        ("https://shop.example/p/2/eggs", "https://shop.example/p/2/onions", URL),
        ("https://www.shop.example/a", "https://shop.example/a", URL),
        ("https://shop.example/a?b=1", "https://shop.example/a?b=2", URL),
        ("2026-01-02", "2026-01-20", DATE),
        ("2 Jan 2026", "2 Feb 2026", DATE),
        ("2026-01-02T10:00:00Z", "2026-01-02T11:00:00Z", MOMENT),
        ("3.5 stars", 3.5, NUMBER),
        (12345678901, 12345678902, NUMBER),
        (4.8, 4.7, NUMBER),
        (True, 1, NUMBER),
        ("PT1H", "PT1M", MINUTES),
        ("available", "unavailable", STOCK),
        (True, False, BOOL),
        ("text", None, TEXT),
        ("", "x", TEXT),
    ],
)
def test_different_values_differ(a: Any, b: Any, field: Field) -> None:
    assert not equal(a, b, field, base=BASE)
    assert not equal(b, a, field, base=BASE)


@pytest.mark.parametrize(
    ("a", "b", "field"),
    [
        ("half a \ud83d", "half a \ufffd", TEXT),
        ("Caf&eacute; &amp; Bar", "CAFÉ  & bar", TEXT),
        ("Cafe\u0301", "Café", TEXT),
        ("&amp;quot;Hi&amp;quot; – it’s <b>bold</b>", "“hi” - it's bold", TEXT),
        ("one<br>two", "one two", TEXT),
        ("zero\u200bwidth\u00adtext", "zerowidthtext", TEXT),
        ("1½ cups", "1 1/2 cups", TEXT),
        ("12", 12, TEXT),
        ("12,50 €", 12.5, MONEY),
        ("$1,299.00", 1299, MONEY),
        ("$12.50", 1250, CENTS),
        ("1250", 1250, CENTS),
        ("2026-01-02", "2 January 2026", DATE),
        ("2026-01-02T23:59:00-05:00", "2026-01-02", DATE),
        ("2026-01-02", "2026-01-02T10:00:00Z", MOMENT),
        ("2026-01-02T10:00:00Z", "2026-01-02T11:00:00+01:00", MOMENT),
        ("2026-01-02T10:00:00Z", "2026-01-02T10:00:00", MOMENT),
        ("2026-01-02T10:00:00.500Z", "2026-01-02T10:00:00Z", MOMENT),
        ("PT1H30M", 90, MINUTES),
        ("1 hr 30 min", "PT90M", MINUTES),
        ("/a/b/", "http://shop.example/a/b#top", URL),
        ("https://shop.example/caf%c3%a9", "https://shop.example/café", URL),
        ("https://SHOP.example:443/%7Eme", "http://shop.example/~me", URL),
        ("?x=1&amp;y=2", "https://shop.example/a/b?x=1&y=2", URL),
        ("yes", True, BOOL),
        (0, False, BOOL),
        ("https://schema.org/InStock", "in_stock", STOCK),
        ("not a date at all", "Not a  date at all", DATE),
        (None, "", TEXT),
    ],
)
def test_the_same_value_is_equal(a: Any, b: Any, field: Field) -> None:
    assert equal(a, b, field, base=BASE)
    assert equal(b, a, field, base=BASE)


def test_lists_are_compared_element_by_element_in_order() -> None:
    many = Field("l", many=True)
    assert equal(["a", "B"], ["A", "b"], many)
    assert not equal(["a", "b"], ["b", "a"], many)
    assert not equal(["a", "b"], ["a"], many)
    assert equal("a", ["a"], many)
    assert not equal(["a"], "a", TEXT)


def test_what_is_not_of_the_kind_normalises_to_none() -> None:
    assert normalise("3.5 stars", NUMBER) is None
    assert normalise("soon", DATE) is None
    assert normalise("overnight", MINUTES) is None
    assert normalise("javascript:void(0)", URL, base=BASE) is None
    assert normalise("maybe", BOOL) is None
    assert normalise("temporarily unavailable", STOCK) is None
    assert normalise({"a": 1}, TEXT) is None
    assert normalise(["1", "two"], Field("l", Kind.NUMBER, many=True)) is None
    assert normalise("  \u200b ", TEXT) is None


def test_a_choice_that_letters_do_not_tell_apart_is_matched_as_written() -> None:
    languages = Field("e", Kind.ENUM, choices=("C", "C++", "C#"))
    assert normalise("c++", languages) == "C++"
    assert normalise("C", languages) == "C"
    assert normalise("c+", languages) is None


@example("<ª>")
@example("＆lt;b＆gt;")
@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(), st.sampled_from(list(Kind)))
def test_any_text_equals_itself_in_any_kind(text: str, kind: Kind) -> None:
    assert equal(text, text, Field("f", kind), base=BASE)


@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_a_number_is_read_back_from_its_text(number: float) -> None:
    assert equal(number, repr(number), NUMBER) or abs(number) >= 1e38 or 0 < abs(number) < 1e-6
