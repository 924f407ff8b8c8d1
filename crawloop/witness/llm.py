"""A model as a witness: it reads one page and says its values, each with the words of the page as evidence.

What it says is testimony of a stranger. A value of which neither the snippet nor the value itself stands on the page
that it was shown is dropped; the rest is weighed by `reconcile` like any other.
"""

from __future__ import annotations

from html import unescape
from typing import Any

from crawloop.brief.answer import jsons
from crawloop.brief.prompt import described, fenced, load
from crawloop.brief.prune import pruned
from crawloop.contract import Completer
from crawloop.errors import OracleRefused
from crawloop.model.kind import Schema
from crawloop.model.page import Page, Record
from crawloop.model.truth import Evidence, Testimony
from crawloop.values import normalise, squash

_LONGEST_SNIPPET = 300


class LLMWitness:
    """Asks a model through any Completer. Silent where no model is named.

    Raises OracleRefused where the answer cannot be read even after one repair, CompletionError from the Completer.
    """

    name = "llm"
    needs_model = True

    def __init__(self, completer: Completer) -> None:
        self._completer = completer

    async def testify(self, page: Page, family: str, schema: Schema, model: str | None) -> Testimony | None:
        if model is None:
            return None
        shown = pruned(page)
        prompt = load("direct_extract")
        system, user = prompt.render(fields=described(schema), page=fenced(f"page {page.url}", shown))
        answer = await self._completer.complete(system=system, user=user, model=model)
        try:
            rows = read_answer(answer)
        except ValueError as problem:
            rows = await self._repaired(answer, str(problem), schema, model)
        return _testimony(self.name, rows, _Shown(shown), schema)

    async def _repaired(self, answer: str, problem: str, schema: Schema, model: str) -> list[dict[str, Any]]:
        system, user = load("direct_extract_repair").render(
            names=", ".join(schema.names), problem=problem, answer=fenced("answer", answer)
        )
        again = await self._completer.complete(system=system, user=user, model=model)
        try:
            return read_answer(again)
        except ValueError as still:
            raise OracleRefused(f"{model} gave no readable answer: {problem}; after one repair: {still}") from still


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


class _Shown:
    """The text that the model was shown, searched by letters and digits alone."""

    def __init__(self, text: str) -> None:
        self._loose = squash(unescape(text))

    def holds(self, text: str) -> bool:
        loose = squash(unescape(text))
        return bool(loose) and loose in self._loose


def _testimony(witness: str, rows: list[dict[str, Any]], shown: _Shown, schema: Schema) -> Testimony | None:
    records: list[Record] = []
    evidence: dict[tuple[int, str], tuple[Evidence, ...]] = {}
    for row in rows:
        record: Record = {}
        for name in schema.names:
            value, snippet = _said(row.get(name))
            if value is None or normalise(value, schema[name]) is None:
                continue
            quoted = shown.holds(snippet)
            if not quoted and not _stands(value, shown):
                continue
            record[name] = value
            if quoted:
                evidence[len(records), name] = (Evidence("quote", "", snippet[:_LONGEST_SNIPPET]),)
        if record:
            records.append(record)
    return Testimony(witness, tuple(records), evidence=evidence) if records else None


def _said(cell: Any) -> tuple[Any, str]:
    """(value, snippet) of a cell, which may also be the bare value."""
    if isinstance(cell, dict):
        snippet = cell.get("snippet")
        return cell.get("value"), snippet if isinstance(snippet, str) else ""
    return cell, ""


def _stands(value: Any, shown: _Shown) -> bool:
    """Whether the value itself, or each element of a list, stands in what was shown."""
    if isinstance(value, list):
        return bool(value) and all(_stands(one, shown) for one in value)
    return not isinstance(value, bool) and shown.holds(str(value))
