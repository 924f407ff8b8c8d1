"""A corpus of real pages with right values, as benchmarks read it; docs/measure.md says how its folders lie."""

from __future__ import annotations

import csv
import gzip
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from crawloop.crawl.charset import decode
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page, Record
from crawloop.schemas import contradictions, sharpen

MOST_KB = 100_000
_UNITS = {Kind.DURATION: "minutes"}


@dataclass(frozen=True, slots=True)
class Labelled:
    """A page with its right values."""

    page: Page
    records: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class Family:
    """Pages of one layout. `name` is set/family/era."""

    name: str
    schema: Schema
    pages: tuple[Labelled, ...]


def families(
    corpus: Path, sets: Sequence[str] = (), kind: str = "detail", least: int = 1, size: tuple[int, int] = (0, MOST_KB)
) -> Iterator[Family]:
    """The families of these sets (none named: all) with such pages, at least so many, and so large (KB, the median)."""
    with (corpus / "INDEX.tsv").open() as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    for row in rows:
        names = [name for name in row["fields_on_page"].split(",") if name not in ("", "-")]
        if (sets and row["set"] not in sets) or row["kind"] != kind or int(row["n_pages"]) < least or not names:
            continue
        if not size[0] <= float(row["median_html_kb"]) <= size[1]:
            continue
        types = json.loads((corpus / row["set"] / "schema.json").read_text())["fields"]
        pages = _pages(corpus / row["set"] / row["family"] / row["era"])
        rows_of = [record for _, records in pages for record in records]
        yield _family(row, pages, Schema("Item@1", tuple(_field(name, types[name]["type"], rows_of) for name in names)))


def _family(row: Mapping[str, str], pages: Sequence[tuple[Page, list[Record]]], schema: Schema) -> Family:
    labelled = [Labelled(page, tuple(_record(schema, one, page) for one in records)) for page, records in pages]
    schema = sharpen(schema, [record for one in labelled for record in one.records])
    return Family("/".join((row["set"], row["family"], row["era"])), schema, tuple(labelled))


def _pages(folder: Path) -> list[tuple[Page, list[Record]]]:
    """Pages that share a URL, as saved on several days, are told apart by it."""
    found = []
    for file in sorted(folder.glob("*.json")):
        told = json.loads(file.read_text())
        html = decode(gzip.decompress(file.with_suffix(".html.gz").read_bytes()), None)
        url = urljoin(f"https://{folder.parent.parent.name}.example/{folder.parent.name}/", told["url"] or file.stem)
        found.append((file.stem, url, html, told["records"]))
    count = Counter(url for _, url, _, _ in found)
    return [
        (Page(f"{url}{'&' if '?' in url else '?'}saved={stem}" if count[url] > 1 else url, html), records)
        for stem, url, html, records in found
    ]


def _field(name: str, said: str, records: Sequence[Record]) -> Field:
    kind = Kind(said.removeprefix("list of "))
    return Field(name, kind, any(isinstance(one.get(name), list) for one in records), _UNITS.get(kind))


def _record(schema: Schema, record: Record, page: Page) -> Record:
    """The values of the schema's fields that are of their kind, in its form."""
    known = {one.name: _cast(record.get(one.name), one) for one in schema.fields}
    known = {name: value for name, value in known.items() if value not in (None, "", [])}
    wrong = contradictions(schema, known, base=page.base)
    return {name: value for name, value in known.items() if name not in wrong}


def _cast(value: Any, field: Field) -> Any:
    if value is None or value in ("", []):
        return None
    if field.many:
        items = [_cast(one, replace(field, many=False)) for one in (value if isinstance(value, list) else [value])]
        return None if None in items else items
    if field.kind in (Kind.NUMBER, Kind.MONEY, Kind.DURATION):
        try:
            return float(value)
        except (TypeError, ValueError):
            return None
    return value if isinstance(value, bool) else str(value)
