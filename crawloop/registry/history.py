"""The last known good values of a URL, and how new ones join them. Pure: both stores follow these rules."""

from __future__ import annotations

from collections.abc import Sequence

from crawloop.model.page import Record


def merged(known: Sequence[Record], seen: Sequence[Record]) -> tuple[Record, ...]:
    """History after `seen`: per field, record by record; null never overwrites a value.

    Another number of records replaces the whole. In a list, a record that shares less than half of its values with
    the known one at its index is another item, and takes nothing from it.
    """
    if len(known) != len(seen):
        return tuple(valued(record) for record in seen)
    alone = len(seen) == 1
    return tuple(
        {**old, **valued(new)} if alone or _same_item(old, new) else valued(new)
        for old, new in zip(known, seen, strict=True)
    )


def valued(record: Record) -> Record:
    """What a record says: nulls say nothing."""
    return {name: value for name, value in record.items() if value is not None}


def _same_item(old: Record, new: Record) -> bool:
    shared = [name for name, value in new.items() if value is not None and old.get(name) is not None]
    alike = [name for name in shared if old[name] == new[name]]
    return 2 * len(alike) >= len(shared)
