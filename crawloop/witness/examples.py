"""Right values that a person knows: a file with one JSON object a line, one line a page.

    {"url": "https://shop.example/p/1", "records": [{"title": "Kettle", "price": 19.9, "absent": ["badge"]}]}

A key that is missing or null asserts nothing; a field under "absent" is asserted to be on the page nowhere.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crawloop.errors import ExampleError
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page, Record
from crawloop.model.truth import Testimony
from crawloop.schemas import contradictions
from crawloop.schemas.check import readable
from crawloop.shape import matches, pattern
from crawloop.values import normalise

_LOCATION = Field("url", Kind.URL)


@dataclass(frozen=True, slots=True)
class Example:
    """The labelled records of one page. `absent` holds (record index, field); `line` is where the file says so."""

    url: str
    records: tuple[Record, ...]
    absent: frozenset[tuple[int, str]] = frozenset()
    line: int = 0


class ExamplesWitness:
    """Testifies what a person labelled. Knows a page by its URL as asked for, else by where redirects ended."""

    name = "examples"
    needs_model = False

    def __init__(self, examples: Iterable[Example]) -> None:
        self._by_url = {_key(example.url): example for example in examples}

    async def testify(
        self, page: Page, family: str, schema: Schema, model: str | None, beside: Sequence[Page] = ()
    ) -> Testimony | None:
        example = self._by_url.get(_key(page.url)) or self._by_url.get(_key(page.base))
        return Testimony(self.name, example.records, example.absent) if example else None


def read_examples(file: Path, schema: Schema) -> tuple[Example, ...]:
    """The examples of a JSONL file, in its order. Raises ExampleError, which names file, line, field and remedy."""
    try:
        text = file.read_text("utf-8-sig")
    except OSError as error:
        raise ExampleError(f"{file}: cannot be read ({error.strerror}): name an existing JSONL file") from error
    except UnicodeDecodeError as error:
        raise ExampleError(f"{file}: is not UTF-8 at byte {error.start}: save it as UTF-8") from error
    examples: dict[str, Example] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        example = _Reader(f"{file}:{number}", schema).read(line, number)
        before = examples.setdefault(_key(example.url), example)
        if before is not example:
            raise ExampleError(
                f"{file}:{number}: url: {example.url} stands on line {before.line} already: put all records of a "
                "page into one line"
            )
    if not examples:
        raise ExampleError(f'{file}: holds no example: write one line {{"url": …, "records": […]}} a page')
    return tuple(examples.values())


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads one line; `where` begins every message."""

    where: str
    schema: Schema

    def read(self, line: str, number: int) -> Example:
        row = self._row(line)
        url = row.get("url")
        if not isinstance(url, str) or not url.strip():
            raise self._error("url", "is missing or no text", "add the URL of the page as it is fetched")
        if "absent" in row:
            raise self._error("absent", "stands beside the records", "put it into the record that lacks the field")
        records = row.get("records")
        if not isinstance(records, list):
            raise self._error("records", "is missing or no list", 'add "records": […], empty where the page has none')
        absent = [(i, name) for i, record in enumerate(records) for name in self._absent(record, i)]
        return Example(url.strip(), tuple(self._record(r, i) for i, r in enumerate(records)), frozenset(absent), number)

    def _row(self, line: str) -> dict[str, Any]:
        try:
            row = json.loads(line, parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            place = f"column {error.colno}: {error.msg}" if isinstance(error, json.JSONDecodeError) else str(error)
            raise ExampleError(f"{self.where}: is not JSON ({place}): write one JSON object a line") from error
        if not isinstance(row, dict):
            raise ExampleError(f'{self.where}: is no JSON object: write {{"url": …, "records": […]}}')
        return row

    def _absent(self, record: Any, index: int) -> list[str]:
        if not isinstance(record, dict):
            raise self._error(f"records[{index}]", "is no object", "write the fields of a record by name")
        names = record.get("absent", [])
        if self._is_field("absent"):
            return []
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise self._error(f"records[{index}].absent", "is no list of field names", 'write e.g. ["badge"]')
        for name in names:
            self._known(name, f"records[{index}].absent")
            if record.get(name) is not None:
                raise self._error(f"records[{index}].{name}", "has a value and is called absent", "drop one of them")
        return names

    def _record(self, record: Record, index: int) -> Record:
        kept = {k: v for k, v in record.items() if k != "absent" or self._is_field(k)}
        for name in kept:
            self._known(name, f"records[{index}]")
        kept = {name: value for name, value in kept.items() if value is not None}
        for name, problem in contradictions(self.schema, kept).items():
            raise self._error(f"records[{index}].{name}", problem, "correct it, or leave it out")
        return readable(self.schema, kept)

    def _is_field(self, name: str) -> bool:
        return name in self.schema.names

    def _known(self, name: str, where: str) -> None:
        if not self._is_field(name):
            near = difflib.get_close_matches(name, self.schema.names, 1)
            remedy = f"did you mean {near[0]!r}?" if near else f"fields are {', '.join(self.schema.names)}"
            raise self._error(f"{where}.{name}", f"is no field of {self.schema.ref}", remedy)

    def _error(self, field: str, problem: str, remedy: str) -> ExampleError:
        return ExampleError(f"{self.where}: {field}: {problem}: {remedy}")


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON value")


def _key(url: str) -> Any:
    """By which two spellings of a URL are the same page."""
    return normalise(url, _LOCATION) or url


def of_family(examples: Sequence[Example], urls: Sequence[str]) -> tuple[str, ...]:
    """The labelled pages that are meant: a file may hold those of other families with the same schema too."""
    shapes = {pattern(url) for url in urls}
    alike = tuple(one.url for one in examples if any(matches(shape, one.url) for shape in shapes))
    return alike or tuple(one.url for one in examples)
