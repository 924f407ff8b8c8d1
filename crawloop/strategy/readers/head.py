"""What the head says under a key, read by the key: templates differ in the attributes in which they write the two.

    <meta property="og:title" content="…">   <meta name="og:title" content="…">   →   page.meta("og:title")

A key of a vocabulary means the same in both; a bare one, such as "description", is the search engines' under one only.
"""

from __future__ import annotations

from crawloop.extract.dom.tags import META_KEYS, META_SAYS
from crawloop.extract.reading import Read
from crawloop.strategy.readers.lens import Lens
from crawloop.strategy.readers.selectors import quoted

_OF_A_VOCABULARY = ":"
_BY_KEY = {"attr": "meta", "attrs": "metas"}


def by_key(lens: Lens, number: int, read: Read) -> Read:
    """The reading of an attribute of this element by its key, where it is a key of the head and gives the same here."""
    css, name = read.args or ("", "")
    if lens.index.dom.tags[number] != "meta" or name not in META_SAYS:
        return read
    attributes = lens.index.dom.attributes[number]
    named = (key for by in META_KEYS if (key := attributes.get(by)) and css == f"meta[{by}={quoted(key)}]")
    asked = [Read(_BY_KEY[read.method], (key,)) for key in named if _OF_A_VOCABULARY in key]
    return next((one for one in asked if lens.read(one) == lens.read(read)), read)
