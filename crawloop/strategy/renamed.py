"""Fields that no page confirms and of which no old reader is left: read from the head, under the name they had before.

    before   page.json("#NewsArticle.image.url")   →   today   page.meta("og:image")

A text must still be like the one that history remembers; of links only the name can be the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from crawloop import values
from crawloop.carriers.reading_names import names
from crawloop.extract.plan import FieldPlan
from crawloop.extract.reading import Expression, Read, innermost, json_keys
from crawloop.extract.tags import META_KEYS
from crawloop.model.kind import Field, Kind
from crawloop.strategy.judgement import Sight, empty
from crawloop.strategy.selectors import quoted
from crawloop.values import squash
from crawloop.values.alike import alike

_OF_AN_OBJECT = ("url", "name", "contentUrl", "@id")
_FIRST = "og:"  # where several say it, the one for those who share the page


def renamed(
    field: Field, readers: Sequence[Expression], old: Sequence[Any], pages: Sequence[Sight]
) -> FieldPlan | None:
    """The plan for a field whose old `readers` are gone; `old` are its values in history."""
    if not readers or not old:
        return None
    called = {squash(one.rpartition(":")[2]) for reader in readers for one in _called(reader)} | {squash(field.name)}
    offered = set(_offered(pages, called, "metas" if field.many else "meta"))
    for read in sorted(offered, key=lambda one: (not str(one.args).count(_FIRST), str(one.args))):
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


def _serves(read: Read, field: Field, old: Sequence[Any], sight: Sight) -> bool:
    value = sight.lens.read(read)
    if empty(value) or values.normalise(value, field, base=sight.lens.url) is None:
        return False
    return field.kind is Kind.URL or (field.kind is Kind.TEXT and any(alike(one, value) for one in old))
