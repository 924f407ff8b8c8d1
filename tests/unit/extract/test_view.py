"""Reading a page: text, attributes, rows, addresses."""

import gc
from weakref import ref

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from crawloop.extract.view import PageView

PAGE = """<html><head><title>Shop</title><base href="/b/"><meta property="og:title" content=" Kettle ">
<script type="application/ld+json">{"@graph": [{"@type": "WebPage"}, {"@type": "Product", "name": "Kettle",
"offers": [{"price": 12.5}, {"price": 13}]}]}</script></head>
<body><h1>Ket<b>tle</b><br>blue</h1><ul><li class=x>one <i>in</i></li><li class=x></li><li class=x>two</li></ul>
<p>a<script>no()</script><span>b</span></p></body></html>"""


@pytest.fixture
def page() -> PageView:
    return PageView(PAGE, "https://shop.example/p/1")


def test_text_separates_blocks_and_breaks_but_not_inline_elements(page: PageView) -> None:
    assert page.text("h1") == "Kettle blue"
    assert page.text("p") == "ab"
    assert page.texts("li") == ["one in", "two"]
    assert page.text("li + li") is None
    assert page.text("nav") is None
    assert page.own_text("li") == "one"
    assert page.text() == "Kettle blue one in two ab"


def test_attributes(page: PageView) -> None:
    assert page.attr('meta[property="og:title"]', "content") == "Kettle"
    assert page.attrs("li", "class") == ["x", "x", "x"]
    assert page.css("li")[0].attr("", "class") == "x"
    assert page.attr("li", "id") is None


def test_what_the_head_says_under_a_key() -> None:
    page = PageView(
        '<meta property="og:image" content=""><meta name="og:image" value=" a.png ">'
        '<meta property="og:image" content="b.png">'
        '<meta name="og:image:width" content="9"><meta itemprop="author" content="Ana"><link name="og:url" content="c">'
    )
    assert (page.meta("og:image"), page.metas("og:image")) == ("a.png", ["a.png", "b.png"])
    assert (page.meta("og:url"), page.meta("author"), page.metas("og:title")) == (None, None, [])


def test_json_by_type(page: PageView) -> None:
    assert page.json("@Product.name") == "Kettle"
    assert page.json("@Product.offers.price") == 12.5
    assert page.json_all("@Product.offers.price") == [12.5, 13]
    assert [row.json("price") for row in page.json_rows("@Product.offers")] == [12.5, 13]


def test_addresses(page: PageView) -> None:
    assert page.absolute("x?y") == "https://shop.example/b/x?y"
    assert page.absolute("mailto:a@b.c") is None
    assert page.absolute("") is None


def test_an_invalid_selector_is_named() -> None:
    with pytest.raises(ValueError, match="not a CSS selector"):
        PageView("<p>").text("p[")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<p>a<i>b</i>c</p>", "abc"),
        ("<div>a<div>b</div>c</div>", "a b c"),
        ("a<br>b<br/>c", "a b c"),
        ("<ul><li>a<li>b</ul>", "a b"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></table>", "a b c"),
        ("<p>a<script>x</script><style>y</style><noscript>z</noscript><template>t</template>b</p>", "ab"),
        ("<p>a<svg><title>t</title><text>u</text></svg>b</p>", "ab"),
        ("<p>a<!-- x <b>y</b> -->b</p>", "ab"),
        ("<p title='<br>'>a<i title='>\"<p>'>b</i></p>", "ab"),
        ('<div><i data-x>a</i><i "b="c">b</i><i d\u00a0e=\'f>g\'>c</i><p>d</div>', "abc d"),
        ("<p>1 &lt; 2 &amp;amp; 3&nbsp; 4</p><p></p>", "1 < 2 &amp; 3 4"),
        ("<textarea>a <b></textarea><p>c", "a <b> c"),
        ("<h1>a<span>b</span>\n\t c</h1>", "ab c"),
        ("<custom-x>a</custom-x><custom-x>b</custom-x>", "ab"),
        ("<select><option>a<option>b</select>", "a b"),
    ],
)
def test_text_is_read_as_a_browser_shows_it(body: str, text: str) -> None:
    page = PageView(f"<main>{body}</main>")
    assert page.text("main") == text
    assert page.css("main")[0].text() == text


def test_own_text_joins_over_comments_and_parts_at_elements() -> None:
    page = PageView("<p>Total: <!-- -->5<b>x</b>EUR<br>net</p>")
    assert page.own_text("p") == "Total: 5 EUR net"
    assert page.own_texts("b") == ["x"]


def test_a_row_reads_what_is_in_it_and_not_itself() -> None:
    page = PageView("<div id=a><div id=b>x</div></div><div id=c>y</div>")
    row = page.css("#a")[0]
    assert [one.attr("", "id") for one in row.css("div")] == ["b"]
    first = row.css_first("div")
    assert first is not None
    assert (first.attr("", "id"), first.css_first("div")) == ("b", None)
    assert [one.tag for one in row.css("")] == ["div"]
    assert row.text("#c") is None


def test_elements_know_where_they_stand() -> None:
    page = PageView("<ul><li data-x='1' hidden>a</li> text <li>b</li></ul>")
    one = page.css("li")[0]
    assert one.attributes == {"data-x": "1", "hidden": ""}
    assert one.html == '<li data-x="1" hidden="">a</li>'
    assert (one.next and one.next.text(), one.parent and one.parent.tag) == ("b", "ul")
    assert one.next is not None
    assert one.next.next is None
    assert page.parent is None
    one.attributes["data-x"] = "changed"
    assert one.attr("", "data-x") == "1"


def test_nothing_public_is_a_node_of_the_parser() -> None:
    page = PageView("<ul><li>a</li></ul>", "https://shop.example/")
    for thing in (page, page.css("li")[0]):
        for name in dir(thing):
            if not name.startswith("_"):
                assert not isinstance(getattr(thing, name), LexborNode | LexborHTMLParser), name


@pytest.mark.parametrize("css", ["p[", "> a", "p::text", "a:contains('x')", "td:first", "//p", "p,,a", "div >"])
@pytest.mark.parametrize("method", ["text", "texts", "own_text", "own_texts", "css", "css_first"])
def test_every_method_names_an_invalid_selector(css: str, method: str) -> None:
    page = PageView("<p>x</p>")
    for thing in (page, page.css("p")[0]):
        with pytest.raises(ValueError, match="not a CSS selector"):
            getattr(thing, method)(css)


@pytest.mark.parametrize(
    ("base", "href", "wanted"),
    [
        ("", "x", "https://shop.example/p/x"),
        ("", "//cdn.example/x", "https://cdn.example/x"),
        ("<base href=https://b.example/q/>", "x", "https://b.example/q/x"),
        ("<base href='../r/'>", "x", "https://shop.example/r/x"),
        ("<base href='http://['>", "x", "https://shop.example/p/x"),
        ("<base target=_blank>", "x", "https://shop.example/p/x"),
        ("", " /x y ", "https://shop.example/x y"),
        ("", "?a=1", "https://shop.example/p/1?a=1"),
        ("", "#top", "https://shop.example/p/1#top"),
        ("", "javascript:void(0)", None),
        ("", "JavaScript:void(0)", None),
        ("", "mailto:a@b.example", None),
        ("", "tel:1", None),
        ("", "data:text/plain,x", None),
        ("", "", None),
        ("", "  ", None),
        ("", None, None),
        ("", "http://[bad", None),
    ],
)
def test_addresses_are_joined_to_the_base(base: str, href: str | None, wanted: str | None) -> None:
    assert PageView(f"<head>{base}</head>", "https://shop.example/p/1").absolute(href) == wanted


def test_rows_of_json() -> None:
    page = PageView(
        '<script id=d type="application/json">{"a": [{"@id": "x", "n": {"m": [1, 2]}}, "text", 3.0]}</script>'
    )
    rows = page.json_rows("d.a")
    assert [row.json("n.m[-1]") for row in rows] == [2, None, None]
    assert rows[0].json("@id") == "x"
    assert rows[0].json_all("n.m") == [1, 2]
    assert [row.text() for row in rows] == [None, "text", "3"]
    assert [row.json() for row in rows[1:]] == ["text", 3.0]
    assert (rows[0].css("a"), rows[0].attr("a", "b"), rows[0].labelled("x"), rows[0].texts("")) == ([], None, None, [])


class Watched(PageView):
    """A page that can be watched as it goes."""


def test_a_page_is_freed_as_soon_as_nobody_holds_it() -> None:
    gc.collect()
    gc.disable()
    try:
        page = Watched(
            '<p><a href=x>y</a></p><script type="application/ld+json">{"@type": "A"}</script>', "https://s.example/"
        )
        row = page.css("p")[0]
        assert (row.link("a"), page.json("@A.b"), page.json("x.y")) == ("https://s.example/x", None, None)
        freed = ref(page)
        del page, row
        assert freed() is None
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("second", "is_one"),
    [("<li class='b  a'>2", True), ("<li class=a>2", False), ("<li>2", False), ("<li class=a>", True)],
)
def test_elements_that_are_alike_have_the_same_name_and_classes(second: str, is_one: bool) -> None:
    page = PageView(f"<ul><li class='a b'>1{second}</ul>")
    assert page.texts("li", alike=True) == (page.texts("li") if is_one else [])
    assert page.own_texts("li", alike=True) == (page.own_texts("li") if is_one else [])
