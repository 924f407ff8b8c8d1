"""Small pages that were slow once: what is read of them grows with their length and no faster."""

import asyncio

import pytest

from crawloop.errors import PageRefused
from crawloop.extract.bounds.guard import check
from crawloop.extract.view import PageView
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page
from crawloop.shape import marks, siblings
from crawloop.triage import triage
from crawloop.witness.markup import MarkupWitness

SIZE = 400_000
SCHEMA = Schema("Product@1", (Field("title"), Field("price", Kind.MONEY)))
# before, what is repeated, after
PAGES = {
    "a tag that never ends": ("<html><body>", "<title", ""),
    "raw text within svg": ("", "<svg><xmp>", "<"),
    "raw text within math": ("", "<math><math><textarea><style", "'<title"),
    "space in data that is no JSON": ('<script type="application/ld+json">JSON.parse("//', " ", "</script>"),
    "space before what is no data": ('<script type="application/ld+json">//', " \n", "x</script>"),
    "marks of comments": ('<script type="application/ld+json">', "/* ", "</script>"),
    "links that never end": ("<html a=1 ", "><a ", "</p>"),
    "scripts within scripts, as svg allows": (
        "<svg>" + '<script type="application/ld+json">{"a":' * 1_500,
        "some words ",
        "",
    ),
    "quotes": ("<html><body>", "<a b='\"", ">"),
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", PAGES)
def test_time_is_linear(name: str) -> None:
    before, unit, after = PAGES[name]
    html = before + unit * (SIZE // len(unit)) + after
    try:
        check(html)
    except PageRefused:
        return
    page = Page("https://shop.example/p/1", html)
    triage(page)
    marks(html)
    siblings(page.url, html, 5)
    PageView(html, page.url).json("@Product.name")
    asyncio.run(MarkupWitness().testify(page, "f", SCHEMA, None))
