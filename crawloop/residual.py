"""The fields that a winner never reaches, and how values for them join its records: record by record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crawloop.model.page import Record
from crawloop.model.truth import Sample
from crawloop.model.verdict import Verdict
from crawloop.values import is_blank


def residual_fields(samples: Iterable[Sample], winner: Verdict) -> tuple[str, ...]:
    """Fields that some truth supports and that the winner gets right on no sample, by name."""
    supported = {name for sample in samples if sample.truth for name in sample.truth.fields}
    return tuple(sorted(supported - {name for name, tally in winner.fields.items() if tally.right}))


def filled(records: Sequence[Record], values: Sequence[Record], fields: Sequence[str]) -> tuple[Record, ...]:
    """The records with each null of `fields` taken from the value record at the same index.

    Whoever supplies the values gives one record for each of the page's, in its order; another number cannot be
    aligned, and fills nothing.
    """
    if len(records) != len(values):
        return tuple(dict(record) for record in records)
    return tuple(
        {**record, **{name: new.get(name) for name in fields if is_blank(record.get(name))}}
        for record, new in zip(records, values, strict=True)
    )
