"""Fields that no page confirms and of which no old reader is left: read under the name they had before, from the head.

    before   page.json("#NewsArticle.image.url")   →   today   page.meta("og:image")

A text must still be like the one that history remembers; of links only the name can be the same. A link that the page
has yet, where no reader sees it, is read from its data too, and no other is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from crawloop import values
from crawloop.carriers.reading_names import names
from crawloop.extract.dom.tags import META_KEYS
from crawloop.extract.plan import FieldPlan
from crawloop.extract.reading import Expression, Read, innermost, json_keys
from crawloop.model.kind import Field, Kind
from crawloop.strategy.judging.judgement import Sight, empty
from crawloop.strategy.readers.gather import readers
from crawloop.strategy.readers.selectors import quoted
from crawloop.values import squash
from crawloop.values.alike import alike

_OF_AN_OBJECT = ("url", "name", "contentUrl", "@id")
_DATA = frozenset(("json",))
_FIRST = "og:"  # where several say it, the one for those who share the page


def renamed(field: Field, before: Sequence[Expression], old: Sequence[Any], pages: Sequence[Sight]) -> FieldPlan | None:
    """The plan for a field whose readers of `before` are gone; `old` are its values in history."""
    if not before or not old:
        return None
    called = {squash(one.rpartition(":")[2]) for reader in before for one in _called(reader)} | {squash(field.name)}
    in_head = set(_offered(pages, called, "metas" if field.many else "meta"))
    offered = sorted(in_head, key=lambda one: (not str(one.args).count(_FIRST), str(one.args)))
    for read in (*_still_there(field, called, old, pages), *offered):
        if all(_serves(read, field, old, sight) for sight in pages):
            return FieldPlan((read,))
    return None


def _called(reader: Expression) -> Iterator[str]:
    """The names of an old place; a link or a name of an object goes by the object's name."""
    read = innermost(reader)
    keys = json_keys(read)
    if keys and keys[-1] in _OF_AN_OBJECT:
        keys = keys[:-1]
    yield from keys[-1:] or names(read)


def _still_there(field: Field, called: set[str], old: Sequence[Any], pages: Sequence[Sight]) -> Iterator[Expression]:
    """The readers of an old link in the page's data that are called as the field was, the likeliest first."""
    links = [one for one in old if isinstance(one, str)] if field.kind is Kind.URL and not field.many else []
    found = (one for sight in pages for link in links for one in readers(sight.lens, link, field, _DATA))
    for one in sorted(found, key=lambda one: one.cost):
        if called.intersection(map(squash, _called(one.expression))):
            yield one.expression


def _offered(pages: Sequence[Sight], called: set[str], method: str) -> Iterator[Read]:
    for sight in pages:
        dom = sight.lens.index.dom
        for number in (number for number, tag in enumerate(dom.tags) if tag == "meta"):
            attributes = dom.attributes[number]
            keys = (key for by in META_KEYS if (key := attributes.get(by)))
            yield from (Read(method, (key,)) for key in keys if squash(key.rpartition(":")[2]) in called)
            item = attributes.get("itemprop", "")
            if item and squash(item) in called:
                yield Read(method.replace("meta", "attr"), (f"meta[itemprop={quoted(item)}]", "content"))


def _serves(read: Expression, field: Field, old: Sequence[Any], sight: Sight) -> bool:
    value = sight.lens.read(read)
    if empty(value) or values.normalise(value, field, base=sight.lens.url) is None:
        return False
    if field.kind is not Kind.URL:
        return field.kind is Kind.TEXT and any(alike(one, value) for one in old)
    places = sight.lens.index.places
    links = [one for one in old if isinstance(one, str) and any(place.whole for place in places(one, field))]
    return not links or any(values.equal(one, value, field, base=sight.lens.url) for one in links)
