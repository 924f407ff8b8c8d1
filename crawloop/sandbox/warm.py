"""Loads, before the first job, all that the standard library loads lazily: a job cannot open a file."""

from __future__ import annotations

import codecs
import functools
import importlib
import logging
import time
import warnings
from collections.abc import Iterator

from crawloop.extract.view import PageView
from crawloop.sandbox import namespace
from crawloop.sandbox.admit import admit, unpacked
from crawloop.sandbox.channel import Limits, Request, frame, pack
from crawloop.sandbox.names import CODECS
from crawloop.sandbox.rows import plain

_TURNS = 4  # after which the interpreter has fitted itself to what it runs
_SAMPLE = (
    '<html><script type="application/ld+json">{"@type":"Product","name":"x"}</script><h1 class="a">x</h1><ul>'
    + '<li><a href="/x"><b>x</b></a> <i>1.50</i></li>' * 40
)
_SELDOM = """
from datetime import datetime
from decimal import Decimal
def extract(page):
    when = datetime.strptime("3 May 2024", "%d %B %Y").strftime("%Y-%m-%d")
    return [{"when": when, "price": [float(Decimal("1.5")), money("€ 1.299,00")], "day": date("3 May 2024"),
             "word": "{}".format("x")}]
"""
_OFTEN = """
import re
from urllib.parse import urljoin
from selectolax.lexbor import LexborHTMLParser
def extract(page):
    return [{"name": page.text("h1.a"), "json": page.json("@Product.name"), "rows": [
        {"name": row.text("b"), "price": float(re.sub("[^0-9.]", "", row.text("i"))),
         "link": page.absolute(row.attr("a", "href"))} for row in page.css("li")], "links": [
        urljoin(page.url, node.css_first("a").attributes["href"]) for node in LexborHTMLParser(page.html).css("li")]}]
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
        for source in (_SELDOM, _OFTEN):
            for _ in steps(source):
                pass


def steps(source: str = _OFTEN) -> Iterator[None]:
    """Loads a program, takes in a page, runs the one on the other and frames what comes out, then checks the source as
    a new program's, step by step, so that what this needs is in memory, the process's own."""
    yield
    packed = _packed(source)
    program = unpacked(packed)
    yield
    work = Request(pack("", packed, [("https://example.com/", _SAMPLE)], Limits()))
    yield
    for url, html in work.pages():
        space = namespace.fresh()
        exec(program.code, space)
        frame(work.token, "page", {"records": plain(space["extract"](PageView(html, url)))})
    yield
    admit(source)
    yield


@functools.cache
def _packed(source: str) -> bytes:
    return admit(source).packed()
