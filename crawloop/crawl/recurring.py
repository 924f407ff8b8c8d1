"""Values that come back: where a field is misread, one text of the site often stands in for many values.

Values also come back for good reason. What counts here does so on few healthy pages:

- What history confirms is right, and so is the same value on other pages. Where pages are known from before, a value
  must have taken the place of another one somewhere: those of a new brand stand on new pages only.
- Pages are sorted, and a new brand comes with twenty products: pages in a row count as one, until the row is long.
- Nothing is said before so many pages were seen: beside more pages more values are the same.

A page of several records is looked at by itself.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from zlib import crc32

from crawloop.crawl.verdict.moved import Beside
from crawloop.crawl.verdict.problem import PAGE
from crawloop.crawl.verdict.symptoms import Symptom, stream
from crawloop.model.page import Record

_RECENT = "recent"
_LOOK_BACK = 64  # other pages, over all crawls
_LONG = 24  # pages in a row with one value, from which on each counts
_SOME = 8  # of the pages looked back on: fewer that are known from before say nothing
_LESS = 3  # times as seldom a value may stand on known pages as on others, where it is misread on both
_RECORD, _URL = "", "/"  # beside the fields: the record as a whole, and which page it is


class _Past(IntEnum):
    """How a value is to what was known of its page."""

    UNKNOWN = 1
    OTHER = 2
    SAME = 3


class Recurring:
    """The last pages of a version that are about one thing, each once. `kept` is what `numbers` gave before.

    Of a page each field with a value has a number: a digest of the value and, in the last two bits, its past.
    """

    def __init__(self, kept: Mapping[str, Sequence[float]]) -> None:
        columns = {name.rpartition(": ")[0]: column for name, column in kept.items() if name.endswith(f": {_RECENT}")}
        rows = (dict(zip(columns, map(int, row), strict=True)) for row in zip(*columns.values(), strict=False))
        self._pages = deque((row for row in rows if row.get(_URL)), _LOOK_BACK + 1)

    def numbers(self) -> dict[str, list[float]]:
        """What is to be stored: of each field the last pages, the oldest first; 0 for none, and for a page to come."""
        names = dict.fromkeys(name for page in self._pages for name in page)
        to_come = [0] * (_LOOK_BACK + 1 - len(self._pages))
        return {f"{name}: {_RECENT}": [*to_come, *(page.get(name, 0) for page in self._pages)] for name in names}

    def symptoms(self, url: str, records: Sequence[Record], beside: Iterable[Beside]) -> Iterator[tuple[str, float]]:
        """What a page says of each field that has a value, and of its records."""
        if len(records) > 1:
            yield from _among(records)
        elif records:
            page = {_URL: _digest(url), **_numbered(records[0], beside)}
            others = [one for one in self._pages if one[_URL] != page[_URL]]
            if len(others) >= _LOOK_BACK:
                yield from _words(page, others[-_LOOK_BACK:])
            self._pages = deque([*others, page], _LOOK_BACK + 1)


def _among(records: Sequence[Record]) -> Iterator[tuple[str, float]]:
    """The share of a page's values that stand on it before."""
    for name in records[0]:
        values = [repr(row[name]) for row in records if row.get(name) is not None]
        if values:
            yield stream(name, Symptom.REPEATED), 1 - len(set(values)) / len(values)
    yield stream(PAGE, Symptom.IDENTICAL), 1 - len(set(map(repr, records))) / len(records)


def _numbered(record: Record, beside: Iterable[Beside]) -> dict[str, int]:
    pasts = {one.field: _Past.OTHER if one.is_other else _Past.SAME for one in beside}
    found = {
        name: _digest(repr(value)) + pasts.get(name, _Past.UNKNOWN)
        for name, value in record.items()
        if value is not None
    }
    same = sum(past is _Past.SAME for past in pasts.values())
    past = _Past.UNKNOWN if not pasts else _Past.SAME if 2 * same >= len(pasts) else _Past.OTHER
    return found | {_RECORD: _digest(repr(record)) + past}


def _digest(text: str) -> int:
    """24 bits, and two for something else."""
    return (crc32(text.encode("utf-8", "surrogatepass")) & 0xFFFFFF) << 2


def _words(page: Mapping[str, int], last: Sequence[Mapping[str, int]]) -> Iterator[tuple[str, float]]:
    known = sum(one[_RECORD] & 3 != _Past.UNKNOWN for one in last)
    followed = known if known >= _SOME else 0
    for name in (name for name in page if name != _URL):
        x = _comes_back(name, page, last, followed if name != _RECORD else 0)
        if x is None:
            continue
        if name == _RECORD:
            yield stream(PAGE, Symptom.IDENTICAL), float(x)
        else:
            yield stream(name, Symptom.SPREAD if followed else Symptom.REPEATED), float(x)


def _comes_back(name: str, page: Mapping[str, int], last: Sequence[Mapping[str, int]], known: int) -> bool | None:
    """Whether a value is suspiciously often on the pages before, of which so many are known; None within a row."""
    value = page[name] >> 2
    places = [n for n, one in enumerate(last) if one.get(name, 0) >> 2 == value]
    if not places:
        return False
    pasts = Counter(one[name] & 3 for one in (page, *(last[n] for n in places)))
    if pasts[_Past.SAME]:
        return False
    if places[-1] == len(last) - 1:
        return True if places[-_LONG:] == [*range(len(last) - _LONG, len(last))] else None
    if known:
        return _LESS * pasts[_Past.OTHER] * (len(last) - known) >= pasts[_Past.UNKNOWN] * known
    return sum(n + 1 not in places for n in places) > 1
