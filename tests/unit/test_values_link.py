"""Links are joined as the standard library joins them."""

import urllib.parse

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from crawloop.values import urljoin

BASES = (
    *(
        "https://shop.example/list/0",
        "http://shop.example",
        "https://shop.example/a/../b/./c",
        "HTTP://Shop.example/x?y#z",
    ),
    *(
        "https://shop.example//a//b/",
        "https://shop.example/a;p?q",
        "http://u:p@shop.example:8/x/y",
        "https://[::1]/a/b",
    ),
    *(
        "//shop.example/a",
        "/a/b",
        "",
        "file:///a/b",
        "mailto:x",
        "http:///x",
        "http:x/y",
        " https://shop.example/a\t/b",
        "a/b/",
        "../a/b",
    ),
)
PIECES = (
    *(
        "/",
        "//",
        "a",
        "b.c",
        ".",
        "..",
        "../",
        "?",
        "#",
        "x=1",
        "&",
        ";",
        ":",
        "http",
        "https://",
        "://",
        "shop.example",
        ":80",
    ),
    *("é", "\t", "\n", " ", "%20", "~", "-", "[", "]", "@", "HTTP://H", "mailto:", "\ud800"),
)


def said(join: object, base: str, link: str) -> object:
    try:
        return join(base, link)  # type: ignore[operator]
    except ValueError:
        return ValueError


@given(st.sampled_from(BASES), st.lists(st.sampled_from(PIECES), max_size=7).map("".join))
@example("https://shop.example/a/b", "/c//d?x#y")
@example("https://shop.example/a/b", "c/../d")
@example("https://shop.example/a/b", "/c?")
@example("https://shop.example/a/b/c/", "../../d.html?e#f")
@example("a/b/", "../../../c")
@example("https://shop.example/a/b", "http://[x")
def test_they_are_joined_as_the_standard_library_does(base: str, link: str) -> None:
    assert said(urljoin, base, link) == said(urllib.parse.urljoin, base, link)


def test_what_is_no_text_is_left_to_it_too() -> None:
    assert urljoin(b"https://shop.example/a", b"b") == b"https://shop.example/b"  # type: ignore[arg-type]
    assert urljoin("https://shop.example/a", "b#c", False) == "https://shop.example/b#c"
    with pytest.raises(TypeError):
        urljoin("https://shop.example/a", b"b")  # type: ignore[arg-type]
