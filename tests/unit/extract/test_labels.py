"""Values beside a label."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop.extract.view import PageView


@pytest.mark.parametrize(
    "body",
    [
        "<dl><dt>Author</dt><dd>Jane Doe</dd><dt>Date</dt><dd>3 May</dd></dl>",
        "<dl><div><dt><span>Author</span>:</dt><dd><a>Jane</a> Doe</dd></div></dl>",
        "<table><tr><th>Author</th><td>Jane Doe</td></tr><tr><th>Date</th><td>3 May</td></tr></table>",
        "<table><tr><td><b>author :</b></td><td>Jane Doe</td><td>Date</td><td>3 May</td></tr></table>",
        "<table><thead><tr><th>Date</th><th>Author</th></tr></thead><tr><td>3 May</td><td>Jane Doe</td></tr></table>",
        "<p>Author: Jane Doe</p>",
        "<p>AUTHOR : Jane Doe<br>Date: 3 May</p>",
        "<p>Date: 3 May<br>Author: <a>Jane</a> Doe</p>",
        "<p><b>Author</b>: Jane Doe <b>Date</b>: 3 May</p>",
        "<p><b>Author:</b> Jane Doe<br><b>Date:</b> 3 May</p>",
        "<p><strong>Author:</strong> <strong>Jane Doe</strong></p>",
        "<p><span>Author</span> – Jane Doe</p>",
        "<li><span>Author</span><span>Jane Doe</span></li>",
        "<div>Author</div><div>Jane Doe</div>",
        "<div>Author <span>Jane Doe</span></div><p><a>Author</a></p><p>Editor</p>",
        "<div><div><p>Author</p></div><div>Jane <i>Doe</i></div></div>",
        "<h3>Author</h3><p>Jane Doe</p><h3>Date</h3><p>3 May</p>",
        "<h3>Author</h3><p>Jane</p><p>Doe</p><h2>Date</h2>",
        "<p>Author\n &nbsp;:  Jane\n Doe</p>",
        "<label>Author</label> Jane Doe",
        "<span>Author：</span><span>Jane Doe</span>",
        "<div>Author</div><div>Jane Doe</div><footer>Author: Jane  Doe</footer>",
        "<nav><a>Author</a> | <a>Contact</a></nav><p>Author: Jane Doe</p>",
        "<h4>\n <span>Author: Jane Doe</span>\n</h4><h4>\n <span>Date: 3 May</span>\n</h4>",
        "<p>3 May<br>\n<span>Author: Jane Doe</span></p>",
        "<p>\n <b>Author: J. D.</b></p><dl><dt>Author</dt><dd>Jane Doe</dd></dl>",
        "<h4>Author</h4><p>Someone else</p><dl><dt>Author</dt><dd>Jane Doe</dd></dl>",
    ],
)
def test_the_value_beside_a_label(body: str) -> None:
    page = PageView(f"<html><body><main>{body}</main></body></html>")
    assert page.labelled("Author") == "Jane Doe"
    assert page.labelled(" author: ") == "Jane Doe"


@pytest.mark.parametrize(
    "body",
    [
        "<p>Author: Jane</p><p>Author: John</p>",
        "<dl><dt>Author</dt><dd>Jane</dd></dl><p>Author: John</p>",
        "<p>Co-Author: Jane</p>",
        "<p>Authors: Jane</p>",
        "<p>The author: Jane</p>",
        "<p>By the <b>author</b></p>",
        "<dl><dt>Author</dt><dt>Date</dt><dd>3 May</dd></dl>",
        "<dl><dt>Author</dt><dd></dd></dl>",
        "<table><tr><th>Author</th><th>Date</th></tr><tr><td>A</td><td>B</td></tr><tr><td>C</td><td>D</td></tr></table>",
        "<p>Author:</p>",
        "<p><b>Author:</b> <b>Date:</b> 3 May</p>",
        "<script>var x = 'Author: Jane';</script>",
        "<p>Written by. Author: Jane</p>",
        "<p>Written by <span>Author: Jane</span></p>",
        "<p><i>Co-</i> <span>Author: Jane</span></p>",
    ],
)
def test_nothing_rather_than_a_guess(body: str) -> None:
    assert PageView(f"<html><body><main>{body}</main></body></html>").labelled("Author") is None


def test_where_it_is_looked_for() -> None:
    page = PageView("<div id=a><p>Author: Jane</p></div><div id=b><p>Author: John</p></div>")
    assert page.labelled("Author", "#b") == "John"
    assert page.css("#a")[0].labelled("Author") == "Jane"
    assert page.labelled("Author", "#c") is None


def test_a_minus_belongs_to_the_value() -> None:
    assert PageView("<p>Author: -5</p>").labelled("Author") == "-5"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<li><b>Publisher</b>: Moor Press</li>", ": Moor Press"),
        ("<li><span>Phone:</span> 555-0101 | <a>Book a table</a></li>", "555-0101 |"),
        ("<p><strong>Address</strong><br>1 Low St<br>Ely</p>", "1 Low St"),
        ("<p><b>Date</b> 3<!-- day --> May</p>", "3 May"),
        ("<p><b>Author</b> <a>Jane</a></p>", None),
        ("<p><b>Author</b> Jane</p><p><b>Author</b> Joan</p>", None),
    ],
)
def test_the_bare_text_after_a_label_is_taken_as_it_stands(html: str, text: str | None) -> None:
    found = [PageView(html).tail(label) for label in ("publisher", "Phone", "Address", "Date", "Author")]
    assert [one for one in found if one] == ([text] if text else [])


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        ("<dl><dt>Cast</dt><dd>Jane</dd><dd>John</dd><dt>Year</dt><dd>1999</dd></dl>", ["Jane", "John"]),
        ("<tr><th>Cast:</th><td><a>Jane</a><br><a>John</a></td></tr>", ["Jane", "John"]),
        ("<div><b>Cast</b><br>Jane<br>John<br><b>Year</b><br>1999</div>", ["Jane", "John"]),
        ("<p><b>Cast</b>: Jane Doe, <a>John</a></p><p>Joan</p>", ["Jane Doe, John"]),
        ("<div>Cast</div><div>Jane<br>John</div><div>1999</div>", ["Jane", "John"]),
        ("<h3>Cast</h3><p>Jane</p><ul><li>John<script>x</script></ul><h3>Year</h3><p>1999</p>", ["Jane", "John"]),
        ("<p><b>Cast</b> Jane</p><p><b>Cast</b> Joan</p>", []),
        ("<p>Cast</p>", []),
    ],
)
def test_what_stands_beside_a_label_line_by_line(html: str, lines: list[str]) -> None:
    page = PageView(f"<table>{html}</table>" if html.startswith("<tr") else html)
    assert page.labelled_lines("cast") == lines


def test_large_pages_take_linear_time() -> None:
    page = PageView("<div>author " + "<p>Author x <b>author</b> y</p>" * 20_000 + "</div>")
    start = time.process_time()
    page.labelled("Author")
    page.labelled_lines("Author")
    page.tail("Author")
    assert time.process_time() - start < 2


def test_several_definitions_of_one_term() -> None:
    page = PageView("<dl><dt>Author</dt><dd>Jane</dd><dd>John</dd><dt>Date</dt><dd>3 May</dd></dl>")
    assert page.labelled("Author") == "Jane, John"


def test_labels_that_are_not_ascii() -> None:
    page = PageView("<p>Größe: 5 cm</p><p>作者: 山田</p><p>ÉTAT : neuf</p><p>Ключ: да</p>")
    assert page.labelled("größe") == "5 cm"
    assert page.labelled("作者") == "山田"
    assert page.labelled("état") == "neuf"
    assert page.labelled("КЛЮЧ") == "да"


@pytest.mark.parametrize("label", ["", ":", " ", '"', "\\", "a" * 500, '")] x', "\x00"])
def test_odd_labels_find_nothing(label: str) -> None:
    assert PageView("<p>Author: Jane</p>").labelled(label) is None


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><th>Size<td><tr><th>Colour<td>red</table>",
        "<div><p><b>Size</b><span></span></p><p><b>Colour</b><span>red</span></p></div>",
        "<dl><dt>Size</dt><dd></dd><dt>Colour</dt><dd>red</dd></dl>",
    ],
    ids=["a cell", "an element", "a definition"],
)
def test_where_the_place_of_the_value_is_empty_the_next_row_is_not_it(html: str) -> None:
    assert PageView(html).labelled("Size") is None
    assert PageView(html).labelled("Colour") == "red"


def test_an_icon_beside_a_label_is_no_place_for_its_value() -> None:
    assert PageView("<p><span>Size</span><i class=ruler></i></p><p>5 cm</p>").labelled("Size") == "5 cm"


def test_a_label_in_a_script_or_in_a_sentence_is_none() -> None:
    html = "<script>Author: a.name</script><p>Every author: see below</p><p>Written by the <b>Author</b>: Jane Doe</p>"
    assert PageView(html).labelled("Author") == "Jane Doe"


PLAIN = [
    "555-0101",
    "<a>555-0101</a>",
    "<a>555-0101</a>, <a>555-0102</a>",
    "<span><b>555-0101</b></span> |",
    "555<!-- -->-0101",
]
MIXED = [
    "555-0101 <a>Book now</a>",
    "<b>5</b>55-0101",
    "<span>555-0101 <i>new</i></span>",
    "<a>555-0101</a> <i>Book</i>",
]
BESIDE = [
    "<dl><dt>Phone</dt><dd>{}</dd></dl>",
    "<table><tr><th>Phone</th><td>{}</td></tr></table>",
    "<table><tr><th>Phone</th><th>Fax</th></tr><tr><td>{}</td><td></td></tr></table>",
    "<p>Phone: {}</p>",
    "<p><strong>Phone:</strong> {}</p>",
    "<div>Phone</div><div>{}</div>",
    "<h3>Phone</h3><p>{}</p>",
    "<div>Phone<em>{}</em></div>",
]


@pytest.mark.parametrize("body", BESIDE)
@pytest.mark.parametrize("value", PLAIN)
def test_a_plain_value_is_all_bare_or_all_in_elements_of_one_name(body: str, value: str) -> None:
    page = PageView(body.format(value))
    assert page.labelled("Phone", plain=True) == page.labelled("Phone") is not None


@pytest.mark.parametrize("body", BESIDE)
@pytest.mark.parametrize("value", MIXED)
def test_a_value_of_several_sorts_is_not_plain(body: str, value: str) -> None:
    page = PageView(body.format(value))
    assert page.labelled("Phone") is not None
    assert page.labelled("Phone", plain=True) is None


def test_one_of_two_places_that_say_the_same_may_be_plain() -> None:
    page = PageView("<p>Phone: 555 <a>0101</a></p><dl><dt>Phone<dd>555 0101</dl>")
    assert page.labelled("Phone", plain=True) == "555 0101"


WORDS = st.text("ab1 |", max_size=4)
PIECES = st.lists(st.tuples(st.sampled_from(["", "a", "b", "i"]), WORDS), min_size=1, max_size=4)


@given(PIECES)
def test_what_is_plain_is_what_there_is_and_of_one_sort(pieces: list[tuple[str, str]]) -> None:
    value = "".join(f"<{tag}>{words}</{tag}>" if tag else words for tag, words in pieces)
    page = PageView(f"<table><tr><th>Phone</th><td>{value}</td></tr></table>")
    sorts = {tag for tag, words in pieces if any(map(str.isalnum, words))}
    assert page.labelled("Phone", plain=True) == (page.labelled("Phone") if len(sorts) < 2 else None)


SECTIONS = "<h3>Parts</h3><ul><li>2 legs<li>1 top</ul>{}"


@pytest.mark.parametrize(("more", "plain"), [("", True), ("<ul><li>4 screws</ul>", True), ("<p>Tools</p>", False)])
def test_plain_lines_are_of_one_sort(more: str, plain: bool) -> None:
    page = PageView(f"<main>{SECTIONS.format(more)}</main><div>{SECTIONS.format(more).partition('</h3>')[2]}</div>")
    for whole, asked in (
        (page.labelled_lines("Parts"), page.labelled_lines("Parts", plain=True)),
        (page.lines("div"), page.lines("div", plain=True)),
    ):
        assert whole[:2] == ["2 legs", "1 top"]
        assert asked == (whole if plain else [])


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("<div><label>Against:</label></div><div> &nbsp;</div>", ""),
        ("<dl><dt>Against<dd></dd><dt>For<dd>Low</dl>", ""),
        ("<p><b>Against:</b><span></span><b>For:</b> Low</p>", ""),
        ("<b>Against:</b><div class=clear></div><div>Roe</div>", None),
        ("<b>Against:</b><div class=clear></div><!-- : --> Roe", None),
        ("<b>Against:</b><div><img src=/seal.png></div>", None),
        ("<p>Nobody is against it</p>", None),
    ],
)
def test_a_place_is_blank_where_nothing_stands_between_it_and_the_next_label(body: str, said: str | None) -> None:
    assert PageView(f"<body>{body}").labelled("Against", blank=True) == said
