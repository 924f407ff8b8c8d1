"""Content that stands in a text area as escaped markup."""

from __future__ import annotations

import asyncio
import html
import json
from pathlib import Path

import pytest

from crawloop.crawl.archive import ArchiveFetcher
from crawloop.crawl.escaped import unfolded
from crawloop.extract.view import PageView

TABLE = (
    "<table><tbody>"
    + "".join(f'<tr><td><a href="/{n}.pdf">24-{n}</a></td></tr>' for n in range(4))
    + "</tbody></table>"
)


def page(content: str, attributes: str = ' id="post"') -> str:
    return f"<body><h1>News</h1><textarea{attributes}>{content}</textarea><p>Contact us.</p></body>"


def texts(source: str, css: str) -> list[str]:
    return PageView(source).texts(css)


def test_what_a_script_shows_stands_in_the_place_of_its_text_area() -> None:
    shown = unfolded(page(html.escape(TABLE)))
    assert texts(shown, "#post tr a") == ["24-0", "24-1", "24-2", "24-3"]
    assert texts(shown, "h1, p") == ["News", "Contact us."]


def test_references_within_it_are_those_of_the_markup() -> None:
    shown = unfolded(page(html.escape(TABLE.replace("24-0", "R&amp;D &lt;3"))))
    assert texts(shown, "#post a")[0] == "R&D <3"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "Tell us more",
        html.escape("<p>an example</p>"),
        html.escape(f"Paste this: {TABLE}"),
        html.escape(f'<script type="application/ld+json">{{"@type": "Product", "name": "Not mine"}}</script>{TABLE}'),
        "&#38;lt;" * 9,
    ],
)
def test_what_somebody_may_write_there_stays(content: str) -> None:
    assert unfolded(page(content)) == page(content)


def test_a_text_area_that_never_ends_stays() -> None:
    cut = page(html.escape(TABLE)).partition("</textarea>")[0]
    assert unfolded(cut) == cut


def test_each_text_area_is_judged_alone() -> None:
    first, last = page("Tell us more", ' class="ask"'), page(html.escape(TABLE))
    shown = unfolded(first + last)
    assert '<textarea class="ask">Tell us more</textarea>' in shown
    assert shown.count("<textarea") == 1
    assert len(texts(shown, "#post tr")) == 4


def test_saved_pages_are_read_so(tmp_path: Path) -> None:
    (tmp_path / "one.html").write_text(page(html.escape(TABLE)))
    (tmp_path / "one.json").write_text(json.dumps({"url": "https://a.example/news"}))
    got = asyncio.run(ArchiveFetcher(tmp_path).fetch("https://a.example/news"))
    assert "<td><a" in got.html
