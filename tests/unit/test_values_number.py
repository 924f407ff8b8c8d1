"""Numbers: the decimal mark by evidence, and never the first number of a text."""

import pytest

from crawloop.values import currency, has_currency, number_readings, parse_money, parse_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12", 12),
        ("12,50", 12.5),
        ("1.299,00 €", 1299.0),
        ("1,234,567.890", 1234567.89),
        ("1.234.567", 1234567),
        ("1,234", 1234),
        ("0.350", 0.35),
        ("0,350", 0.35),
        (".5", 0.5),
        ("1234,567", 1234.567),
        ("12,34,567", 1234567),
        ("Rs. 1,00,000.50", 100000.5),
        ("CHF 1'299.50", 1299.5),
        ("CHF 1’299.–", 1299),
        ("1 299", 1299),
        ("1\u00a0299,00\u00a0kr", 1299.0),
        ("1\u202f299\u2009€", 1299),
        ("12,- €", 12),
        ("12€50", 12.5),
        ("99¢", 0.99),
        ("US$ 5", 5),
        ("R$12,90", 12.9),
        ("EUR 10", 10),
        ("10 eur", 10),
        ("-5", -5),
        ("−5,5", -5.5),
        ("-$5", -5),
        ("$-5", -5),
        ("($12.50)", -12.5),
        ("45 %", 45),
        ("½", 0.5),
        ("1½", 1.5),
        ("2 3/4", 2.75),
        ("1.2k", 1200),
        ("3.5 Mio. €", 3500000),
        ("2 million", 2000000),
        ("1e3", 1000.0),
        ("&pound;12.50", 12.5),
        ("12,50&nbsp;&euro;", 12.5),
        ("\u200e<b>12</b>\n" + " " * 600, 12),
        ("１２３", 123),
        ("١٬٢٣٤٫٥", 1234.5),
    ],
)
def test_a_whole_text_is_read(text: str, number: float) -> None:
    assert parse_number(text, strict=True) == number
    assert parse_money(text, strict=True) == number


def test_an_int_is_an_int_only_where_no_decimals_are_written() -> None:
    assert isinstance(parse_number("1.299"[:1]), int)
    assert isinstance(parse_number("12.00"), float)


@pytest.mark.parametrize(
    "text",
    [
        "3.5 stars",
        "2 pairs from $349",
        "Pasta with 2 eggs",
        "5-10",
        "(25)",
        "4/5",
        "1.2.3",
        "192.168.1.10",
        "2026-01-02",
        "1,23,45",
        "12 34",
        "1.299.00",
        "B12",
        "",
        "-",
        "NaN",
        "inf",
        "1" * 60,
        "5 kg",
        "6 ft",
        "5 pounds",
        "1,2.3,4",
    ],
)
def test_a_text_that_is_no_number_as_a_whole_is_none(text: str) -> None:
    assert parse_number(text, strict=True) is None


def test_the_decimal_mark_settles_what_is_ambiguous() -> None:
    assert parse_number("3.350", decimal=".") == 3.35
    assert parse_number("3.350", decimal=",") == 3350
    assert parse_number("1,234", decimal=",") == 1.234


def test_what_is_ambiguous_goes_by_custom() -> None:
    assert parse_number("3.350") == 3.35
    assert parse_number("3.350 €") == 3350
    assert parse_number("KWD 3.350") == 3.35
    assert set(number_readings("3.350")) == {3.35, 3350}
    assert number_readings("12,50") == (12.5,)


def test_a_text_that_contradicts_the_decimal_mark_is_none() -> None:
    assert parse_number("12.50", decimal=",") is None
    assert parse_number("12,50", decimal=".") is None
    assert parse_number("1.234.567", decimal=".") is None


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("3.5 stars", 3.5),
        ("(1,234 reviews)", 1234),
        ("Serves 4", 4),
        ("Price: $-5.00", -5.0),
        ("Temperature: −5 °C", -5),
        ("Only 2nd", 2),
        ("now 99¢ each", 0.99),
        ("half: 1/2", 0.5),
        ("Now $12.50 ($12.50)", 12.5),
        ("Vitamin B12: 5 mg", 5),
        ("EUR 78²", 78),
        ("19,99 €²", 19.99),
    ],
)
def test_the_only_number_of_a_text_is_read(text: str, number: float) -> None:
    assert parse_number(text) == number


@pytest.mark.parametrize(
    "text", ["2 pairs from $349", "4.5 out of 5", "5-10", "2026-01-02", "10:30", "1.2.3", "B12", "EUR 1e999999"]
)
def test_several_numbers_are_none_rather_than_the_first(text: str) -> None:
    assert parse_number(text) is None


def test_an_amount_goes_before_numbers_without_currency() -> None:
    assert parse_money("2 pairs from $349") == 349
    assert parse_money("Save 20 % now 1.299 €") == 1299
    assert parse_money("was $20, now $15") is None
    assert parse_money("3.5 stars") == 3.5


def test_values_that_are_no_text() -> None:
    assert parse_number(5) == 5
    assert parse_number(2.5) == 2.5
    assert parse_number(True) is None
    assert parse_number(None) is None
    assert parse_number(float("nan")) is None
    assert parse_number(float("inf")) is None


def test_a_currency_is_seen_only_beside_a_number() -> None:
    assert has_currency("from $ 349")
    assert has_currency("349 kr")
    assert not has_currency("2 crowns")
    assert not has_currency("TRY AGAIN 5")


def test_each_word_of_a_currency_is_known_behind_an_amount() -> None:
    words = f"{currency._LOOSE} {currency._LOOSE.upper()} {currency._WORDS} {currency._CODES}".split()
    assert [one for one in [*words, *currency.SIGNS[:-1]] if not has_currency(f"12.50 {one}")] == []
