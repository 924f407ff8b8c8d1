"""Whether records from pages that nobody knows look like those from the seen pages: how many, how full, what values.

A page that looks odd is told; it is fatal where most of these pages look so, for one of them may be of another sort.
Rows that repeat each other are fatal anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from crawloop.contract import Case
from crawloop.gauntlet.counts import repeats
from crawloop.gauntlet.wording import few, shown
from crawloop.model.candidate import Run, Trial
from crawloop.model.kind import Field
from crawloop.model.page import Record
from crawloop.model.verdict import Finding
from crawloop.values import departs, fits, is_blank, profile

GATE = "unseen"
MANY_ROWS = 4
NEARLY_ALWAYS = 0.9


def unknown_runs(trial: Trial, case: Case) -> list[Run]:
    """Runs on unseen pages without truth, as far as they ended well."""
    pairs = zip(case.unseen, trial.unseen, strict=True)
    return [run for sample, run in pairs if sample.truth is None and run.records is not None]


def oddities(trial: Trial, case: Case) -> Iterator[Finding]:
    """Pages with nothing, with many records where one is usual, with one where many are; and rows that repeat."""
    seen = [run.records for run in trial.seen if run.records is not None]
    runs = unknown_runs(trial, case)
    odd = [(run, message) for run in runs if (message := _odd(run.records or (), seen))]
    most = 2 * len(odd) > len(runs)
    yield from few(Finding(GATE, message, most, run.url) for run, message in odd)
    if not any(_repeats(rows) for rows in seen):
        yield from few(
            Finding(
                GATE, f"{_repeats(run.records or ())} of {len(run.records or ())} records repeat others", url=run.url
            )
            for run in runs
            if _repeats(run.records or ())
        )


def strange_values(trial: Trial, case: Case, fields: Sequence[Field]) -> Iterator[Finding]:
    """Fields whose values are of another sort than on seen pages, or are there no more."""
    seen = [row for run in trial.seen for row in run.records or ()]
    runs = unknown_runs(trial, case)
    here = [row for run in runs for row in run.records or ()]
    if not seen or not here:
        return
    for field in fields:
        before = profile([row.get(field.name) for row in seen], field)
        now = [row.get(field.name) for row in here]
        yield from _foreign(field, before, runs)
        yield from _departed(field, before, profile(now, field))


def _departed(field: Field, before: dict[str, Any], now: dict[str, Any]) -> Iterator[Finding]:
    """A field that is emptier than before may be so rightly: it is fatal where it was nearly always there."""
    problem = departs(now, before, field)
    if problem:
        emptier = now["fill"] < before["fill"] / 4
        fatal = not emptier or (before["fill"] >= NEARLY_ALWAYS and not now["fill"])
        yield Finding(GATE, f"{field.name} {problem}", fatal, field=field.name)
    elif now["fill"] < before["fill"] == 1:
        fatal = field.required and now["fill"] < 0.5
        message = f"{field.name} is filled in {now['fill']:.0%} of the records: on seen pages it is always there"
        yield Finding(GATE, message, fatal, field=field.name)


def _foreign(field: Field, before: dict[str, Any], runs: Sequence[Run]) -> Iterator[Finding]:
    values = [
        (run.url, number, row[field.name])
        for run in runs
        for number, row in enumerate(run.records or ())
        if not is_blank(row.get(field.name))
    ]
    foreign = [(place, problem) for place in values if (problem := fits(place[2], before, field))]
    most = 2 * len(foreign) > len(values)
    yield from few(
        Finding(GATE, f"{shown(value)} {problem}", most, url, number, field.name, None, value)
        for (url, number, value), problem in foreign
    )


def _odd(rows: Sequence[Record], seen: Sequence[Sequence[Record]]) -> str | None:
    counts = [len(one) for one in seen]
    if not counts or not min(counts):
        return None
    if not any(not is_blank(value) for row in rows for value in row.values()):
        return "returns nothing here: every seen page gives something"
    if max(counts) == 1 and len(rows) > 1:
        return f"{len(rows)} records: every seen page gives one"
    if min(counts) >= MANY_ROWS and len(rows) == 1:
        return f"1 record: seen pages give {min(counts)} and more"
    return None


def _repeats(rows: Sequence[Record]) -> int:
    """How many rows are like one before them, where these are half of a longer list or more."""
    repeated = repeats(rows)
    return repeated if len(rows) >= MANY_ROWS and 2 * repeated >= len(rows) else 0
