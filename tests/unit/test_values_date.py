"""Dates: the written day, by order where figures alone do not tell."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop.values import date, date_readings, parse_date, parse_epoch
from crawloop.values.months import MONTHS, bare

DAY = "2026-01-02"


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2026-01-02", DAY),
        ("20260102", DAY),
        ("2026/1/2", DAY),
        ("2026-01-02T10:00:00Z", f"{DAY}T10:00:00+00:00"),
        ("2026-01-02T10:00:00.123+0100", f"{DAY}T10:00:00+01:00"),
        ("2026-01-02 10:00", f"{DAY}T10:00:00"),
        ("2 January 2026", DAY),
        ("2nd of January, 2026", DAY),
        ("Jan 2, 2026", DAY),
        ("Jan. 2nd, 2026", DAY),
        ("Friday, January 2, 2026", DAY),
        ("02.01.2026", DAY),
        ("2. 1. 2026", DAY),
        ("02.01.26", DAY),
        ("2-Jan-26", DAY),
        ("2 Jan '26", DAY),
        ("12/25/99", "1999-12-25"),
        ("13/01/2026", "2026-01-13"),
        ("2. Januar 2026", DAY),
        ("2. Jänner 2026", DAY),
        ("3 août 2026", "2026-08-03"),
        ("mar. 3 mars 2026", "2026-03-03"),
        ("le 1er février 2026", "2026-02-01"),
        ("2 de enero de 2026", DAY),
        ("2 gennaio 2026", DAY),
        ("2 maart 2026", "2026-03-02"),
        ("2 de março de 2026", "2026-03-02"),
        ("den 2 maj 2026", "2026-05-02"),
        ("2. marts 2026", "2026-03-02"),
        ("2. desember 2026", "2026-12-02"),
        ("2. tammikuuta 2026 klo 14.30", f"{DAY}T14:30:00"),
        ("2 stycznia 2026", DAY),
        ("2. října 2026", "2026-10-02"),
        ("2 Ağustos 2026", "2026-08-02"),
        ("2 января 2026 г.", DAY),
        ("2026년 1월 2일", DAY),
        ("2026年1月2日", DAY),
        ("Fri, 02 Jan 2026 10:00:00 +0100", f"{DAY}T10:00:00+01:00"),
        ("Fri Jan  2 10:00:00 2026", f"{DAY}T10:00:00"),
        ("Fri Jan 02 2026 10:00:00 GMT+0100 (Central European Time)", f"{DAY}T10:00:00+01:00"),
        ("Jan 2, 2026 at 3:05 pm EST", f"{DAY}T15:05:00-05:00"),
        ("January 2, 2026 12:05 a.m.", f"{DAY}T00:05:00"),
        ("Freitag, 2. Januar 2026, 14:30 Uhr", f"{DAY}T14:30:00"),
        ("2 janvier 2026 à 14h30", f"{DAY}T14:30:00"),
        ("10:00, 2 Jan 2026", f"{DAY}T10:00:00"),
        ("2026-01-02 10:00 EST", f"{DAY}T10:00:00-05:00"),
        ("<time>2&nbsp;Jan\n" + " " * 300 + "2026</time>", DAY),
    ],
)
def test_a_whole_text_is_read(text: str, iso: str) -> None:
    assert parse_date(text, strict=True) == iso


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026",
        "January 2026",
        "yesterday",
        "31/02/2026",
        "2026-13-01",
        "19,60 5",
        "v1.2.26",
        "1.2.3",
        "192.168.10.12",
        "10:30",
        "Published on Jan 2, 2026 by Ann",
        "2 Jan 2026 - 4 Jan 2026",
        "5 eggs 2026",
        "1767312000",
        "May contain 2 nuts",
        "2 Jan 2026, 10:00 - 12:00",
    ],
)
def test_a_text_that_is_no_date_as_a_whole_is_none(text: str) -> None:
    assert parse_date(text, strict=True) is None


def test_the_order_settles_what_figures_do_not() -> None:
    assert parse_date("02/01/2026", order="dmy") == "2026-01-02"
    assert parse_date("02/01/2026", order="mdy") == "2026-02-01"
    assert parse_date("26-01-02", order="ymd") == "2026-01-02"
    assert parse_date("13/01/2026", order="mdy") is None


def test_without_order_custom_decides() -> None:
    assert parse_date("02/01/2026") == "2026-02-01"
    assert parse_date("02-01-2026") == "2026-01-02"
    assert parse_date("02.01.2026") == "2026-01-02"


def test_all_readings_are_named_with_their_order() -> None:
    assert dict(date_readings("02/01/2026")) == {"dmy": "2026-01-02", "mdy": "2026-02-01"}
    assert date_readings("2 Jan 2026") == ((None, "2026-01-02"),)
    assert date_readings("no date") == ()


def test_the_only_date_of_a_text_is_read() -> None:
    assert parse_date("Published on Jan 2, 2026 by Ann") == "2026-01-02"
    assert parse_date("(Entered: 04/09/2009)", order="mdy") == "2009-04-09"
    assert parse_date("Updated 2026-01-02T10:00:00Z, 5 comments") == "2026-01-02T10:00:00+00:00"
    assert parse_date("Doors 2 Jan 2026, 10:00 - 12:00") == "2026-01-02T10:00:00"


@pytest.mark.parametrize("text", ["2 Jan 2026 - 4 Jan 2026", "2 Jan 26 comments", "from 1/2/2026 to 3/4/2026"])
def test_several_dates_are_none_rather_than_the_first(text: str) -> None:
    assert parse_date(text) is None


def test_a_time_far_from_the_date_is_not_its_time() -> None:
    assert parse_date("Filed 2 Jan 2026. The office opens at 10:00") == "2026-01-02"


def test_epochs_are_read_only_when_asked() -> None:
    assert parse_epoch(1767312000) == "2026-01-02T00:00:00+00:00"
    assert parse_epoch("1767312000000") == "2026-01-02T00:00:00+00:00"
    assert parse_epoch("soon") is None
    assert parse_epoch(-5) is None


def test_no_month_name_means_two_months() -> None:
    assert {MONTHS[bare(n)] for n in ("czerwiec", "červen", "červenec", "Ekim", "Kasım", "июль")} == {6, 7, 10, 11}


PIECES = (
    *(
        "1",
        "23",
        "2024",
        "99",
        "５",
        "²",
        "jan",
        "märz",
        "İ",
        "ſ",
        "t",
        "z",
        "h",
        "uhr",
        "am",
        "p.m.",
        "klo",
        "of",
        "th",
    ),
    *("-", "/", ".", ":", ",", "(", ")", "'", " ", "年", "月", "日", "utc", "+01:00"),
)


@given(st.lists(st.sampled_from(PIECES), max_size=9).map("".join))
def test_no_form_is_passed_over_that_a_text_holds(text: str) -> None:
    plain = date._plain(text)
    for may_stand, pattern, *_ in (*date._FORMS, *date._TIMES):
        assert may_stand(plain) or pattern.search(plain) is None
