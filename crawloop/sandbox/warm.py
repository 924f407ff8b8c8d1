"""Loads, before the first job, all that the standard library loads lazily: a job cannot open a file."""

from __future__ import annotations

import codecs
import encodings
import encodings.aliases
import importlib
import logging
import time
import warnings

from crawloop.extract.view import PageView
from crawloop.sandbox import namespace
from crawloop.sandbox.admit import admit
from crawloop.sandbox.names import CODECS

_LAZY = ("_strptime",)
_SAMPLE = '<html><script type="application/ld+json">{"@type":"Product","name":"x"}</script><h1 class="a">x</h1></html>'
_PROGRAM = """
import re
from datetime import datetime
from decimal import Decimal
def extract(page):
    when = datetime.strptime("3 May 2024", "%d %B %Y").strftime("%Y-%m-%d")
    return [{"name": page.text("h1.a"), "json": page.json("@Product.name"), "when": when,
             "price": float(Decimal("1.5")), "word": re.sub("[a-z]", "{}".format("x"), "a")}]
"""


def warm() -> None:
    """Imports, looks up and runs once whatever a program is likely to need."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    for name in _LAZY:
        importlib.import_module(name)
    _know_codecs()
    time.tzset()
    time.strftime("%c", time.localtime())
    space = namespace.fresh()
    exec(admit(_PROGRAM).code, space)
    space["extract"](PageView(_SAMPLE, "https://example.com/"))


def _know_codecs() -> None:
    """From here on a codec is one of these, and another one is an error instead of a file to be read."""
    known = {_plain(name): codecs.lookup(name) for name in CODECS}
    known |= {alias: known[name] for alias, name in encodings.aliases.aliases.items() if name in known}
    codecs.register(lambda name: known.get(_plain(name)))
    codecs.unregister(encodings.search_function)


def _plain(name: str) -> str:
    return encodings.normalize_encoding(name).lower()
