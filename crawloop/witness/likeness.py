"""What nobody knows of a page, proposed by what its family's values looked like: under the same label, of the same kind
and profile.

A proposal decides nothing by itself: it is believed where a second witness says the same (see `settle`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from crawloop.carriers import index
from crawloop.contract import Store
from crawloop.errors import PageRefused
from crawloop.extract import transforms
from crawloop.extract.bounds.guard import check
from crawloop.extract.view import PageView
from crawloop.model.family import Golden
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page, Record
from crawloop.model.truth import LIKENESS, Testimony
from crawloop.values import equal, fits, is_blank, profile

_MOST_GOLDENS = 5
_LONGEST_LABEL = 40
Old = tuple[Record, PageView | None]
"""A golden record, and its page; None where that cannot be parsed safely."""
_FORMS: dict[Kind, Callable[[Any], Any]] = {
    Kind.NUMBER: transforms.number,
    Kind.MONEY: transforms.money,
    Kind.DATE: transforms.date,
    Kind.DATETIME: transforms.datetime,
    Kind.DURATION: transforms.duration,
}


class LikenessWitness:
    """Testifies of pages without history, in families whose pages are one record each. Raises PageRefused."""

    name = LIKENESS
    needs_model = False

    def __init__(self, store: Store) -> None:
        self._store = store

    async def testify(
        self, page: Page, family: str, schema: Schema, model: str | None, beside: Sequence[Page] = ()
    ) -> Testimony | None:
        known = self._store.family(family)
        goldens = self._store.goldens(family, known.epoch) if known is not None else []
        if not goldens or any(len(one.records) != 1 for one in goldens) or self._store.known(family, page.url):
            return None
        check(page.html)
        view = PageView(page.html, page.base)
        old = [(one.records[0], _parsed(one)) for one in goldens[-_MOST_GOLDENS:]]
        found = {one.name: _proposed(view, one, old) for one in schema.fields}
        record = {name: value for name, value in found.items() if value is not None}
        return Testimony(self.name, (record,), complete=False) if record else None


def _parsed(golden: Golden) -> PageView | None:
    try:
        check(golden.html)
    except PageRefused:
        return None
    return PageView(golden.html, golden.url)


def _proposed(view: PageView, field: Field, old: Sequence[Old]) -> Any:
    """The one value under the labels of old that looks like the old ones; None where there are several or none."""
    usual = profile([record.get(field.name) for record, _ in old], field)
    values = [_read(view, label, field) for label in dict.fromkeys(_labels(field, old))]
    fitting = [one for one in values if not is_blank(one) and fits(one, usual, field) is None]
    alike = all(equal(one, fitting[0], field, base=view.url) for one in fitting)
    return fitting[0] if fitting and alike else None


def _read(view: PageView, label: str, field: Field) -> Any:
    """The value under a label, in the form of the field's kind."""
    text = view.labelled(label)
    return _FORMS[field.kind](text) if field.kind in _FORMS else text


def _labels(field: Field, old: Sequence[Old]) -> Iterator[str]:
    """What stood before the field's values on golden pages, and leads back to them."""
    for record, view in old:
        value = record.get(field.name)
        if view is None or is_blank(value) or isinstance(value, list):
            continue
        page = index(view)
        for place in page.places(value, field):
            own, ahead = page.dom.before(place.at) if place.carrier == "text" and place.at >= 0 else ("", "")
            label = (own or ahead).partition(":")[0].strip()
            if 1 < len(label) <= _LONGEST_LABEL and equal(_read(view, label, field), value, field, base=view.url):
                yield label
