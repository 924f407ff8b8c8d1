"""Loads, before the first job, all that the standard library loads lazily: a job cannot open a file."""

from __future__ import annotations

import codecs
import importlib
import logging
import time
import warnings
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser

from crawloop.extract.view import PageView
from crawloop.sandbox import namespace
from crawloop.sandbox.admit import admit
from crawloop.sandbox.names import CODECS
from crawloop.sandbox.rows import plain

_TURNS = 4  # after which the interpreter has fitted itself to what it runs
_SAMPLE = (
    '<html><script type="application/ld+json">{"@type":"Product","name":"x"}</script><h1 class="a">x</h1><ul>'
    + '<li><a href="/x"><b>x</b></a> <i>1.50</i></li>' * 40
)
_PROGRAM = """
import re
from datetime import datetime
from decimal import Decimal
from urllib.parse import urljoin
from selectolax.lexbor import LexborHTMLParser
def extract(page):
    when = datetime.strptime("3 May 2024", "%d %B %Y").strftime("%Y-%m-%d")
    return [{"name": page.text("h1.a"), "json": page.json("@Product.name"), "when": when,
             "price": [float(Decimal("1.5")), money("€ 1.299,00")], "day": date("3 May 2024"),
             "word": re.sub("[a-z]", "{}".format("x"), "a")}]
def rows(page):
    return [{"name": row.text("b"), "price": float(re.sub("[^0-9.]", "", row.text("i"))),
             "link": page.absolute(row.attr("a", "href"))} for row in page.css("li")]
def by_hand(html, url):
    return [{"name": node.css_first("b").text(strip=True), "link": urljoin(url, node.css_first("a").attributes["href"])}
            for node in LexborHTMLParser(html).css("li")]
"""


def warm() -> None:
    """Imports, looks up and runs once whatever a program is likely to need."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    importlib.import_module("_strptime")
    for name in CODECS:
        codecs.lookup(name)
    time.tzset()
    time.strftime("%c", time.localtime())
    for _ in range(_TURNS):
        for _ in steps():
            pass


def steps() -> Iterator[None]:
    """Checks a program and runs it on a page, step by step, so that what this needs is in memory, the process's own."""
    yield
    program = admit(_PROGRAM)
    yield
    space = namespace.fresh()
    exec(program.code, space)
    page = PageView(_SAMPLE, "https://example.com/")
    plain(space["extract"](page))
    yield
    plain(space["rows"](page))
    plain(space["by_hand"](page.html, page.url))
    yield
    LexborHTMLParser("<p><b>x</b> y</p>" * 3000)
    yield
