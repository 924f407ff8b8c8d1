"""Headings that no sample teaches, read between the paragraphs of a text that one does.

    taught     paragraphs   page.texts("article > p")
    untaught   headings     page.texts("article > p ~ h2:has(~ p), article > p ~ h3:has(~ p)", alike=True)

A text without a heading teaches none; others have some. Where a sample has one there, and nobody called it the field's,
it is another thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from crawloop import values
from crawloop.carriers.naming import affinity
from crawloop.extract.dom.tags import HEADINGS
from crawloop.extract.plan import FieldPlan
from crawloop.extract.reading import Read
from crawloop.model.kind import Field, Kind
from crawloop.strategy.judging.alone import Readable

_NEAR = 0.75
_PARAGRAPHS, _WORDS = 2, 8  # of a text: so many elements, one of them a sentence
_LAST = re.compile(r"([a-z][a-z0-9]*)[^\s>]*\Z")
_BELOW = tuple(sorted(HEADINGS - {"h1"}))


def headings(
    unknown: Sequence[Field], plans: Mapping[str, FieldPlan], places: Sequence[Readable]
) -> dict[str, FieldPlan]:
    """Plans for those of these fields that are named after headings; nobody speaks of them in `places`, the pages."""
    found = {}
    sought = [one for one in unknown if one.many and one.kind is Kind.TEXT and affinity(one, "headings") >= _NEAR]
    for field in sought:
        for css in _texts(plans, places):
            read = Read("texts", (_between(css),), alike=True)
            if all(values.is_blank(at.read(read)) for at in places):
                found[field.name] = FieldPlan((read,))
                break
    return found


def _texts(plans: Mapping[str, FieldPlan], places: Sequence[Readable]) -> Iterator[str]:
    """The selectors by which the paragraphs of a text are found."""
    for plan in plans.values():
        read = plan.readers[0]
        if isinstance(read, Read) and read.method == "texts" and any(_is_text(at.read(read)) for at in places):
            yield from (css for css in map(str, read.args or ()) if "," not in css)


def _is_text(said: object) -> bool:
    return isinstance(said, list) and len(said) >= _PARAGRAPHS and any(len(one.split()) >= _WORDS for one in said)


def _between(css: str) -> str:
    """What finds the headings that stand after a paragraph and before another one under the same parent."""
    last = _LAST.search(re.sub(r"\([^()]*(?:\([^()]*\)[^()]*)*\)", "", css))
    tag = last[1] if last else "*"
    return ", ".join(f"{css} ~ {one}:has(~ {tag})" for one in _BELOW)
