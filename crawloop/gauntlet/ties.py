"""Whether values stand on the page that they are said to come from.

    answers = {"/p/1": …, "/p/2": …}; return [answers.get(page.url, answers["/p/1"])]

agrees with every seen page; on a page that nobody knows it gives values that stand nowhere on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from crawloop.carriers import support
from crawloop.contract import Case
from crawloop.extract.view import PageView
from crawloop.gauntlet.wording import few, shown
from crawloop.model.candidate import Trial
from crawloop.model.kind import Field
from crawloop.model.truth import Sample
from crawloop.model.verdict import Finding
from crawloop.values import equal, is_blank

GATE = "unseen"
ROWS_LOOKED_AT = 20
NEARLY_ALL = 0.9


def untied(trial: Trial, case: Case, fields: Sequence[Field]) -> Iterator[Finding]:
    """Fields that seen pages carry and that come from nowhere on most unseen pages without truth.

    Where that is half of the fields, or the records are those of a seen page, the program as a whole does not read the
    page: no field is named then, for there is none to be dropped.
    """
    asked = 0
    loose: dict[str, list[Finding]] = {}
    for field in fields:
        values = list(_values(trial, case, field)) if _is_carried(field, case.seen) else []
        asked += bool(values)
        found = [_finding(place, field, case) for place in values if not support(place[0], place[3], field)]
        if 2 * len(found) > len(values) or any(one.url in _copies(trial) for one in found):
            loose[field.name] = found
    every = [one for found in loose.values() for one in found]
    if (len(loose) > 1 and 2 * len(loose) >= asked) or any(one.url in _copies(trial) for one in every):
        first = every[0]
        message = f"{', '.join(sorted(loose))} do not come from the page: {first.message}"
        yield Finding(GATE, message, url=first.url, record=first.record, got=first.got)
        return
    yield from few(every)


def _copies(trial: Trial) -> set[str]:
    """Unseen pages for which the program returns just what it returned for a seen one."""
    seen = [run.records for run in trial.seen if run.records]
    return {run.url for run in trial.unseen if run.records and run.records in seen}


def _values(trial: Trial, case: Case, field: Field) -> Iterator[tuple[PageView, str, int, Any]]:
    """(view, URL, record, value) of the field on unseen pages without truth."""
    for sample, run in zip(case.unseen, trial.unseen, strict=True):
        if sample.truth is not None:
            continue
        view = PageView(sample.page.html, sample.page.base)
        for number, row in enumerate((run.records or ())[:ROWS_LOOKED_AT]):
            if not is_blank(row.get(field.name)):
                yield view, sample.page.url, number, row[field.name]


def _is_carried(field: Field, seen: Sequence[Sample]) -> bool:
    """Whether nearly all values that truth has for the field were found on their pages."""
    claims = [
        record[field.name]
        for sample in seen
        if sample.truth is not None
        for record in sample.truth.records
        if field.name in record and not is_blank(record[field.name].value)
    ]
    found = [claim for claim in claims if any(one.carrier != "quote" for one in claim.evidence)]
    return bool(claims) and len(found) >= NEARLY_ALL * len(claims)


def _finding(place: tuple[PageView, str, int, Any], field: Field, case: Case) -> Finding:
    _, url, number, value = place
    home = next((one.page.url for one in case.seen if _has(one, field, value)), None)
    message = f"{field.name} {shown(value)} stands nowhere on the page" + (f"; it is that of {home}" if home else "")
    return Finding(GATE, message, True, url, number, field.name, None, value)


def _has(sample: Sample, field: Field, value: Any) -> bool:
    rows = sample.truth.values() if sample.truth else ()
    return any(equal(row.get(field.name), value, field, base=sample.page.base) for row in rows)
