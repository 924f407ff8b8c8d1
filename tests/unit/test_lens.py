"""A page under study: many selectors are tried on it, and what an element says is put together once."""

from __future__ import annotations

from crawloop.extract.reading import Read
from crawloop.model.page import Page
from crawloop.strategy.readers.lens import lens

PAGE = '<main><p id="a" class="b">Some <b>bold</b> words <i>and</i> more</p><p class="c">Others</p></main>'


def test_what_an_element_says_is_put_together_once_for_all_selectors() -> None:
    view = lens(Page("https://shop.example/1", PAGE)).view
    assert view.text("#a") == "Some bold words and more"
    assert view.text("#a") is view.text("p.b") is view.text("p.b", alone=True) is view.texts("main p")[0]
    assert view.own_text("#a") is view.own_text("p.b") is view.own_texts("p")[0]
    assert view.texts("p", plain=True) == ["Some bold words and more", "Others"]


def test_a_selector_that_is_none_reads_nothing() -> None:
    assert lens(Page("https://shop.example/1", PAGE)).read(Read("text", ("p[",))) is None
