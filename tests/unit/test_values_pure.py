"""Values run inside the sandbox: standard library only, nothing loaded after import, no hostile text stalls them."""

import subprocess
import sys
import time
from collections.abc import Callable
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop.model.kind import Field, Kind
from crawloop.values import (
    base_of,
    canonical_url,
    clean,
    date_readings,
    equal,
    fold,
    normalise,
    number_readings,
    parse_date,
    parse_duration,
    parse_money,
    parse_number,
)


def base_of_page(link: str) -> str | None:
    """The address to which a link is joined to give some page's."""
    return base_of(f"{link}#", "https://shop.example/a")


PARSERS: list[Callable[[str], Any]] = [
    parse_number,
    parse_money,
    parse_date,
    parse_duration,
    number_readings,
    date_readings,
    canonical_url,
    base_of_page,
    clean,
    fold,
]
FIGURES = st.text(alphabet="0123456789.,'  -/:€$%½+()hTZPM\u00a0−年月日jan", max_size=40)


@given(st.text() | FIGURES)
def test_no_text_makes_a_parser_raise(text: str) -> None:
    for parse in PARSERS:
        parse(text)
    for kind in Kind:
        normalise(text, Field("f", kind), base="https://shop.example/a")


@given(st.text() | st.from_regex(r"(https?:)?//[a-z.:0-9]{1,9}(/[\w%. ]{0,9}){0,3}([?#][\w=&%]{0,9})?", fullmatch=True))
def test_a_canonical_url_is_canonical(text: str) -> None:
    once = canonical_url(text, "https://shop.example/a")
    assert once is None or canonical_url(once, "https://shop.example/a") == once


@given(FIGURES)
def test_a_normal_form_is_the_same_value(text: str) -> None:
    for kind in (Kind.NUMBER, Kind.MONEY, Kind.DATE, Kind.DATETIME, Kind.DURATION):
        field = Field("f", kind)
        form = normalise(text, field)
        assert form is None or equal(form, text, field)


@pytest.mark.parametrize(
    "unit",
    [
        "1 ",
        "1.",
        "1,",
        "1:",
        "1/",
        "1 jan ",
        "(",
        "<!--",
        "<script>",
        "<b ",
        "&amp;",
        "1-",
        "€1",
        "1 h ",
        "½",
        "a",
        "-- 1",
        "P1",
        "''",
    ],
)
def test_no_hostile_text_stalls_a_parser(unit: str) -> None:
    short, long = unit * (500 // len(unit)), unit * (200_000 // len(unit))
    started = time.process_time()
    for parse in PARSERS:
        parse(short)
        parse(long)
    assert time.process_time() - started < 2


def test_nothing_is_loaded_or_opened_after_import() -> None:
    script = """
        import sys
        from crawloop.values import *
        from crawloop.model.kind import Field, Kind
        foreign = [m for m in sys.modules if m.partition(".")[0] in ("pydantic", "selectolax", "sqlalchemy", "httpx")]
        assert not foreign, foreign
        seen = []
        sys.addaudithook(lambda event, args: seen.append((event, args)) if event in ("open", "import") else None)
        texts = ["12,50 €", "2 января 2026 г. 10:00 CET", "1 Std.", "PT1H", "/a?b=%c3", "Caf&eacute; <b>½</b>", "yes"]
        for kind in Kind:
            field = Field("f", kind, choices=("a", "b") if kind is Kind.ENUM else ())
            for text in texts:
                normalise(text, field, base="https://shop.example/ä")
                equal(text, "other", field)
                fits(text, profile(texts, field), field)
        parse_epoch(1767312000), date_readings("02/01/2026"), clean("a<br>b")
        assert not seen, seen
    """
    done = subprocess.run([sys.executable, "-c", dedent(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_what_a_link_is_joined_to_is_looked_for_in_links_only() -> None:
    assert base_of("../a/1.pdf", "https://site.example/a/1.pdf") == "https://site.example/_/"
    assert base_of("/a/1.pdf", "https://site.example/a/1.pdf") == "https://site.example"
    assert base_of("a/1.pdf#page=2", "https://site.example/a/1.pdf") is None
    assert base_of("a/" * 5000, "https://site.example/" + "a/" * 5000) is None  # longer than any link
    assert base_of("../", "https://site.example/") is None
