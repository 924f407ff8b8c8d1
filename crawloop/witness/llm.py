"""A model as a witness: it reads one page and says its values, each with the line of the page where it stands.

What it says is testimony of a stranger. A value that is not where it is said to be is asked for once more, then
dropped; the rest is weighed by `reconcile` like any other. A long page is read in windows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from crawloop.brief.answer import jsons
from crawloop.brief.form import records
from crawloop.brief.prompt import described, fenced, load
from crawloop.brief.prune import Window, pruned
from crawloop.contract import Completer
from crawloop.errors import NoAnswer, OracleRefused
from crawloop.model.kind import Schema
from crawloop.model.page import Page, Record
from crawloop.model.truth import Evidence, Testimony
from crawloop.values import normalise
from crawloop.witness.citation import Cell, Shown

Row = dict[str, Cell]


class LLMWitness:
    """Asks a model through any Completer. Silent where no model is named.

    Raises OracleRefused where an answer cannot be read even after one repair, CompletionError from the Completer.
    """

    name = "llm"
    needs_model = True

    def __init__(self, completer: Completer) -> None:
        self._completer = completer

    async def testify(
        self, page: Page, family: str, schema: Schema, model: str | None, beside: Sequence[Page] = ()
    ) -> Testimony | None:
        if model is None:
            return None
        windows = pruned(page, schema, beside)
        shown = Shown(windows, page)
        heard = Heard(self._completer, schema, model)
        rows = joined([await heard.window(page, window, windows) for window in windows])
        if doubtful := tuple(_unfounded(rows, shown, schema)):
            await heard.again(page, windows, rows, doubtful)
        said = _testimony(self.name, rows, shown, schema)
        return replace(said, answers=tuple(heard.answers)) if said else None


class Heard:
    """What a model is asked about one page. `answers` are the keys of what it said in the ledger."""

    def __init__(self, completer: Completer, schema: Schema, model: str) -> None:
        self._completer = completer
        self._schema = schema
        self._model = model
        self.answers: list[str] = []

    async def window(self, page: Page, window: Window, windows: Sequence[Window]) -> list[Row]:
        """The records of one window. Raises OracleRefused."""
        part = f"\nThis is part {windows.index(window) + 1} of {len(windows)} of the page.\n" if windows[1:] else ""
        answer = await self._asked("direct_extract", part=part, page=fenced(f"page {page.url}", window.text))
        try:
            rows = read_answer(answer)
        except ValueError as problem:
            rows = await self._repaired(answer, str(problem))
        return [{name: Cell.of(said) for name, said in row.items() if name in self._schema.names} for row in rows]

    async def _repaired(self, answer: str, problem: str) -> list[dict[str, Any]]:
        again = await self._asked("direct_extract_repair", problem=problem, answer=fenced("answer", answer))
        try:
            return read_answer(again)
        except ValueError as still:
            raise OracleRefused(
                f"{self._model} gave no readable answer: {problem}; after one repair: {still}"
            ) from still

    async def again(
        self, page: Page, windows: Sequence[Window], rows: list[Row], doubtful: Sequence[tuple[int, str]]
    ) -> None:
        """Puts into the rows what a second look says of values that were not found. One window of the page is shown
        again: that to which most of the doubtful rows belong."""
        window = max(windows, key=lambda one: sum(_is_in(one, rows[number]) for number, _ in doubtful))
        said = [{"record": n + 1, "field": name, "value": rows[n][name].value} for n, name in doubtful]
        lines = "\n".join(json.dumps(one, ensure_ascii=False, default=str) for one in said)
        shown = fenced(f"page {page.url}", window.text)
        try:
            answer = await self._asked("direct_extract_again", doubtful=fenced("answers", lines), page=shown)
        except NoAnswer:
            return  # what was doubtful stays so, and is dropped
        asked = set(doubtful)
        for one in read_second_look(answer):
            number, name = one.get("record"), one.get("field")
            if isinstance(number, int) and isinstance(name, str) and (number - 1, name) in asked:
                rows[number - 1][name] = Cell.of(one)

    async def _asked(self, name: str, **slots: str) -> str:
        prompt = load(name)
        form = None if name == "direct_extract_again" else records(self._schema)
        slots = {"fields": described(self._schema), "names": ", ".join(self._schema.names), **slots}
        told = await prompt.ask(self._completer, self._model, slots, form)
        self.answers.append(told.key)
        return told.text


def read_answer(text: str) -> list[dict[str, Any]]:
    """The records of an answer: {"records": […]}, a bare list or one record, in a code fence or amid other text.

    Raises ValueError, which says what is wrong with it.
    """
    for found in jsons(text):
        rows = _rows(found)
        if rows is not None:
            return rows
    raise ValueError('it holds no JSON object with "records" and no list of objects')


def _rows(found: Any) -> list[dict[str, Any]] | None:
    if isinstance(found, dict):
        found = found.get("records", [found] if found else None)
    if isinstance(found, list) and all(isinstance(row, dict) for row in found):
        return found
    return None


def read_second_look(text: str) -> list[dict[str, Any]]:
    """The values of a second look: {"values": [{"record": …, "field": …, "value": …, "line": …}]}; none where the
    answer has another form."""
    for found in jsons(text):
        values = found.get("values") if isinstance(found, dict) else None
        if isinstance(values, list) and all(isinstance(one, dict) for one in values):
            return values
    return []


def joined(read: Sequence[list[Row]]) -> list[Row]:
    """The records of all windows. Where none holds two, the page is about one thing: each window adds its fields.
    Else a record that begins on the same line as one of the window before is the same, seen again."""
    if all(len(rows) <= 1 for rows in read):
        return [_merged([row for rows in read for row in rows])] if any(read) else []
    found: list[Row] = []
    before: dict[int, int] = {}
    for rows in read:
        begins = {}
        for row in rows:
            line = min((line for cell in row.values() for line in cell.lines), default=None)
            at = before.get(line) if line is not None else None
            if at is None:
                at = len(found)
                found.append(row)
            else:
                found[at] = _merged([found[at], row])
            if line is not None:
                begins[line] = at
        before = begins
    return found


def _merged(rows: Sequence[Row]) -> Row:
    """One record of several readings; the first that says a field counts."""
    return {name: cell for row in reversed(rows) for name, cell in row.items() if cell.value is not None}


def _is_in(window: Window, row: Row) -> bool:
    numbers = {number for number, _ in window.lines}
    return any(line in numbers for cell in row.values() for line in cell.lines)


def _said(rows: Sequence[Row], schema: Schema) -> Iterator[tuple[int, str, Cell]]:
    """What is of its field's kind, by row and field."""
    for number, row in enumerate(rows):
        for name in schema.names:
            cell = row.get(name)
            if cell is not None and cell.value is not None and normalise(cell.value, schema[name]) is not None:
                yield number, name, cell


def _unfounded(rows: Sequence[Row], shown: Shown, schema: Schema) -> Iterator[tuple[int, str]]:
    for number, name, cell in _said(rows, schema):
        if shown.evidence(cell, schema[name]) is None:
            yield number, name


def _testimony(witness: str, rows: Sequence[Row], shown: Shown, schema: Schema) -> Testimony | None:
    told: list[Record] = [{} for _ in rows]
    quotes: dict[tuple[int, str], tuple[Evidence, ...]] = {}
    for number, name, cell in _said(rows, schema):
        found = shown.evidence(cell, schema[name])
        if found is not None:
            told[number][name] = cell.value
            quotes[number, name] = found
    kept = [number for number, record in enumerate(told) if record]
    place = {number: at for at, number in enumerate(kept)}
    evidence = {(place[number], name): found for (number, name), found in quotes.items() if found}
    return Testimony(witness, tuple(told[number] for number in kept), evidence=evidence) if kept else None
