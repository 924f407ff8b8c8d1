"""Where every served value comes from: which reader gave it, what that one read, what became of it.

A version with a plan is traced by a program of its own, in the sandbox. Of a program without one, and of a value that
somebody else filled in, it is told where on the page the value stands.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from crawloop.carriers.support import support
from crawloop.contract import Sandbox
from crawloop.crawl.ladder import Served
from crawloop.crawl.stopgap import Filled
from crawloop.errors import PageRefused
from crawloop.extract.bounds.guard import check
from crawloop.extract.plan import Plan
from crawloop.extract.trace import origin, traced
from crawloop.extract.view import PageView
from crawloop.model.page import Page, Record

# {field: {"by": "program", "path", "snippet", "transform", …} or {"by": "page", "path", "snippet", "transform": None}}
RowEvidence = dict[str, dict[str, Any] | None]


class Tracer:
    """Explains what was served. `deadline` is in seconds for one run on a page."""

    def __init__(self, sandbox: Sandbox, deadline: float) -> None:
        self._sandbox = sandbox
        self._deadline = deadline

    async def __call__(self, served: Served, filled: Filled) -> tuple[RowEvidence, ...]:
        """The evidence of each of the records that are served of a page, null for null."""
        plan, told = None, []
        source = served.expected.version.plan
        if source is not None and filled.records:
            plan = Plan.loads(source)
            told = await asyncio.to_thread(self._told, plan, served.page)
        stands = _Whereabouts(served)
        rows = []
        for n, (kept, record) in enumerate(zip(filled.kept, filled.records, strict=True)):
            traces = told[kept] if kept < len(told) else {}
            row = {name: _of(plan, name, value, traces, stands) for name, value in record.items()}
            by = {name: who for (place, name), who in filled.by.items() if place == n}
            rows.append(row | {name: _by(who, stands.of(name, record[name])) for name, who in by.items()})
        return tuple(rows)

    def _told(self, plan: Plan, page: Page) -> list[Record]:
        """What the traced plan says of each row; a result that is too large is asked for by halves."""
        (run,) = self._sandbox.run(traced(plan).source("evidence", "trace"), [page], deadline=self._deadline)
        if run.records is not None:
            return [dict(one) for one in run.records]
        names = list(plan.fields)
        if run.failure is None or run.failure.kind != "output" or len(names) < 2:
            return []
        half = len(names) // 2
        parts = [self._told(plan.only(some), page) for some in (names[:half], names[half:])]
        return [one | other for one, other in zip(*parts, strict=True)] if all(parts) else parts[0] or parts[1]


class _Whereabouts:
    """Where values stand on a page; it is parsed when it is first asked."""

    def __init__(self, served: Served) -> None:
        self._page = served.page
        self._schema = served.expected.schema
        self._view: PageView | None = None

    def of(self, name: str, value: Any) -> dict[str, Any] | None:
        try:
            check(self._page.html)
        except PageRefused:  # it was served all the same: the sandbox may parse what this process may not
            return None
        if self._view is None:
            self._view = PageView(self._page.html, self._page.base)
        found = support(self._view, value, self._schema[name])
        return {"by": "page", "path": found[0].path, "snippet": found[0].snippet, "transform": None} if found else None


def _by(who: str, stands: dict[str, Any] | None) -> dict[str, Any]:
    """The evidence of a value that `who` gave, which stands on the page or cannot be found there as such."""
    return (stands or {"path": None, "snippet": None, "transform": None}) | {"by": who}


def _of(
    plan: Plan | None, name: str, value: Any, traces: Mapping[str, Any], stands: _Whereabouts
) -> dict[str, Any] | None:
    if value is None:
        return None
    found = origin(plan, name, traces[name], value) if plan is not None and name in traces else None
    return {"by": "program"} | asdict(found) if found is not None else stands.of(name, value)
