"""Which record is which: by shared values, in lists of any length."""

from typing import Any

import pytest

from crawloop.model.kind import Field, Kind
from crawloop.values import paired, resemblance

FIELDS = (Field("title"), Field("judge"), Field("status"))


def rows(count: int) -> list[dict[str, Any]]:
    """Records with a title of their own, and values that many share."""
    return [{"title": f"Case {n}", "judge": f"Judge {n % 7}", "status": "open"} for n in range(count)]


@pytest.mark.parametrize("count", [3, 150, 3_000])
def test_records_are_found_by_their_values_wherever_they_stand(count: int) -> None:
    known = rows(count)
    assert paired(known, known[::-1], FIELDS, all_known=True) == list(range(count))[::-1]


@pytest.mark.parametrize("count", [3, 150, 3_000])
def test_records_that_are_all_alike_are_paired_by_order(count: int) -> None:
    known = [{"judge": "Judge", "status": "open"}] * count
    assert paired(known, known, FIELDS, all_known=False) == list(range(count))


def test_a_record_of_shared_values_meets_the_one_that_has_all_of_them() -> None:
    known = [{"judge": f"Judge {n // 60}", "status": f"status {n % 60}"} for n in range(3_600)]
    assert paired(known, known[::-1], FIELDS, all_known=False) == list(range(3_600))[::-1]


def test_one_wrong_value_does_not_part_a_record_of_a_long_list_from_its_own() -> None:
    known = rows(3_000)
    got = [one | {"title": f"Case {n}" if n % 10 else "misread"} for n, one in enumerate(known)]
    assert paired(known, got, FIELDS, all_known=True) == list(range(3_000))


@pytest.mark.parametrize("count", [1_000, 8_000])
def test_the_pairs_that_are_looked_at_grow_with_the_list_and_not_with_its_square(count: int) -> None:
    keys = [[("title", str(n)), ("judge", str(n % 7)), ("status", "open")] for n in range(count)]
    assert len(resemblance(keys, keys, lambda many: 1 / many)) <= 60 * count


def test_the_score_is_what_the_shared_values_are_worth() -> None:
    ours, theirs = [[("a", "1"), ("b", "2")]], [[("a", "1"), ("b", "3")], [("a", "1"), ("b", "2")]]
    assert resemblance(ours, theirs, lambda many: 1 / many) == {(0, 0): 0.5, (0, 1): 1.5}


def test_records_that_differ_by_their_link_alone_are_told_by_it_however_it_is_written() -> None:
    known = [{"title": "Order", "link": f"/files?id={n}"} for n in (2, 1)]
    got = [{"title": "Order", "link": f"https://site.example/files?id={n}"} for n in (1, 2)]
    fields = (Field("title"), Field("link", Kind.URL))
    assert paired(known, got, fields, all_known=True, base="https://site.example/list") == [1, 0]
