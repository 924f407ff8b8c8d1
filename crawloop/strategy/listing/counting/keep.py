"""Which rows count: the fewest readings that all records have and other rows of the same selector have not.

row.text("td:nth-child(2)")                table heads and section titles have no second cell
lacking(row.text("a"), ["sold", "used"])   rows of a sort that truth leaves out say so
distinct(rows, keys)                       a record that the page shows more than once is told once
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from crawloop.extract.plan import FieldPlan
from crawloop.extract.reading import Apply, Expression, Read, innermost, steps
from crawloop.model.kind import Kind
from crawloop.strategy.listing.counting.parts import of_rows
from crawloop.strategy.listing.fields.table import Row
from crawloop.strategy.listing.fields.text import pattern_of

_TRIED = 12
_MOST_SAMPLED = 400
_TAGS = ("td", "a", "p", "h2", "h3", "h4", "li", "strong", "b", "span")
_COLUMNS = range(1, 8)
_LINK = Read("attr", ("a[href]", "href"))
_TEXTS = tuple(Read("text", (css,)) for css in (*_TAGS, *(f"td:nth-child({place})" for place in _COLUMNS)))
_WORD = re.compile(r"(?<![^\W\d_])[^\W\d_]{4,}|[^\w\s.,;:!?/&()'\"‘’“”–—-]")  # or a sign that prose has seldom
_FIGURE = re.compile(r"(\d)")
_FIGURES = re.compile(r"\d+(?:[/.-]\d+)+")  # a date or a number of several parts, and nothing else
_MOST_WORDS = 2
_LABEL = 40  # a text of one cell that is the same in all records may say what sort of row it is
_WORDY = 120  # a text of more letters says too much to tell a row by a single word of it
_SAYING = 3
_SEVERAL = 2
_GROUPED = 0.2  # where more rows than these share a record's key, other pages may well mean them as records
_STEP = 0.02
_FORM = (
    1.4  # what it costs a test that a text has a form: two tests of structure are better, a code may be of a new one
)
_OF_A_KIND = ("date", "datetime", "number", "money", "cents", "duration")
_ENOUGH = 4  # fewer records do not tell which words no record has

Test = tuple[Expression, float]  # a reading that a row must have, and what it costs to believe in it


@dataclass(frozen=True, slots=True)
class Counting:
    """Which rows count: those that have every `keep`, and of several with one `key` the first."""

    keep: tuple[Expression, ...] = ()
    key: Expression | None = None

    @property
    def tests(self) -> int:
        return len(self.keep) + (self.key is not None)

    def of(self, rows: Sequence[Row]) -> list[Row]:
        """The rows that count, in their order."""
        seen: set[tuple[int, str]] = set()
        found = []
        for row in rows:
            if all(row.read(one) is not None for one in self.keep):
                key = _key_of(row, self.key)
                if key is None or key not in seen:
                    found.append(row)
                if key is not None:
                    seen.add(key)
        return found

    def alike(self, row: Row, other: Row) -> bool:
        """Whether a row that is no record's may stand for the row of one."""
        key = _key_of(row, self.key)
        return row.rival == other.record or (key is not None and key == _key_of(other, self.key))


def spare_in(rows: Sequence[Row]) -> int:
    """How many of these rows may be records of which most stands nowhere."""
    return sum(sheet.doubtful for sheet in {id(row.sheet): row.sheet for row in rows}.values())


def counting(mine: Sequence[Row], others: Sequence[Row], fields: dict[str, FieldPlan]) -> Counting:
    """What tells the rows of records, `mine`, from as many as may be of the others.

    A record's row may fail where one of the others that holds the record as well passes.
    """
    spare = spare_in(others)
    if len(others) <= spare:
        return Counting()
    rivals = _rivals(mine, others)
    keep, passed = _fewest(_readings(mine, fields), mine, others, rivals, spare)
    if len(passed) <= len(mine) + spare:
        return Counting(keep)
    left = [others[number - len(mine)] for number in sorted(passed) if number >= len(mine)]
    there = [row for number, row in enumerate(mine) if number in passed]
    key = _key(there, left, fields)
    if key is not None:
        return Counting(keep, key)
    more, passed = _fewest(_words(mine, left, rivals, fields), mine, left, _rivals(mine, left), spare)
    if not more and _SEVERAL <= len(left) <= _GROUPED * len(mine):
        return Counting(keep, _key(there, left, fields, strict=False))
    return Counting((*keep, *more))


def _key(
    mine: Sequence[Row], others: Sequence[Row], fields: dict[str, FieldPlan], strict: bool = True
) -> Expression | None:
    """A reading that differs in all records, where each of the others says what one of them says once more.

    A row that shares a record's key and says other things is a record that truth does not know, unless several are
    there and nothing else tells them: then truth has one record where the page has a group.
    """
    plans = of_rows(fields)
    if len(mine) < _ENOUGH:
        return None
    for name, plan in fields.items():
        if mine[0].sheet.schema[name].kind not in (Kind.TEXT, Kind.URL) or plan not in plans:
            continue
        first = {key: row for row in mine if (key := _key_of(row, plan.expression)) is not None}
        if len(first) == len(mine) and all(
            (record := first.get(_key_of(row, plan.expression) or (0, ""))) is not None
            and not (strict and not _same(row, record, plans))
            for row in others
        ):
            return plan.expression
    return None


def _same(row: Row, record: Row, plans: Sequence[FieldPlan]) -> bool:
    """Whether a row says nothing that the record's row does not say."""
    pairs = ((row.read(one.expression), record.read(one.expression)) for one in plans)
    return all(said == right or said is None for said, right in pairs)


def _key_of(row: Row, key: Expression | None) -> tuple[int, str] | None:
    """What a row reads as its key, with its page."""
    said = row.read(key) if key is not None else None
    return None if said is None else (id(row.sheet), repr(said))


def _fewest(
    tests: Iterable[Test], mine: Sequence[Row], others: Sequence[Row], rivals: dict[int, list[int]], spare: int
) -> tuple[tuple[Expression, ...], frozenset[int]]:
    """The one or two tests that let the fewest rows pass but every record's, and the numbers of those."""
    rows = [*mine, *others]
    found: list[tuple[frozenset[int], float, Expression]] = []
    for expression, cost in tests:
        passed = frozenset(number for number, row in enumerate(rows) if row.read(expression) is not None)
        if len(passed) < len(rows) and _all_kept(passed, len(mine), rivals):
            found.append((passed, cost, expression))
    best: tuple[Expression, ...] = ()
    least = frozenset(range(len(rows)))
    lowest = (len(rows), 0.0)
    for size in (1, 2):
        for chosen in combinations(sorted(found, key=lambda one: (len(one[0]), one[1]))[:_TRIED], size):
            left = frozenset.intersection(*(one[0] for one in chosen))
            rank = (max(len(left), len(mine) + spare), sum(one[1] for one in chosen) + size)
            if rank < lowest and _all_kept(left, len(mine), rivals):
                best, least, lowest = tuple(one[2] for one in chosen), left, rank
    return best, least


def _rivals(mine: Sequence[Row], others: Sequence[Row]) -> dict[int, list[int]]:
    """For each row of a record the numbers of the other rows that hold the record as well."""
    found: dict[tuple[int, int | None], list[int]] = {}
    for number, row in enumerate(others, len(mine)):
        if row.rival is not None:
            found.setdefault((id(row.sheet), row.rival), []).append(number)
    places = ((number, (id(row.sheet), row.record)) for number, row in enumerate(mine))
    return {number: found[place] for number, place in places if place in found}


def _all_kept(passed: frozenset[int], mine: int, rivals: dict[int, list[int]]) -> bool:
    """Whether each record keeps a row."""
    return all(number in passed or any(one in passed for one in rivals.get(number, ())) for number in range(mine))


def _readings(mine: Sequence[Row], fields: dict[str, FieldPlan]) -> Iterator[Test]:
    """The fields' own readings, links, and texts of one shape."""
    plans = of_rows(fields)
    for plan in plans:
        for one in dict.fromkeys((plan.expression, plan.readers[0])):
            yield one, 0.3 + _doubt(plan.readers[0])
    for read in dict.fromkeys(innermost(one) for plan in plans for one in plan.readers):
        raw = [row.read(read) for row in mine]
        if all(isinstance(one, str) and _FIGURES.fullmatch(one) for one in raw) and (form := pattern_of(raw)):
            yield Apply("match", (read,), (f"^({form})$",)), 0.29 + _headed(read)
        if all(isinstance(one, str) and _FIGURE.search(one) for one in raw):
            yield Apply("match", (read,), (_FIGURE.pattern,)), 0.33 + _headed(read)
    for plan in plans:
        texts = [got for row in mine if isinstance(got := row.read(plan.expression), str)]
        pattern = pattern_of(list(dict.fromkeys(texts))[:_MOST_SAMPLED]) if len(texts) == len(mine) else None
        if pattern:
            yield Apply("match", (plan.expression,), (f"^({pattern})$",)), 0.3 + 2 * _STEP + _FORM
    yield _LINK, 0.32
    for tag in _TAGS:
        yield Read("css_first", (tag,)), 0.5
    for place in _COLUMNS:
        yield Read("css_first", (f"td:nth-child({place})",)), 0.2
        yield Read("text", (f"td:nth-child({place})",)), 0.35
    for text in (Read("text", ("",)), *_TEXTS):
        if all(_FIGURE.search(str(row.read(text))) for row in mine):
            yield Apply("match", (text,), (_FIGURE.pattern,)), 0.45
    for text in _TEXTS:
        same = {row.read(text) for row in mine}
        if len(mine) >= _ENOUGH and len(same) == 1 and isinstance(value := min(same), str) and len(value) <= _LABEL:
            yield Apply("match", (text,), (f"^({re.escape(value)})$",)), 0.4


def _doubt(expression: Expression) -> float:
    """What it costs a test by its field's reading: a date or number says more of a row than a text, a part of a text
    that is cut out less."""
    made = [one.transform for one in steps(expression)]
    cuts = len(made) - 1 if made and made[0] in _OF_A_KIND else len(made) + 1
    return _STEP * cuts + _FORM * ("match" in made) + _headed(innermost(expression))


def _headed(read: Expression) -> float:
    """What it costs a test that other pages may have other headings."""
    return 2 * _STEP * (isinstance(read, Read) and read.method in ("column", "column_link"))


def _words(
    mine: Sequence[Row], others: Sequence[Row], rivals: dict[int, list[int]], fields: dict[str, FieldPlan]
) -> Iterator[Test]:
    """Texts and addresses without words or signs that stand in other rows and in none that is surely a record's."""
    mine = [row for number, row in enumerate(mine) if number not in rivals]
    if len(mine) < _ENOUGH:
        return
    texts = [_LINK, *_TEXTS, Read("text", ("",))]
    texts += [one for plan in of_rows(fields) if (one := _raw(plan.readers[0])) is not None]
    for text in dict.fromkeys(texts):
        said = [got for row in mine if isinstance(got := row.read(text), str)]
        if len(said) < len(mine) or sum(map(len, said)) > _WORDY * len(said):
            continue
        known = frozenset().union(*map(_said, said))
        there = [got for row in others if isinstance(got := row.read(text), str)]
        words = _telling([_said(one) for one in there], known)
        if words:
            yield Apply("lacking", (text,), (words,)), 0.5 + 0.1 * len(words)


def _telling(rows: list[frozenset[str]], known: frozenset[str]) -> tuple[str, ...]:
    """One or two words or signs, not among those that are known of records, of which one stands in each of these rows.

    Each stands in several rows, or is the only new one in a row that says more than it.
    """
    alone = frozenset().union(*(new for words in rows if len(new := words - known) == 1 and len(words) >= _SAYING))
    left = [words - known for words in rows]
    chosen: list[str] = []
    while left and len(chosen) < _MOST_WORDS:
        counts = Counter(word for words in left for word in words)
        word = max(counts, key=lambda one: (counts[one], one in alone, one), default="")
        if not word or (counts[word] < 2 and word not in alone):
            return ()
        chosen.append(word)
        left = [words for words in left if word not in words]
    return tuple(chosen) if not left else ()


@lru_cache(maxsize=4096)
def _said(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text[: 10 * _WORDY].casefold()))


def _raw(expression: Expression) -> Read | None:
    """The text that a reading starts from."""
    while isinstance(expression, Apply) and len(expression.to) == 1:
        expression = expression.to[0]
    return expression if isinstance(expression, Read) and expression.method == "text" else None
