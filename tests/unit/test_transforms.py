"""The vocabulary of programs: total, exact, and the same over lists."""

import time
from typing import Any

import pytest

from crawloop.extract import transforms
from crawloop.extract.transforms import agreed, at, first, join, labels, match, split, strip_suffix, unique


@pytest.mark.parametrize(
    ("name", "args", "wanted"),
    [
        ("number", ("1.299,00",), 1299),
        ("number", ("3.350", "."), 3.35),
        ("money", ("1.299,00 €",), 1299),
        ("cents", ("$12.50",), 1250),
        ("date", ("2 January 2026",), "2026-01-02"),
        ("date", ("02/01/2026", "dmy"), "2026-01-02"),
        ("duration", ("PT1H30M",), 90),
        ("duration", ("1 hr 30 min", "hours"), 1.5),
        ("clean", ("<b>Fish &amp;\n chips</b>",), "Fish & chips"),
        ("after", ("Author: Jane", ":"), "Jane"),
        ("after", ("Jane", ":"), None),
        ("before", ("Jane | Site", "|"), "Jane"),
        ("prefix", (4, "no. "), "no. 4"),
        ("suffix", (4, " servings"), "4 servings"),
        ("strip_prefix", ("By Jane", "by "), "Jane"),
        ("strip_suffix", ("4 servings", "servings"), "4"),
        ("rounded", (4.46, 1), 4.5),
        ("rounded", (4.46,), 4),
        ("upper", ("eur",), "EUR"),
        ("lower", ("EUR",), "eur"),
    ],
)
def test_a_value_becomes_what_its_function_says(name: str, args: tuple[Any, ...], wanted: Any) -> None:
    function = getattr(transforms, name)
    assert function(*args) == wanted
    assert function(None, *args[1:]) is None
    expected = [] if wanted is None else [wanted]
    assert function([args[0], None], *args[1:]) == expected


@pytest.mark.parametrize("name", [n for n in transforms.__all__ if n not in ("first", "agreed", "unique", "present")])
@pytest.mark.parametrize("value", ["", "no such thing", 3, True, [], {}, {"a": 1}, [[1]], "🧀" * 50])
def test_bad_input_gives_a_value_or_none_and_never_an_exception(name: str, value: Any) -> None:
    extra: dict[str, tuple[Any, ...]] = {"labels": ({},), "at": (5,), "rounded": (1,), "match": ("(x",)}
    needs_text = ("after", "before", "prefix", "suffix", "strip_prefix", "strip_suffix", "split", "join")
    getattr(transforms, name)(value, *extra.get(name, ("",) if name in needs_text else ()))


def test_a_label_is_matched_whole() -> None:
    table = {"available": "in", "unavailable": "out"}
    assert labels(" Unavailable ", table) == "out"
    assert labels("currently available", table) is None


def test_lists_are_cut_joined_and_counted() -> None:
    assert split("soup, dinner ,, lunch", ",") == ["soup", "dinner", "lunch"]
    assert split(["a, b", "c"], ",") == ["a", "b", "c"]
    assert join(["a", None, "b"], "/") == "a/b"
    assert join([], "/") is None
    assert (at(["a", "b"], -1), at(["a", "b"], 2), at("a", 0)) == ("b", None, "a")
    assert unique(["b", "a", "b"]) == ["b", "a"]


def test_the_first_reading_with_a_value_counts_and_zero_is_a_value() -> None:
    assert first(None, "", [], 0, 5) == 0


def test_readings_that_differ_agree_on_nothing() -> None:
    assert agreed("Jane", None, "jane ") == "Jane"
    assert agreed("Jane", "June") is None
    assert agreed(None, "") is None


@pytest.mark.parametrize("pattern", [r"(a+)+$", r"([a-z]*)*x", r"(\w+\s?)*$", r"(a{1,}){2,}"])
def test_a_pattern_that_can_run_away_is_not_run(pattern: str) -> None:
    started = time.perf_counter()
    assert match("a" * 40 + "!", pattern, 0) is None
    assert time.perf_counter() - started < 1


def test_a_pattern_reads_a_group() -> None:
    assert match("SKU: A-12", r"SKU: (\S+)") == "A-12"
    assert match("SKU: A-12", r"SKU: (\S+)", 2) is None
    assert strip_suffix("4", "servings") == "4"


def test_the_reference_tells_every_function() -> None:
    lines = transforms.reference().splitlines()
    assert [line.partition("(")[0] for line in lines] == transforms.__all__
