"""The fields that a version never reaches, read by a model: one small call a page, for these fields only."""

from __future__ import annotations

from dataclasses import replace

from crawloop.contract import Witness
from crawloop.errors import CompletionError, OracleRefused
from crawloop.model.kind import Schema
from crawloop.model.page import Page, Record
from crawloop.residual import filled
from crawloop.schemas import check
from crawloop.schemas.check import readable


class ModelFiller:
    """Asks a model as a witness. A value that cannot be had, or is not of its kind, stays null."""

    def __init__(self, witness: Witness, model: str, family: str) -> None:
        self._witness = witness
        self._model = model
        self._family = family

    async def __call__(
        self, page: Page, records: tuple[Record, ...], fields: tuple[str, ...], schema: Schema
    ) -> tuple[Record, ...]:
        asked = replace(schema, fields=tuple(one for one in schema.fields if one.name in fields))
        try:
            said = await self._witness.testify(page, self._family, asked, self._model)
        except (CompletionError, OracleRefused):  # the ledger has told of it; the page is served without
            return records
        if said is None:
            return records
        values = [readable(asked, record, base=page.base) for record in said.records]
        return tuple(_checked(one, fields, schema, page) for one in filled(records, values, fields))


def _checked(record: Record, fields: tuple[str, ...], schema: Schema, page: Page) -> Record:
    """The record without filled values that the schema refuses."""
    refused = check(schema, record, base=page.base).keys() & set(fields)
    return {name: None if name in refused else value for name, value in record.items()}
