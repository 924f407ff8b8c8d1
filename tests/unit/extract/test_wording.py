"""Which elements say a label: found by the parser label by label, or among the texts of all elements at once."""

from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from crawloop.extract.dom import wording
from crawloop.extract.dom.wording import habit
from crawloop.extract.view import PageView

LABELS = ("Total time", "Author", "author", "N.", "Größe", "Автор", "作者", "Total", "time:", "#", "1", "Straße 7")


@pytest.fixture(autouse=True)
def no_page_before() -> Iterator[None]:
    habit.looks = 0
    yield
    habit.looks = 0


def said(page: PageView, label: str) -> list[str]:
    return [one.html or "" for one in wording.saying(page._node, label, page._held.holding)]


PIECES = st.sampled_from(
    [
        *(f"{opening}{label}{ending}" for label in LABELS for opening, ending in (("", ": x "), ("<b>", "</b> y"))),
        *(label.upper() for label in LABELS),
        *("<p>", "</p>", "<td>", "<table>", "<div>", "</div>", "<br>", "<script>", "</script>", "<style>", "</style>"),
        *("<template>", "</template>", "<svg>", "</svg>", "<!-- Author -->", "Au<i>thor</i>", "Au<!-- -->thor", "\0"),
        *("Total&nbsp;time", "Total\n  time", "the author of all", "&#65;uthor", "<b></b>", " ", "İ", "ſ", "K"),
    ]
)


@given(st.lists(PIECES, max_size=30).map("".join), st.booleans())
@example("Автор: x АВТОР", False)
def test_both_ways_find_the_same_elements(body: str, long: bool) -> None:
    html = body + " " * (long * wording._SMALL)
    habit.looks = 0
    one_by_one = [said(PageView(html), label) for label in LABELS[: wording._SEVERAL - 1]]
    page = PageView(html)
    habit.looks = wording._SEVERAL
    at_once = [said(page, label) for label in LABELS]
    assert page._held._elements is not None
    assert at_once[: len(one_by_one)] == one_by_one
    for label, found in zip(LABELS, at_once, strict=True):
        assert found == [one.html for one in wording.saying(page._node, label)], label


def test_texts_are_taken_out_for_the_fourth_word_and_at_once_on_the_next_page() -> None:
    html = "<dl><dt>One</dt><dd>1</dd><dt>Two</dt><dd>2</dd><dt>Three</dt><dd>3</dd><dt>Four</dt><dd>4</dd></dl>"
    labels = ("One", "Two", "two", "Three", "Four")
    first, second = PageView(html), PageView(html)
    for label, text in zip(labels, "12234", strict=True):
        assert first._held._elements is None
        assert first.labelled(label) == text
    assert first._held._elements is not None
    assert second.labelled("One") == "1"
    assert second._held._elements is not None


def test_a_page_of_few_labels_is_no_sign_of_many() -> None:
    for _ in range(3):
        page = PageView("<dl><dt>One</dt><dd>1</dd><dt>Two</dt><dd>2</dd></dl>")
        assert [page.labelled("One"), page.labelled("Two")] == ["1", "2"]
        assert page._held._elements is None


def test_a_word_does_not_reach_from_one_text_to_the_next() -> None:
    habit.looks = 9
    page = PageView("<p>Da<br>te</p><p>5</p><dl><dt>Date</dt><dd>3 May</dd></dl>")
    assert said(page, "Date") == ["<dt>Date</dt>"]
    assert page.labelled("Date") == "3 May"


@pytest.mark.parametrize("length", [0, wording._SMALL])
def test_scripts_and_styles_say_no_label(length: int) -> None:
    for expected in (0, 9):
        habit.looks = expected
        page = PageView("<script>Author: x</script><style>Author: y</style><p>Author: Jane</p>" + " " * length)
        assert page.labelled("Author") == "Jane"


def test_labels_in_one_element_are_looked_for_in_it_alone() -> None:
    habit.looks = 9
    page = PageView("<div id=a><p>Author: Jane</p></div><div id=b><p>Author: John</p></div>")
    assert page.labelled("Author", "#b") == "John"
    assert [row.labelled("Author") for row in page.css("div")] == ["Jane", "John"]
    assert page._held._elements is None
