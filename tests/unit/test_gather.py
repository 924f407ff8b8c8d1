"""Every way to read one value off one page, and what is not even tried."""

from __future__ import annotations

from typing import Any

import pytest

from crawloop.extract.reading import innermost, printed
from crawloop.model.kind import Field, Kind
from crawloop.model.page import Page
from crawloop.strategy.readers.gather import readers
from crawloop.strategy.readers.lens import Lens, lens
from crawloop.strategy.readers.reader import shaped
from crawloop.strategy.shaping import chains

BOTH = frozenset(("json", "dom"))
PAGE = """<ul class="made"><li>oak</li><li>felt</li></ul><ol class="again"><li>oak</li><li>felt</li><li>felt</li></ol>
<p class="all"><b>oak</b> <b>felt</b> <b>steel</b></p><nav><a>shop.example</a> <a>chairs</a> <a>blue</a></nav>
<a class="self" href="https://shop.example/chairs/blue">here</a>"""


def studied() -> Lens:
    return lens(Page("https://shop.example/", PAGE))


def test_a_text_of_several_is_read_from_the_list_that_it_joins() -> None:
    found = {printed(one.expression) for one in readers(studied(), "oak, felt", Field("materials"), BOTH)}
    assert 'join(page.texts("ul.made li"), ", ")' in found
    assert 'join(unique(page.texts("ol.again li")), ", ")' in found
    assert not any("p.all" in one for one in found)


def test_of_a_list_with_other_texts_no_join_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Any] = []
    monkeypatch.setattr(
        "crawloop.strategy.readers.reader.shapes", lambda raw, *rest: tried.append(raw) or chains.shapes(raw, *rest)
    )
    page = Lens(PAGE, "https://shop.example/")
    for one in readers(Lens(PAGE, "https://shop.example/"), "oak, felt", Field("materials"), BOTH):
        assert [*shaped(page, innermost(one.expression), "oak, felt", Field("materials"), 0.0, "text")]
    assert ["oak", "felt"] in tried
    assert ["oak", "felt", "steel"] not in tried


def test_an_address_is_no_list_of_its_steps() -> None:
    page = Lens(PAGE, "https://shop.example/")
    found = readers(page, "https://shop.example/chairs/blue", Field("url", Kind.URL), BOTH)
    assert any('page.attr("a.self", "href")' in printed(one.expression) for one in found)
    assert not any(method in ("texts", "own_texts", "attrs", "json_all") for method, *_ in page._remembered._known)
