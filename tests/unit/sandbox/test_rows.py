"""Rows: what becomes of a program's values, and what the caller lets in."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
from typing import Any

import pytest

from crawloop.sandbox.rows import MAX_DEPTH, MAX_ROWS, NotPlain, checked, plain


class Stock(enum.Enum):
    YES = "in stock"


@dataclasses.dataclass
class Item:
    name: str
    price: float


Pair = collections.namedtuple("Pair", "left right")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("text", "text"),
        ("half \ud83d", "half \ufffd"),
        ("whole \ud83d\ude00", "whole 😀"),
        (True, True),
        (2**62, 2**62),
        (1.5, 1.5),
        (decimal.Decimal("12.50"), 12.5),
        (None, None),
        (Stock.YES, "in stock"),
        (datetime.date(2024, 5, 3), "2024-05-03"),
        (datetime.datetime(2024, 5, 3, 14, 5), "2024-05-03T14:05:00"),
        (("a", "b"), ["a", "b"]),
        ({"b", "a"}, ["a", "b"]),
        (map(str, [1, 2]), ["1", "2"]),
        ({1: "a", None: "b"}, {"1": "a", "None": "b"}),
        (Item("x", 1.0), {"name": "x", "price": 1.0}),
        (Pair(1, [2]), {"left": 1, "right": [2]}),
        (collections.Counter("aab"), {"a": 2, "b": 1}),
    ],
)
def test_values_become_plain_and_then_pass(value: Any, expected: Any) -> None:
    rows = plain([{"value": value}])
    assert rows == [{"value": expected}]
    assert type(rows[0]["value"]) is type(expected)
    assert checked(rows) == tuple(rows)


def test_more_records_than_one_page_may_have_are_named_with_the_limit() -> None:
    with pytest.raises(NotPlain, match="more than 10,000 records, the most that one page may have"):
        plain({"title": "a"} for _ in range(MAX_ROWS + 1))


def test_what_is_one_record_or_an_iterator_becomes_a_list() -> None:
    assert plain({"a": 1}) == [{"a": 1}]
    assert plain(Item("x", 1.0)) == [{"name": "x", "price": 1.0}]
    assert plain(iter([{"a": 1}])) == [{"a": 1}]
    assert plain(()) == []


@pytest.mark.parametrize("value", [object(), b"x", 2**63, float("inf"), decimal.Decimal("NaN"), datetime.timedelta(1)])
def test_other_values_are_named_with_their_place(value: object) -> None:
    with pytest.raises(NotPlain, match=r"^records\[1\]\['a'\]\[0\] is "):
        plain([{}, {"a": [value]}])


@pytest.mark.parametrize(
    "rows",
    [
        None,
        {},
        [1],
        [[]],
        [{}] * 10_001,
        [{"a": 2**63}],
        [{"a": float("nan")}],
        [{"a": "\ud800"}],
        [{"\ud800": 1}],
        [{1: 1}],
        [{"a": b"x"}],
        [{"a": (1,)}],
        [{"a": object()}],
    ],
)
def test_the_caller_looks_again(rows: Any) -> None:
    with pytest.raises(NotPlain):
        checked(rows)


def test_depth_is_bounded_on_both_sides() -> None:
    deep: Any = 1
    for _ in range(MAX_DEPTH - 1):
        deep = [deep]
    assert checked(plain([{"a": deep}])) == ({"a": deep},)
    with pytest.raises(NotPlain, match="nested deeper"):
        plain([{"a": [[deep]]}])
    with pytest.raises(NotPlain, match="nested deeper"):
        checked([{"a": [[[deep]]]}])
