"""The last known good records of the same URL.

Values move between captures, so history is a vote, never an anchor: a value that the page no longer carries is
unknown and contradicts nobody (see `reconcile`), and records may have moved or gone.
"""

from __future__ import annotations

from collections.abc import Sequence

from crawloop.contract import Store
from crawloop.model.kind import Schema
from crawloop.model.page import Page, Record
from crawloop.model.truth import Testimony


class HistoryWitness:
    """Testifies what was true of a URL when it was last served well."""

    name = "history"
    needs_model = False

    def __init__(self, store: Store) -> None:
        self._store = store

    async def testify(
        self, page: Page, family: str, schema: Schema, model: str | None, beside: Sequence[Page] = ()
    ) -> Testimony | None:
        known = self._store.known(family, page.url)
        if known is None and page.base != page.url:
            known = self._store.known(family, page.base)
        if known is None:
            return None
        records = tuple(_of_schema(record, schema) for record in known.records)
        return Testimony(self.name, records) if any(records) else None


def _of_schema(record: Record, schema: Schema) -> Record:
    """The record without nulls and without fields that the schema has dropped since."""
    return {name: value for name, value in record.items() if name in schema.names and value is not None}
