"""A field that a model alone speaks of is read where the page itself calls it so, or not at all.

A model that reads the same wrong line of every page, or mixes up two fields, agrees with itself; the program that
follows it agrees with it too, on unseen pages as well. Only the page's own names can tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from crawloop.carriers.called import is_among_its_own, is_called, is_led, is_pieced, names_read
from crawloop.carriers.naming import name_alone
from crawloop.carriers.reading_names import names_of, words_before
from crawloop.contract import Case
from crawloop.extract.plan import Plan
from crawloop.extract.reading import Expression, evaluate, innermost, json_path
from crawloop.extract.view import PageView
from crawloop.gauntlet.comparison import claimed
from crawloop.gauntlet.wording import few, shown
from crawloop.model.candidate import Candidate, Trial
from crawloop.model.kind import Field, Kind
from crawloop.model.truth import Claim
from crawloop.model.verdict import Finding
from crawloop.values import equal, fold, is_blank

_FIRST_WORD = re.compile(r"\W*([^\W\d_]+)")
_LAST_WORD = re.compile(r".*?([^\W\d_]+)\W*\Z", re.DOTALL)


class Hearsay:
    """Fatal to the field: it is left out, and another candidate may read it better."""

    name = "hearsay"

    def judge(self, trial: Trial, case: Case) -> Iterator[Finding]:
        for field in claimed(trial, case):
            said = [one for one in _claims(field, case) if one.supported]
            if not said or not all(one.is_hearsay for one in said):
                continue
            if doubt := _doubt(field, [one.value for one in said], case):
                yield Finding(self.name, f"{field.name} rests on a model's word alone, {doubt}", True, field=field.name)
            elif trial.candidate.plan is not None:
                yield from self._readers(field, trial.candidate, case)
            else:
                yield from few(self._values(field, trial, case))

    def _readers(self, field: Field, candidate: Candidate, case: Case) -> Iterator[Finding]:
        plan = Plan.loads(candidate.plan or "")
        readers = plan.fields[field.name].readers if field.name in plan.fields else ()
        if not all(_is_named(one, field, case) for one in readers):
            message = f"{field.name} rests on a model's word alone, and is read where nothing is named after it"
            yield Finding(self.name, message, True, field=field.name)
        elif len(readers) > 1 and plan.rows is None and any(_bears_out(one, field, case) < 2 for one in readers):
            message = f"{field.name} rests on a model's word alone, and one of its readings on a single page of it"
            yield Finding(self.name, message, True, field=field.name)

    def _values(self, field: Field, trial: Trial, case: Case) -> Iterator[Finding]:
        pages = zip(case.seen + case.unseen, trial.seen + trial.unseen, strict=True)
        for sample, run in pages:
            view = PageView(sample.page.html, sample.page.base)
            for number, row in enumerate(run.records or ()):
                value = row.get(field.name)
                if not is_blank(value) and not is_called(view, value, field, case.schema):
                    message = f"{field.name} {shown(value)} rests on a model's word alone, and nothing names it so"
                    yield Finding(self.name, message, True, run.url, number, field.name, None, value)


def _is_named(reader: Expression, field: Field, case: Case) -> bool:
    """Whether a reading says that it reads the field, or the places do where it finds it on the known pages.

    Words after which it cuts must stand before what it finds on the page too: in the text of a whole table the heading
    of the last column stands before the first cell.
    """
    views = [PageView(one.page.html, one.page.base) for one in case.seen + case.unseen if one.truth]
    found = [view for view in views if not is_blank(evaluate(reader, view, view))]
    words = list(words_before(reader)) if json_path(innermost(reader)) is None else []
    if words and not all(is_led(view, evaluate(reader, view, view), field, words) for view in found):
        return False
    if name_alone(names_of(reader), field, case.schema):
        return True
    return len(found) > 1 and all(name_alone(names_read(view, reader), field, case.schema) for view in found)


def _doubt(field: Field, values: Sequence[Any], case: Case) -> str:
    """What cannot be told from values that only a model knows: "" where nothing is amiss."""
    if len(values) < 2:
        return "which knows it from one place only"
    if all(equal(values[0], one, field) for one in values) and not _is_own(field, values[0], case):
        return "which is the same everywhere: so is what has nothing to do with the page"
    if all(str(one).rstrip().endswith((":", "：")) for one in values):
        return "which ends with a colon everywhere, as labels do"
    if field.kind is Kind.TEXT and not field.many and _shares_an_end(values) and _is_pieced(field, case):
        return "which begins or ends with one word everywhere, apart from the rest: it may be a label"
    if field.many and all(isinstance(one, list) and len(one) == 1 for one in values):
        return "which never shows how several are told apart"
    return ""


def _shares_an_end(values: Sequence[Any]) -> bool:
    """Whether texts that differ have their first or their last word in common: "Work (800) 252", "Work (410) 310"."""
    texts = {fold(str(one)) for one in values}
    for end in (_FIRST_WORD, _LAST_WORD):
        words = {found[1] if (found := end.match(text)) else None for text in texts}
        if len(texts) > 1 and len(words) == 1 and None not in words:
            return True
    return False


def _is_pieced(field: Field, case: Case) -> bool:
    """Whether the page has the field's text in several pieces wherever it is known."""
    return all(
        is_pieced(PageView(sample.page.html, sample.page.base), str(record[field.name].value))
        for sample in case.seen + case.unseen
        for record in (sample.truth.records if sample.truth else ())
        if field.name in record
    )


def _is_own(field: Field, value: Any, case: Case) -> bool:
    """Whether a value that is the same everywhere stands among what is each page's own."""
    known = (one.page for one in case.seen + case.unseen if one.truth and field.name in one.truth.fields)
    return not field.many and is_among_its_own([PageView(one.html, one.base) for one in known], value, field)


def _bears_out(reader: Expression, field: Field, case: Case) -> int:
    """On how many pages of one record a reading gives what is said of the field."""
    found = 0
    for sample in case.seen + case.unseen:
        records = sample.truth.values() if sample.truth else ()
        if len(records) == 1 and field.name in records[0]:
            view = PageView(sample.page.html, sample.page.base)
            found += equal(evaluate(reader, view, view), records[0][field.name], field, base=view.url)
    return found


def _claims(field: Field, case: Case) -> Iterator[Claim]:
    for sample in case.seen + case.unseen:
        for record in sample.truth.records if sample.truth else ():
            if field.name in record:
                yield record[field.name]
