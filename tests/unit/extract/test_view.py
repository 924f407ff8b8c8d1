"""Reading a page: text, attributes, rows, addresses."""

import pytest

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
