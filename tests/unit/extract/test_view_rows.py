"""Reading rows: sections, lines, links, headings, and elements that are the same."""

import time

import pytest

from crawloop.extract.view import PageView

PAGE = """<base href='/b/'><h2>A</h2><ul><li><a href=x>1</a> t<br>u</li><li>2</li></ul>
<h2>B</h2>tail<p>q</p><div><h2>N</h2></div><ul><li>3</li></ul><a href="javascript:no()">z</a>"""


def page() -> PageView:
    return PageView(PAGE, "https://site.example/c/d")


def test_a_section_is_a_match_and_what_follows_it_up_to_the_next() -> None:
    first, second, nested = page().sections("h2")
    assert first.text() == "A 1 t u 2"
    assert first.text("h2") == "A"
    assert first.texts("li") == ["1 t u", "2"]
    assert first.css("h2 + ul")[0].tag == "ul"
    assert second.text() == "B tail q N 3 z"
    assert second.texts("li") == ["3"]
    assert nested.text() == "N"
    assert first.html.endswith("</ul>\n")


def test_lines_break_at_br_and_blocks() -> None:
    assert page().lines("li") == ["1 t", "u"]
    assert page().lines("nav") == []
    assert page().sections("h2")[1].lines() == ["B", "tail", "q", "N", "3", "z"]


def test_a_link_is_absolute_and_honours_base() -> None:
    rows = page().css("li")
    assert rows[0].link("a") == "https://site.example/b/x"
    assert rows[1].link("a") is None
    assert page().css("a")[0].link() == "https://site.example/b/x"
    assert page().css("a")[1].link() is None


def test_the_nearest_heading_before_a_row() -> None:
    assert [row.preceding("h2") for row in page().css("li")] == ["A", "A", "N"]
    assert page().css("li")[0].preceding("h3") is None
    days = PageView("<i title=d1></i><p>a</p><i title=d2></i><i></i><p>b</p>", "")
    assert [row.preceding("i", "title") for row in days.css("p")] == ["d1", None]
    assert [row.preceding("i[title]", "title") for row in days.css("p")] == ["d1", "d2"]
    mixed = PageView("<b>May 5, 2024</b><b>List</b><p>a<b>June 6, 2024</b><b>(more)</b><p>b")
    assert [row.preceding("b", like=r"\d{4}") for row in mixed.css("p")] == ["May 5, 2024", "June 6, 2024"]
    assert mixed.css("p")[0].preceding("b", like="(a+)+$") is None
    around = PageView("<div class=g>a<div class=g>b<p>c</p></div></div>")
    assert around.css("p")[0].preceding(".g") is None


def test_a_cell_by_the_heading_of_its_column() -> None:
    html = (
        "<table><tr><td colspan=3>Prices</td></tr><tr><td>Day</td><th>#</th><td>Text</td></tr>"
        "<tr><td colspan=2>1 May</td><td>a <table><tr><td>x</td><td>y</td></tr></table></td></tr>"
        "<tr><td>2 May</td><td>7</td></tr></table><table><tr><td>Day</td><td>Text</td></tr><tr><td>p</td></tr></table>"
    )
    rows = PageView(html, "").css("tr")
    said = [[row.column(one) for one in ("day", "#", "Text", "no")] for row in rows]
    assert said[2:] == [
        ["1 May", "1 May", "a x y", None],
        [None] * 4,
        ["2 May", "7", None, None],
        [None] * 4,
        [None] * 4,
    ]
    assert [one.heading for one in rows[4].css("td")] == ["Day", "#"]
    twice = PageView("<table><tr><th>A</th><th>A</th></tr><tr><td>1</td><td>2</td></tr></table>", "").css("tr")[1]
    assert (twice.column("A"), twice.css("td")[0].heading) == (None, None)


@pytest.mark.parametrize(("span", "wanted"), [("9" * 5_000, "1 May"), ("2", "a"), ("0", "b"), ("x", "b")])
def test_a_cell_is_as_wide_as_it_says_whatever_that_is(span: str, wanted: str) -> None:
    head = "<tr><th>Day</th><th>No.</th><th>Text</th></tr>"
    html = f"<table>{head}<tr><td colspan={span}>1 May</td><td>a</td><td>b</td></tr></table>"
    assert PageView(html, "").css("tr")[1].column("Text") == wanted


def test_what_many_links_of_a_row_share_is_read_once() -> None:
    links = "".join(f"<a href=/p/{n}>Order</a>" for n in range(6_000))
    cells = f"<td>{'3/13/2024 ' * 6_000}</td><td>{links}</td>"
    page = PageView(f"<table><tr><th>Filed</th><th>Papers</th></tr><tr>{cells}</tr></table>", "https://shop.example/")
    started = time.process_time()
    said = {(one.column("Filed") or "")[:9] for one in page.css("td a")}
    shared = {one.column_link("Papers") for one in page.css("td a")}
    assert (said, shared) == ({"3/13/2024"}, {None})
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    ("cell", "wanted"),
    [
        ('<a href="/a.pdf">a</a>', "https://x.example/a.pdf"),
        ('<a href="/a.pdf">a</a> <a href="/a.pdf">PDF</a>', "https://x.example/a.pdf"),
        ('<a href="/a.pdf">a</a> <a href="/b.pdf">b</a>', None),
        ('<a href="">a</a>', None),
        ("a", None),
    ],
)
def test_the_link_of_a_cell_by_the_heading_of_its_column(cell: str, wanted: str | None) -> None:
    html = f'<table><tr><th>No</th><th>Text</th></tr><tr><td><a href="/no">1</a></td><td>{cell}</td></tr></table>'
    row = PageView(html, "https://x.example/").css("tr")[1]
    assert (row.column_link("text"), row.column_link("no")) == (wanted, "https://x.example/no")
    assert row.column_link("other") is None


def test_headings_are_those_of_the_rows_own_table_and_stand_above_it() -> None:
    inner = "<table><tr><th>A</th><th>B</th></tr><tr><td>5</td><td>6</td></tr></table>"
    outer = "<table><tr><td>1</td><td>2</td></tr><tr><th>B</th><th>A</th></tr>"
    rows = PageView(f"{outer}<tr><td>3</td><td>{inner}</td></tr></table>").css("tr")
    assert [row.column("A") for row in rows] == [None, None, "A B 5 6", None, "5"]
    assert [row.column("B") for row in rows] == [None, None, "3", None, "6"]


def test_elements_are_the_same_by_their_place_on_the_page() -> None:
    view = page()
    assert view.css("li")[0] == view.css_first("ul li")
    assert len({*view.css("li"), *view.css("ul > li")}) == 3


def test_rows_of_json_answer_every_reading() -> None:
    row = PageView('<script id=s type=application/json>{"items": [{"n": 1}]}</script>').json_rows("s.items[*]")[0]
    assert (row.lines(), row.link(), row.preceding("h2"), row.column("n")) == ([], None, None, None)
    assert row.column_link("n") is None
