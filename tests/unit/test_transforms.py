"""The vocabulary of programs: total, exact, and the same over lists."""

import time
from typing import Any

import pytest

from crawloop.extract import transforms
from crawloop.extract.transforms import (
    agreed,
    at,
    enough,
    first,
    join,
    labels,
    match,
    split,
    strip_prefix,
    strip_suffix,
    unique,
)


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
        ("clean", ("Nuts ((toasted)), 2 figs ((dried) (or fresh))",), "Nuts (toasted), 2 figs (dried) (or fresh)"),
        ("clean", ("print((a, b)) (see (c))",), "print((a, b)) (see (c))"),
        ("after", ("Author: Jane", ":"), "Jane"),
        ("after", ("Jane", ":"), None),
        ("before", ("Jane | Site", "|"), "Jane"),
        ("prefix", (4, "no. "), "no. 4"),
        ("suffix", (4, " servings"), "4 servings"),
        ("strip_prefix", ("By Jane", "by "), "Jane"),
        ("strip_suffix", ("4 servings", "servings"), "4"),
        ("replaced", ("Vera V Vole", "v", "v."), "Vera v. Vole"),
        ("without", ("No. #7; again", "#;"), "No. 7 again"),
        ("rebased", ("../a/1.pdf", "https://files.example/x/"), "https://files.example/a/1.pdf"),
        ("rounded", (4.46, 1), 4.5),
        ("rounded", (4.46,), 4),
        ("upper", ("eur",), "EUR"),
        ("lower", ("EUR",), "eur"),
        ("tight", ("See items 1 , 2 and 3 . Not .5 or a , b",), "See items 1, 2 and 3. Not .5 or a, b"),
        ("slug", ("Date Filed", "_"), "date_filed"),
        ("slug", (" New York, N.Y.",), "new-york-n-y"),
        ("lacking", ("Lamp, sold", ["used", "broken"]), "Lamp, sold"),
        ("lacking", ("Lamp (USED)", ["used", "broken"]), None),
        ("lacking", ("Lamp*", ["*"]), None),
        ("lacking", ("Lamp", ["a"]), "Lamp"),
        ("lacking", ("Lamp a", ["a"]), None),
        ("once", ("24-1, Roe v. Doe", r"\d+-\d+"), "24-1, Roe v. Doe"),
        ("once", ("24-1, Roe v. Doe (24-1)", r"\d+-\d+"), "24-1, Roe v. Doe (24-1)"),
        ("once", ("Roe v. Doe", r"\d+-\d+"), "Roe v. Doe"),
        ("once", ("24-1, 24-2, Roe v. Doe", r"\d+-\d+"), None),
        ("once", ("24-1", r"(\d+"), None),
    ],
)
def test_a_value_becomes_what_its_function_says(name: str, args: tuple[Any, ...], wanted: Any) -> None:
    function = getattr(transforms, name)
    assert function(*args) == wanted
    assert function(None, *args[1:]) is None
    expected = [] if wanted is None else [wanted]
    assert function([args[0], None], *args[1:]) == expected


OF_TEXT = (
    "after",
    "before",
    "prefix",
    "suffix",
    "strip_prefix",
    "strip_suffix",
    "split",
    "join",
    "rebased",
    "without",
)


@pytest.mark.parametrize(
    ("parts", "all_of_them", "some_of_them"),
    [
        ([5, 2.5], 7.5, 7.5),
        ([5, None], None, 5),
        ([None], None, None),
        ([], None, None),
        (4, 4, 4),
        (["5"], None, None),
    ],
)
def test_a_total_is_the_sum_of_all_parts_or_of_those_that_there_are(
    parts: Any, all_of_them: float | None, some_of_them: float | None
) -> None:
    assert transforms.total(parts) == all_of_them
    assert transforms.total(parts, gaps=True) == some_of_them


@pytest.mark.parametrize(
    "name", [n for n in transforms.__all__ if n not in ("first", "enough", "agreed", "unique", "present")]
)
@pytest.mark.parametrize("value", ["", "no such thing", 3, True, [], {}, {"a": 1}, [[1]], "🧀" * 50])
def test_bad_input_gives_a_value_or_none_and_never_an_exception(name: str, value: Any) -> None:
    extra: dict[str, tuple[Any, ...]] = {
        "labels": ({},),
        "at": (5,),
        "rounded": (1,),
        "scaled": (2,),
        "match": ("(x",),
        "once": ("(x",),
    }
    extra |= {"lacking": (["x"],), "distinct": (["x"],)}
    extra["replaced"] = ("x", "y")
    getattr(transforms, name)(value, *extra.get(name, ("",) if name in OF_TEXT else ()))


NASTY: list[Any] = [
    *(
        "",
        " ",
        "\x00",
        "\ud800",
        "9" * 5_000,
        "1" + "0" * 400,
        "1e400",
        "nan",
        "½",
        "１２",
        "<" * 500,
        "&#x110000;",
        "(" * 99,
    ),
    *(0, -1, True, 10**400, 1e308, float("inf"), float("nan"), 0.1 + 0.2),
    *([], [[]], {}, {"a": [1]}, (), object(), b"x", [None, "a", [1, ["b"]], {"c": 1}, float("nan")]),
]
ARGUMENTS: dict[str, list[tuple[Any, ...]]] = {
    "number": [(), (",",), (".",), ("?",)],
    "money": [(), (",",)],
    "cents": [(), (",",)],
    "date": [(), ("dmy",), ("?",)],
    "datetime": [(), ("mdy",)],
    "duration": [(), ("hours",)],
    "rounded": [(), (2,), (-2,)],
    "scaled": [(0.01,), (60,), (float("inf"),)],
    "at": [(0,), (-9,)],
    "labels": [({},), ({"a": 1},)],
    "lacking": [([],), (["a", 1],)],
    "distinct": [([],), (["a", 1, None],), ("a",)],
    "replaced": [("", ""), ("a", "b")],
    "once": [("a",), ("(",), ("a" * 9_000,), ("",)],
    "match": [("(a)",), ("(",), (r"(a)|b", 1), ("a", -1), ("a" * 9_000,), (r"(?P<x>.)(?P=x)",)],
}
for one in OF_TEXT:
    ARGUMENTS[one] = [("",), ("a",)]


@pytest.mark.parametrize("name", transforms.__all__)
def test_every_function_is_total(name: str) -> None:
    for value in NASTY:
        for args in ARGUMENTS.get(name, [()]):
            getattr(transforms, name)(value, *args)


def test_numbers_lists_and_objects_as_texts() -> None:
    assert transforms.suffix(4.0, " servings") == "4 servings"
    assert transforms.clean({"a": 1}) is None
    assert transforms.clean(["<b>a</b>", None, ["b", [" c "]], {}, ""]) == ["a", "b", "c"]
    assert transforms.upper([["a"]]) == ["A"]
    assert join([["a"], 1, None], "-") == "a-1"
    assert transforms.title("mc donald's FARM") == "Mc Donald's Farm"


def test_money_in_cents_is_exact() -> None:
    assert [transforms.cents(one) for one in ("$19.99", "1.005", 0.29, 1.15, "12,50 €")] == [1999, 101, 29, 115, 1250]


def test_moments_as_seconds_since_1970() -> None:
    assert transforms.date(1_700_000_000) == "2023-11-14"
    assert transforms.date("1700000000000") == "2023-11-14"
    assert transforms.date(2023) is None
    assert transforms.date(True) is None


def test_a_prefix_is_cut_by_its_own_length() -> None:
    assert transforms.strip_prefix("STRASSE 5", "straße") == "STRASSE 5"
    assert transforms.strip_prefix("STRASSE 5", "strasse") == "5"


def test_a_label_is_matched_whole() -> None:
    table = {"available": "in", "unavailable": "out"}
    assert labels(" Unavailable ", table) == "out"
    assert labels("currently available", table) is None


def test_lists_are_cut_joined_and_counted() -> None:
    assert split("soup, dinner ,, lunch", ",") == ["soup", "dinner", "lunch"]
    assert split(["a, b", "c"], ",") == ["a", "b", "c"]


def test_split_leaves_a_name_what_stands_behind_its_comma() -> None:
    assert split("Roe, Jr., Acme, Inc., Poe", ",") == ["Roe, Jr.", "Acme, Inc.", "Poe"]
    assert split(["Roe", "Inc"], ",") == ["Roe", "Inc"]
    assert split("Inc; Co", ";") == ["Inc", "Co"]
    assert join(["a", None, "b"], "/") == "a/b"
    assert join([], "/") is None
    assert join(["a", "", "b"], "/", whole=True) == "a/b"
    assert join(["a", None], "/", whole=True) is None
    assert join([["a", "b"], None], "/", whole=True) is None
    assert join(["", ""], "/", whole=True) is None
    assert (at(["a", "b"], -1), at(["a", "b"], 2), at("a", 0)) == ("b", None, "a")
    assert unique(["b", "a", "b"]) == ["b", "a"]


def test_the_first_reading_with_a_value_counts_and_zero_is_a_value() -> None:
    assert first(None, "", [], 0, 5) == 0


def test_readings_that_differ_agree_on_nothing() -> None:
    assert agreed("Jane", None, "jane ") == "Jane"
    assert agreed("Jane", "June") is None
    assert agreed(None, "") is None


def test_so_many_readings_are_enough_and_less_are_not() -> None:
    assert enough("a", None, "", "d", least=2) == "a"
    assert enough(None, "b", [], None, least=2) is None
    assert enough(None, 0, least=1) == 0
    assert enough("a", "b", None, least=3) is None


def test_readings_behind_a_lambda_are_only_made_where_they_may_decide() -> None:
    made: list[str] = []

    def say(value: str) -> str:
        made.append(value)
        return value

    assert first(0, lambda: say("a")) == 0
    assert agreed("Jane", "jane", lambda: say("b")) == "Jane"
    assert enough("a", "b", lambda: say("c"), lambda: say("d"), least=2) == "a"
    assert enough(None, None, None, lambda: say("c"), least=2) is None
    assert made == []
    assert first(None, lambda: say(" "), lambda: say("c"), lambda: say("d")) == "c"
    assert agreed("Jane", "June", lambda: say("June")) == "June"
    assert made == [" ", "c", "June"]


RUNAWAYS = [
    *(r"(a+)+$", r"([a-z]*)*x", r"(\w+\s?)*$", r"(a{1,}){2,}", r"(a|aa)+$", r"(a|b|ab)*c", r"((a+))+b", r"(.*)\1+x"),
    *(
        r"(x+x+)+y",
        r"(?:a?){30}a{30}",
        r"(a?a?)*b",
        r"(?:a+){10}b",
        r"(?=(a+)+$)b",
        r"(?:(?:a+)?){9,}b",
        r"(?:a{0,8}){8}b",
    ),
]


@pytest.mark.parametrize("pattern", RUNAWAYS)
def test_a_pattern_that_can_run_away_is_not_run(pattern: str) -> None:
    started = time.process_time()
    assert match("a" * 40 + "!", pattern, 0) is None
    assert time.process_time() - started < 1


SLOW = [r".*.*x", r".*.*.*x", r"\d+\d+x", r"\s*\s*\s*\s*x", r"[a-z]+\w+\d+x", r".*-.*-.*x", r"(?s).+?.+?y", r"\d+x"]


@pytest.mark.parametrize("pattern", SLOW)
@pytest.mark.parametrize("char", ["a", "1", " ", "-"])
def test_a_slow_pattern_sees_a_part_of_the_text_only(pattern: str, char: str) -> None:
    started = time.process_time()
    match(char * 50_000, pattern, 0)
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("pattern", "text", "wanted"),
    [
        (r"(\d+(?:[.,]\d+)*)", "a" * 2_000 + " 1.234,5 x", "1.234,5"),
        (r"(\d[\d.,]*)\D*$", "5 of 7 stars", "7"),
        (r"^(.+?[.!?])(?:\s|$)", "One. Two.", "One."),
        (r"(?i)price:\s*\$?([\d,]+\.\d{2})", "x" * 2_000 + " PRICE: $1,200.00", "1,200.00"),
        (r"([A-Z][a-z]+(?: [A-Z][a-z]+){0,3})", "by Jane Doe Smith", "Jane Doe Smith"),
        (r"(?:\d{1,3},)*(\d{3})", "1,234,567", "567"),
        (r"(?:a|b)+(c)", "abbac", "c"),
        (r"by (.+?) on (.+)", "by Jane on Monday", "Jane"),
    ],
)
def test_ordinary_patterns_run(pattern: str, text: str, wanted: str) -> None:
    assert match(text, pattern) == wanted


def test_a_pattern_reads_a_group() -> None:
    assert match("SKU: A-12", r"SKU: (\S+)") == "A-12"
    assert match("SKU: A-12", r"SKU: (\S+)", 2) is None
    assert strip_suffix("4", "servings") == "4"
    assert strip_suffix("4", "servings", always=True) is None
    assert strip_prefix("about 4", "about", always=True) == "4"
    assert strip_prefix("4", "about", always=True) is None


def test_a_date_in_figures_of_either_order_is_none_where_the_orders_differ() -> None:
    texts = ["31/12/2012", "07/07/2012", "07/08/2012", "3 May 2012", "2012-07-08"]
    assert [transforms.date(one, order="either") for one in texts] == [
        "2012-12-31",
        "2012-07-07",
        None,
        "2012-05-03",
        "2012-07-08",
    ]


def test_the_reference_tells_every_function() -> None:
    lines = transforms.reference().splitlines()
    assert [line.partition("(")[0] for line in lines] == transforms.__all__
    assert all(line.endswith(".") and len(line) < 200 for line in lines)


@pytest.mark.parametrize(
    ("value", "factor", "gives"),
    [(1250, 0.01, 12.5), ("1250 ct", 0.01, 12.5), (2, 60, 120), ("3", 0.1, 0.3), (True, 2, None), ("none", 2, None)],
)
def test_numbers_are_scaled_without_traces_of_binary(value: Any, factor: float, gives: Any) -> None:
    assert transforms.scaled(value, factor) == gives


def test_prose_reads_sections_with_their_headings_and_no_heading_twice() -> None:
    steps = [
        {"name": "Dough", "itemListElement": [{"name": "Mix.", "text": "<b>Mix</b> all."}, {"text": "Rest."}]},
        {"name": "Bake", "text": "One hour."},
        "Serve.",
    ]
    assert transforms.prose(steps) == ["Dough", "<b>Mix</b> all.", "Rest.", "Bake", "One hour.", "Serve."]
    assert transforms.prose(None) is None


def test_only_takes_the_one_element_and_never_chooses() -> None:
    assert transforms.only(["Soup"]) == transforms.only("Soup") == "Soup"
    assert transforms.only(["Soup", "Starter"]) is transforms.only([]) is None


def test_rows_with_a_key_that_came_before_are_left_out() -> None:
    assert transforms.distinct(["a", "b", "c", "d"], ["1", "2", "1", None]) == ["a", "b", "d"]
