"""Fields that a program does not give, read by a model: one small call a page, for these fields only.

Of several records the model also says what tells them apart, and each value goes to the record of its own: a model
leaves rows out, and changes their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from crawloop.contract import Witness
from crawloop.errors import BudgetSpent, CompletionError, NoAnswer, OracleRefused
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page, Record
from crawloop.model.truth import Testimony
from crawloop.residual import filled
from crawloop.schemas import check
from crawloop.schemas.check import readable
from crawloop.values import normalise, paired


class ModelFiller:
    """Asks a model as a witness, the cheapest first, and the next one only where it fails.

    A value that cannot be had, or is not of its kind, stays null: that a model finds none is an answer.
    """

    def __init__(self, witness: Witness, models: Sequence[str], family: str) -> None:
        self._witness = witness
        self._models = list(models)
        self._family = family

    async def __call__(
        self, page: Page, records: tuple[Record, ...], fields: tuple[str, ...], schema: Schema
    ) -> tuple[Record, ...]:
        """The records with their nulls in `fields` filled; where there is none, those that the model reads."""
        mark = _mark(records, fields, schema)
        names = {*fields, *([mark.name] if mark else [])}
        asked = replace(schema, fields=tuple(one for one in schema.fields if one.name in names))
        said = await self._heard(page, asked)
        if said is None:
            return records
        values: Sequence[Record] = [readable(asked, record, base=page.base) for record in said.records]
        if mark is not None:
            places = paired(records, values, [mark], all_known=False)
            values = [values[place] if place is not None else {} for place in places]
        rows = records or tuple(dict.fromkeys(schema.names) for _ in values)
        return tuple(_checked(one, fields, schema, page) for one in filled(rows, values, fields))

    async def _heard(self, page: Page, schema: Schema) -> Testimony | None:
        """What the first model says that can be asked and answers; None where none does: the ledger has told of it."""
        for model in tuple(self._models):
            try:
                return await self._witness.testify(page, self._family, schema, model)
            except (NoAnswer, BudgetSpent, OracleRefused):
                continue
            except CompletionError:  # its provider is dead: the pages to come are not to wait for it
                self._models.sort(key=lambda one: one == model)
        return None


def _mark(records: Sequence[Record], fields: Sequence[str], schema: Schema) -> Field | None:
    """The first field, not one of `fields`, whose text tells all records apart; None for one record, or none such."""
    if len(records) < 2:
        return None
    for one in schema.fields:
        if one.kind in (Kind.TEXT, Kind.URL) and not one.many and one.name not in fields:
            forms = {repr(normalise(record.get(one.name), one)) for record in records if record.get(one.name)}
            if len(forms) == len(records):
                return one
    return None


def _checked(record: Record, fields: tuple[str, ...], schema: Schema, page: Page) -> Record:
    """The record without filled values that the schema refuses."""
    refused = check(schema, record, base=page.base).keys() & set(fields)
    return {name: None if name in refused else value for name, value in record.items()}
