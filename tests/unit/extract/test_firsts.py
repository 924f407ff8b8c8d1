"""The matches in an element are the same, whether they are looked for there or known from a look at the whole page."""

from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawloop.extract.dom import firsts, nodes
from crawloop.extract.dom.firsts import Firsts
from crawloop.extract.view import PageView

SELECTORS = (
    "p",
    ".a",
    "div p",
    "div > .a",
    "p + p",
    "i:first-child",
    "p:not(.a)",
    "*",
    "s",
    "b, p",
    "template",
    "html",
)
NAMES = ("div", "p", "section", "i", "s", "del", "template", "b", "li")
ATTRIBUTES = ("", " class=a", ' style="text-decoration: line-through"')


@st.composite
def markup(draw: st.DrawFn, depth: int = 4) -> str:
    name, attributes = draw(st.sampled_from(NAMES)), draw(st.sampled_from(ATTRIBUTES))
    inside = draw(st.lists(markup(depth - 1), max_size=3)) if depth else []
    return f"<{name}{attributes}>{draw(st.sampled_from(('', 'x')))}{''.join(inside)}</{name}>"


@given(st.lists(markup(), min_size=1, max_size=4), st.sampled_from((0, firsts._WORTH_A_LOOK)))
@settings(max_examples=200, deadline=None)
def test_they_are_those_found_in_the_element_itself(pieces: list[str], worth_a_look: int) -> None:
    with patch.object(firsts, "_WORTH_A_LOOK", worth_a_look):
        _are_those_found_in_the_element_itself(PageView("".join(pieces)))


def _are_those_found_in_the_element_itself(page: PageView) -> None:
    asking = [page._node, *nodes.select(page._node, "*")]
    for css in SELECTORS:
        found = Firsts(page._node)
        for _ in range(2):
            for one in asking:
                wanted, got = nodes.first_said(one, css), found.of(one, css)
                assert (wanted and wanted.mem_id) == (got and got.mem_id), (css, one.html)
                every = [match.mem_id for match in nodes.select(one, css)]
                assert every == [match.mem_id for match in found.all(one, css)], (css, one.html)
    assert len(asking) * 4 <= firsts._MANY or css in found._known


def test_a_page_is_not_searched_for_what_is_asked_a_few_times_or_stands_everywhere() -> None:
    page = PageView("<li><b>1</b></li>" * 2_000)
    rows = page.css("li")
    texts = [row.text("b") for row in rows[: firsts._MANY - 1]]
    assert not page._firsts._known
    texts += [row.text("b") for row in rows[firsts._MANY - 1 : 100]]
    assert not page._firsts._known
    texts += [row.text("b") for row in rows[100:]]
    assert list(page._firsts._known) == ["b"]
    assert texts == ["1"] * 2_000


def test_a_struck_price_is_passed_over_in_every_row() -> None:
    card = "<li><del class=price>9</del><span class=price>{}</span></li>"
    page = PageView("".join(card.format(number) for number in range(60)) + "<li><del class=price>8</del></li>")
    assert [row.text(".price") for row in page.css("li")] == [*map(str, range(60)), "8"]


@pytest.mark.parametrize("style", ["hidden", "style='DISPLAY:NONE'"])
def test_a_hidden_price_is_no_second_one_in_any_row(style: str) -> None:
    card = f"<li><b class=price>{{}}</b><i class=price {style}>0</i></li>"
    page = PageView("".join(card.format(number) for number in range(60)))
    assert [row.text(".price", alone=True) for row in page.css("li")] == [*map(str, range(60))]


def test_labels_of_one_word_share_a_look_at_the_page() -> None:
    page = PageView("<dl><dt>Date Filed</dt><dd>1 May</dd><dt>FILED</dt><dd>Ann</dd></dl><p>Filed by: Bo</p>")
    assert [page.labelled(one) for one in ("Date filed", "filed", "Filed by")] == ["1 May", "Ann", "Bo"]
    assert len(page._held._known) == 1
    assert [row.labelled("filed by") for row in page.css("dl, p")] == [None, "Bo"]
    assert len(page._held._known) == 1


def test_a_selector_that_cannot_be_read_is_told_each_time() -> None:
    page = PageView("<p>x</p>")
    for _ in range(2 * firsts._MANY):
        with pytest.raises(ValueError, match="not a CSS selector"):
            page.text("p[")


def test_what_is_hidden_with_all_around_it_is_so_for_every_selector() -> None:
    page = PageView(
        "<main><section><b class=price>5</b></section><section hidden><div><b class=price>9</b><i>a</i></div></section>"
        "<section><div><i>b</i></div></section></main>"
    )
    assert [page.text(css, alone=True) for css in (".price", "i", "section div i", "b", "main b")] == [*"5bb55"]
    assert page.text("section[hidden] b", alone=True) is None
