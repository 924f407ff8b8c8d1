"""What is wrong with the records of one page, value by value. Each check yields problems; none decides.

A page of a new layout is held to more: what nothing confirms there, neither history nor markup nor the page's JSON,
is a problem in itself, for selectors that still match something after a redesign are how wrong values come in silence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from crawloop.crawl.verdict.problem import DOUBT, UNFILLED, Problem
from crawloop.crawl.verdict.reading import Reading
from crawloop.model.kind import Kind
from crawloop.schemas import check
from crawloop.schemas.expect import shown
from crawloop.values import departs, file_name, fits, fold, profile

_LIST = 5  # rows from which a column says something as a whole
_OFTEN = 3  # known records that say the same, after which more of it is no surprise
_SOME = 3  # known pages after which a field that all of them fill is worth a word where it is null
_SURE = 8  # records without an exception, after which "always" is believed of a page of the same layout


def about_page(reading: Reading) -> Iterator[Problem]:
    """What is wrong with the page as a whole: too few records, or the same one again and again."""
    rows, expected = reading.rows, reading.expected
    if not rows:
        if expected.never_empty or reading.known:
            yield Problem("no records", "no records, where there were always some")
        return
    said = expected.rows(reading.page.html, reading.found, len(rows))
    if said is not None and said != len(rows) and not reading.is_redesigned:
        said = expected.rows_of_their_list(reading.page.html, len(rows))
    before = len(reading.known)
    if said is not None and said >= 3 and not 0.6 * said <= len(rows) <= 1.7 * said:
        yield Problem("count", f"{len(rows)} records, where the page has {said} rows")
    elif before >= 3 and len(rows) < 0.5 * before and (said is None or not reading.is_same_layout):
        yield Problem("count", f"{len(rows)} records, where there were {before}")
    elif expected.is_single and len(rows) > 1 and len(expected.records) >= 3:
        yield Problem("count", f"{len(rows)} records, where there was always one")
    if len(rows) >= 3 and _repeats(rows) > max(0.5, 2 * _repeats(expected.records)):
        yield Problem("identical", f"{len(rows)} records, most of them the same")


def about_values(reading: Reading) -> Iterator[Problem]:
    """What is wrong with single values, the surest reasons first; the first that names a value is the one to tell."""
    yield from _misshapen(reading)
    yield from _foreign(reading)
    yield from _remembered(reading)
    yield from _changed(reading)
    yield from _contradicted(reading)
    yield from _missing(reading)
    yield from _monotonous(reading)
    yield from _unfamiliar(reading)
    yield from _unfilled(reading)
    if reading.is_redesigned:
        yield from unconfirmed(reading)


def unconfirmed(reading: Reading) -> Iterator[Problem]:
    """Values that nothing speaks for but the extractor."""
    why = "the page has another layout" if reading.is_redesigned else "the extractor does not fit this page"
    for index, row in enumerate(reading.rows):
        for name, value in row.items():
            if value is not None and (index, name) not in reading.confirmed:
                yield Problem("unconfirmed", f"is not confirmed, and {why}", name, index)


def _misshapen(reading: Reading) -> Iterator[Problem]:
    for index, row in enumerate(reading.rows):
        for name, problem in check(reading.expected.schema, row, base=reading.page.base).items():
            yield Problem("required" if row.get(name) is None else "shape", problem, name, index)


def _foreign(reading: Reading) -> Iterator[Problem]:
    for one in reading.expected.schema.fields:
        seen = reading.expected.profiles.get(one.name)
        for index, row in enumerate(reading.rows):
            value = row[one.name]
            problem = fits(value, seen, one) if seen and value is not None else None
            if problem:
                yield Problem("foreign", f"{problem} ({shown(value)})", one.name, index)


def _remembered(reading: Reading) -> Iterator[Problem]:
    """Values that were there and are gone."""
    was, expected = reading.recall.was, reading.expected
    for index, name in sorted(reading.recall.gone):
        if name in expected.fields and (name in expected.always or _is_lost(reading, was[index, name])):
            yield Problem("gone", f"is gone: it was {shown(was[index, name])}", name, index)


def _changed(reading: Reading) -> Iterator[Problem]:
    """Values that moved while the layout did. What markup attests, or only moved house, is doubted and served."""
    if reading.is_same_layout:
        return
    for index, name in sorted(reading.recall.changed):
        one = reading.expected.schema[name]
        if one.volatile:
            continue
        before, now = reading.recall.was[index, name], reading.rows[index][name]
        if (index, name) in reading.attested or (one.kind is Kind.URL and _is_same_file(before, now)):
            if reading.is_redesigned:
                yield Problem(DOUBT, f"may be another value: it was {shown(before)}", name, index)
        elif reading.where.holds(before):
            text = f"is {shown(now)}, and {shown(before)} stands on the page as before"
            yield Problem("misread", text, name, index)
        elif reading.is_redesigned:
            text = f"is {shown(now)}, and was {shown(before)} before the page got another layout"
            yield Problem("changed", text, name, index)
        else:
            yield Problem(DOUBT, f"may be another value: it was {shown(before)}", name, index)
    if reading.is_redesigned:
        for index, name in sorted(reading.recall.respelled):
            before = reading.recall.was[index, name]
            yield Problem(DOUBT, f"is written in another way: it was {shown(before)}", name, index)


def _is_same_file(before: object, now: object) -> bool:
    return file_name(before) == file_name(now) != ""


def _is_lost(reading: Reading, before: object) -> bool:
    """Whether a value that is not read any more was lost by the extractor and not taken off the page."""
    return not reading.is_same_layout or reading.where.holds(before)


def _contradicted(reading: Reading) -> Iterator[Problem]:
    for index, name, value, said in reading.attestable():
        if name in reading.markup.trusted and (index, name) not in reading.attested:
            got = "is missing" if value is None else f"is {shown(value)}"
            yield Problem("markup", f"{got}, and the page's markup says {shown(said)}", name, index)


def _missing(reading: Reading) -> Iterator[Problem]:
    """Fields that were always there, where that is believed or the page has changed."""
    rows, expected = reading.rows, reading.expected
    believed = not reading.is_same_layout or len(expected.records) >= _SURE
    for name in sorted(expected.always):
        lacking = [index for index, row in enumerate(rows) if row[name] is None]
        if lacking and (believed or 2 * len(lacking) > len(rows) > 2):
            yield from (Problem("missing", "is missing: it was always there", name, index) for index in lacking)


def _unfilled(reading: Reading) -> Iterator[Problem]:
    """Fields that every known page fills, where that is too few pages to believe that every page must."""
    expected, was = reading.expected, reading.recall.was
    if len(expected.pages) < _SOME:
        return
    for name in sorted(expected.always):
        for index, row in enumerate(reading.rows):
            if row[name] is None and ((index, name) in was or not reading.known):
                text = f"is missing: all {len(expected.pages)} known pages have it"
                yield Problem(UNFILLED, text, name, index)


def _monotonous(reading: Reading) -> Iterator[Problem]:
    """Columns of a long list that say the same in every row, or nothing any more."""
    if len(reading.rows) < _LIST:
        return
    for one in reading.expected.schema.fields:
        if one.name in reading.expected.shared and all(row[one.name] is not None for row in reading.rows):
            continue
        before = reading.expected.profiles.get(one.name)
        column = [row[one.name] for row in reading.rows]
        problem = departs(profile(column, one), before, one) if before else None
        if problem and one.name in reading.expected.fields and not _is_usual(reading, one.name, column):
            yield from (Problem("monotonous", problem, one.name, index) for index in range(len(column)))


def _is_usual(reading: Reading, name: str, column: Sequence[object]) -> bool:
    """Whether a column says one thing, which several known records say too: most motions are granted."""
    said = {fold(str(value)) for value in column if value is not None}
    known = (fold(str(record[name])) for record in reading.expected.records if record.get(name) is not None)
    return len(said) == 1 and sum(one in said for one in known) >= _OFTEN


def _unfamiliar(reading: Reading) -> Iterator[Problem]:
    """Columns of few labels in which, on a changed page, not one label is an old one."""
    if reading.is_same_layout or len(reading.rows) < _LIST:
        return
    for one in reading.expected.schema.fields:
        if one.kind is not Kind.TEXT or one.many:
            continue
        before = [
            fold(str(record[one.name])) for record in reading.expected.records if record.get(one.name) is not None
        ]
        now = {index: row[one.name] for index, row in enumerate(reading.rows) if row[one.name] is not None}
        labels = set(before)
        if len(before) < _LIST or len(labels) > max(3, len(before) // 5) or len(now) < _LIST:
            continue
        if not any(fold(str(value)) in labels for value in now.values()):
            text = f"is {shown(next(iter(now.values())))}, and no value is one of the {len(labels)} that were usual"
            yield from (Problem("unfamiliar", text, one.name, index) for index in now)


def _repeats(rows: Sequence[Mapping[str, object]]) -> float:
    """The share of the record that stands most often, 0 where there are too few to say."""
    if len(rows) < 3:
        return 0.0
    counts = Counter(tuple(map(str, row.values())) for row in rows)
    return counts.most_common(1)[0][1] / len(rows)
