"""Whether values stand on the page that they are said to come from.

    answers = {"/p/1": …, "/p/2": …}; return [answers.get(page.url, answers["/p/1"])]

agrees with every seen page; on a page that nobody knows it gives values that stand nowhere on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from crawloop.carriers import support
from crawloop.contract import Case
from crawloop.extract.view import PageView
from crawloop.gauntlet.wording import few, shown
from crawloop.model.candidate import Run, Trial
from crawloop.model.kind import Field
from crawloop.model.truth import QUOTE, SUM, Sample
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
    carried = [field for field in fields if _is_carried(field, case.seen)]
    counts: Counter[str] = Counter()
    found: dict[str, list[Finding]] = {}
    for view, run in _pages(trial, case):
        for number, row in enumerate((run.records or ())[:ROWS_LOOKED_AT]):
            for field in carried:
                value = row.get(field.name)
                counts[field.name] += not is_blank(value)
                if not is_blank(value) and not support(view, value, field):
                    found.setdefault(field.name, []).append(_finding(run.url, number, field, value, case))
    copies = _copies(trial)
    loose = {
        name: told
        for name, told in found.items()
        if 2 * len(told) > counts[name] or any(one.url in copies for one in told)
    }
    every = [one for told in loose.values() for one in told]
    if (len(loose) > 1 and 2 * len(loose) >= len(+counts)) or any(one.url in copies for one in every):
        yield _whole(sorted(loose), every[0])
    else:
        yield from few(every)


def _whole(names: Sequence[str], first: Finding) -> Finding:
    message = f"{', '.join(names)} do not come from the page: {first.message}"
    return Finding(GATE, message, url=first.url, record=first.record, got=first.got)


def _copies(trial: Trial) -> set[str]:
    """Unseen pages for which the program returns just what it returned for a seen one."""
    seen = [run.records for run in trial.seen if run.records]
    return {run.url for run in trial.unseen if run.records and run.records in seen}


def _pages(trial: Trial, case: Case) -> Iterator[tuple[PageView, Run]]:
    """Unseen pages without truth, one after the other: the index of a page is not kept for long."""
    for sample, run in zip(case.unseen, trial.unseen, strict=True):
        if sample.truth is None:
            yield PageView(sample.page.html, sample.page.base), run


def _is_carried(field: Field, seen: Sequence[Sample]) -> bool:
    """Whether nearly all values that truth has for the field were found on their pages."""
    claims = [
        record[field.name]
        for sample in seen
        if sample.truth is not None
        for record in sample.truth.records
        if field.name in record and not is_blank(record[field.name].value)
    ]
    found = [claim for claim in claims if any(one.carrier not in (QUOTE, SUM) for one in claim.evidence)]
    return bool(claims) and len(found) >= NEARLY_ALL * len(claims)


def _finding(url: str, number: int, field: Field, value: Any, case: Case) -> Finding:
    home = next((one.page.url for one in case.seen if _has(one, field, value)), None)
    message = f"{field.name} {shown(value)} stands nowhere on the page" + (f"; it is that of {home}" if home else "")
    return Finding(GATE, message, True, url, number, field.name, None, value)


def _has(sample: Sample, field: Field, value: Any) -> bool:
    rows = sample.truth.values() if sample.truth else ()
    return any(equal(row.get(field.name), value, field, base=sample.page.base) for row in rows)
