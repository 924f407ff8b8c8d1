"""Pages with their right values, as a prompt shows them; and the JSON of a page by itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from crawloop.brief.compact import shrunk_to
from crawloop.brief.facts import is_linked
from crawloop.brief.prompt import fenced
from crawloop.extract.bounds.guard import check
from crawloop.extract.data.graph import type_names
from crawloop.extract.data.islands import Islands
from crawloop.model.truth import Sample, Truth

_LONGEST_VALUE = 400
_MOST_RECORDS = 12


def shown(samples: Sequence[Sample], room: int, show: Callable[[Sample, int], str]) -> str:
    """Each sample's page as `show` gives it in so many characters, and its right values below; `room` for all."""
    known = [sample for sample in samples if sample.truth is not None]
    parts = []
    for number, sample in enumerate(known, 1):
        assert sample.truth is not None
        page = fenced(f"page {number} {sample.page.url}", show(sample, room // len(known)))
        right = fenced(f"right values of page {number}", right_values(sample.truth))
        parts.append(f"Page {number}:\n{page}\n\nRight values on page {number}:\n{right}")
    return "\n\n".join(parts)


def right_values(truth: Truth) -> str:
    """The supported values as JSON, long lists and texts cut, with what is known to be absent."""
    records = [{k: _cut(v) for k, v in record.items()} for record in truth.values()[:_MOST_RECORDS]]
    lines = [json.dumps(record, ensure_ascii=False) for record in records]
    if len(truth.records) > len(lines):
        lines.append(f"… and {len(truth.records) - len(lines)} more, {len(truth.records)} in all")
    lines += [f"record {number + 1} has no {name}" for number, name in sorted(truth.absent)]
    return "\n".join(lines) or "no records"


def islands_of(sample: Sample, room: int) -> str:
    """The JSON that a page carries, an island a line, objects with a type under the name by which paths reach them."""
    page = sample.page
    check(page.html)
    root = LexborHTMLParser(page.html).root
    if root is None:
        return ""
    islands = Islands(root, page.html, page.base)
    typed = [(f"{mark}{type_names(one['@type'])[0]}", one) for mark in ("@", "#") for one in islands.graph(mark).tops()]
    linked = {id(one) for _, one in typed}
    plain = [(name, value) for name in islands.names() if not is_linked(value := islands.get(name), linked)]
    every = [*typed, *plain]
    return "\n".join(line for name, value in every if (line := shrunk_to(name, value, room // len(every))))


def _cut(value: Any) -> Any:
    if isinstance(value, list):
        return [_cut(one) for one in value[:_MOST_RECORDS]] + (["…"] if len(value) > _MOST_RECORDS else [])
    if isinstance(value, str) and len(value) > _LONGEST_VALUE:
        return value[:_LONGEST_VALUE] + "…"
    return value
