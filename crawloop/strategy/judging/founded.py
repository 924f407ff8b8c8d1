"""What a model's word alone can bear: readings of places that the page itself calls as the field is called."""

from __future__ import annotations

from collections.abc import Sequence

from crawloop.carriers.called import names_read
from crawloop.carriers.naming import name_alone
from crawloop.carriers.reading_names import names_of
from crawloop.model.kind import Field, Schema
from crawloop.strategy.judging.judgement import Judged, Sight


def founded(found: Sequence[Judged], field: Field, schema: Schema, pages: Sequence[Sight]) -> list[Judged]:
    """The readers without those that a model's word cannot bear, where it alone speaks of the field.

    Where it does so on one of several pages, none that is right on that page only: the model may have taken up what the
    page told it to say. Where it does so on all, those that are called so; where there are none, as they are.
    """
    known, doubtful = _knowing(field, pages)
    if len(known) > 1:
        found = [one for one in found if len(one.right) != 1 or not one.right <= doubtful]
    return (_called_so(found, field, schema, pages) if known == doubtful else []) or list(found)


def is_hearsay(field: Field, pages: Sequence[Sight]) -> bool:
    """Whether a model alone speaks of the field, on every page that knows it."""
    known, doubtful = _knowing(field, pages)
    return known == doubtful


def _called_so(found: Sequence[Judged], field: Field, schema: Schema, pages: Sequence[Sight]) -> list[Judged]:
    """The mostly right readers that say that they read the field; without any, those whose places say so."""
    right = [one for one in found if len(one.right) > len(one.wrong)]
    named = [one for one in right if name_alone(names_of(one.reader.expression), field, schema)]
    return named or [one for one in right if _finds_it(one, field, schema, pages)]


def _finds_it(one: Judged, field: Field, schema: Schema, pages: Sequence[Sight]) -> bool:
    """Whether the places that a reader finds are named after the field."""
    views = [pages[number].lens.view for number in one.right]
    return all(name_alone(names_read(view, one.reader.expression), field, schema) for view in views)


def _knowing(field: Field, pages: Sequence[Sight]) -> tuple[set[int], set[int]]:
    """The pages that know the field, and those of them where a model alone speaks of it."""
    known = {number for number, sight in enumerate(pages) if field.name in sight.values}
    return known, {number for number in known if field.name in pages[number].hearsay}
