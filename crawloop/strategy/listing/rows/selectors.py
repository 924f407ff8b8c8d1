"""Selectors that find given rows on every page: by what the rows are, hold and stand in, and by what others are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from crawloop.carriers.dom import Dom
from crawloop.extract.dom.tags import BLOCKS
from crawloop.strategy.listing.selectors import ROOTS, Named, anchors, marked, own, passing, tokens
from crawloop.strategy.listing.sheet import Sheet, spread

_SUPPORT = 0.8
_CONTEXTS = 14
_MOST_CLASSES = 3
_BARE = 0.3  # what it costs a tag by itself: other pages may have it anywhere
_NEAR = 0.35  # a named container is worth more than it costs: other pages have more rows of the same sort elsewhere
_LOOKED_INTO = 60  # elements of a row
_MOST_ROWS = 200
_MOST_OTHERS = 200
_MOST_MARKS = 4
_POSITIONS = 4
_CELLS = ("td", "th", "dd")
_STRUCTURE = BLOCKS - {"br", "hr", "p"}


def named(sheet: Sheet, rows: Sequence[int]) -> Iterator[Named]:
    """Selectors by what nearly all rows have, hold and stand in."""
    rows = spread(rows, _MOST_ROWS)
    locals_, contexts = _locals(sheet, rows), _contexts(sheet, rows)
    yield from ((one, cost + (_BARE if one.isalpha() else 0.0)) for one, cost in locals_)
    for anchor, cost in contexts:
        near = _NEAR if "." in anchor and not set("#[") & set(anchor) else 0.0
        for one, more in locals_:
            yield f"{anchor} {one}", 0.1 + cost + more - near
    cells = all(sheet.index.dom.tags[one] == "tr" for one in rows)
    inline = 1.2 if cells else 0.9
    inner = [(css, inline if _is_inline(css, cells) else 0.4) for css in _inner(sheet, rows)]
    narrower = [(f"{one}:has({css})", cost + more) for one, cost in locals_[:3] for css, more in inner]
    yield from narrower
    for anchor, cost in contexts[:4]:
        for one, more in narrower:
            yield f"{anchor} {one}", 0.1 + cost + more


def _is_inline(css: str, cells: bool) -> bool:
    """Whether a row without what a selector finds may be a record too: dressed words, and links where `cells` make up
    the row."""
    tag = css.removesuffix("[href]")
    return tag.isalnum() and tag not in _STRUCTURE and (cells or tag != "a")


def _locals(sheet: Sheet, rows: Sequence[int]) -> list[Named]:
    """What nearly all rows have in common by themselves."""
    dom = sheet.index.dom
    costs: dict[str, float] = {}
    counts: Counter[str] = Counter()
    for number in rows:
        for css, cost in [*own(dom, number), *marked(dom, number)]:
            counts[css] += 1
            costs[css] = cost
    common = [(css, costs[css]) for css, count in counts.items() if count >= _SUPPORT * len(rows)]
    tags = Counter(dom.tags[number] for number in rows)
    common += [(tag, 0.5) for tag, count in tags.items() if count >= _SUPPORT * len(rows)]
    common += _together(sheet, rows)
    return sorted(common, key=lambda one: one[1])[:8] or [(", ".join(sorted(tags)), 0.9)]


def _together(sheet: Sheet, rows: Sequence[int]) -> Iterator[Named]:
    """All the classes that every row has, as one selector."""
    dom = sheet.index.dom
    shared = [one for one in tokens(dom, rows[0]) if all(one in tokens(dom, number) for number in rows[1:])]
    if 1 < len(shared) <= _MOST_CLASSES and len({dom.tags[number] for number in rows}) == 1:
        yield ".".join((dom.tags[rows[0]], *shared)), 0.35


def _contexts(sheet: Sheet, rows: Sequence[int]) -> list[Named]:
    """What stands around nearly all rows: parents with a child step, and named elements further out."""
    dom = sheet.index.dom
    costs: dict[str, float] = {}
    counts: Counter[str] = Counter()
    for number in rows:
        mine: dict[str, float] = {}
        for height, above in enumerate(dom.ancestors(number)):
            tag = dom.tags[above]
            for css, cost in anchors(dom, above):
                if not passing(css):
                    mine.setdefault(css, cost + 0.05 * height)
                    if height < 2:
                        mine.setdefault(
                            f"{css} >" if not height else f"{css} > {dom.tags[dom.parents[number]]} >", cost + 0.1
                        )
            if height < 3 and tag not in ROOTS:
                mine.setdefault(tag, 0.4 + 0.1 * height)
            if not height and tag not in ROOTS:
                mine.setdefault(f"{tag} >", 0.4)
        counts.update(mine.keys())
        for css, cost in mine.items():
            costs[css] = min(cost, costs.get(css, cost))
    common = [(css, costs[css]) for css, count in counts.items() if count >= _SUPPORT * len(rows)]
    return sorted(common, key=lambda one: one[1])[:_CONTEXTS]


def _inner(sheet: Sheet, rows: Sequence[int]) -> list[str]:
    """What nearly all rows hold: links, cells in a column, named elements."""
    dom = sheet.index.dom
    counts: Counter[str] = Counter()
    for number in rows:
        mine: set[str] = set()
        for one in range(number + 1, min(sheet.last[number], number + _LOOKED_INTO) + 1):
            tag = dom.tags[one]
            mine.add(tag)
            if tag == "a" and dom.attributes[one].get("href"):
                mine.add("a[href]")
            above = dom.parents[one]
            if tag in _CELLS:
                mine.add(_cell(dom, one))
            elif tag in _STRUCTURE and dom.tags[above] in _CELLS and above > number:
                mine.add(f"{_cell(dom, above)} > {tag}")
            mine.update(css for css, _ in own(dom, one)[:3])
        counts.update(mine)
    common = [css for css, count in counts.items() if count >= 0.97 * len(rows)]
    rare = Counter(dom.tags)
    return sorted(common, key=lambda css: (rare[css.split(".")[0].split("[")[0].split(":")[0]], css))[:10]


def _cell(dom: Dom, number: int) -> str:
    """A cell by its column."""
    return f"{dom.tags[number]}:nth-child({dom.children[dom.parents[number]].index(number) + 1})"


def apart(sheet: Sheet, css: str, cost: float, rows: Sequence[int]) -> Iterator[Named]:
    """A selector of rows and others narrowed to the rows: by nesting, by what only others have, by the place of a part.

    "tr"   →   "tr:not(:has(tr))", "tr:not(tr.total)", "table:nth-of-type(1) tr"
    """
    mine = set(rows)
    others = [one for one in sheet.find(css) if one not in mine][:_MOST_OTHERS]
    if not others or "," in css:
        return
    rows = spread(rows, _MOST_ROWS)
    tags = Counter(sheet.index.dom.tags[one] for one in rows)
    tag = max(tags, key=lambda one: tags[one])
    if any(one < row <= sheet.last[one] for one in others for row in rows[:1]):
        css, cost = f"{css}:not(:has({tag}))", cost + 0.05
        yield css, cost
        others = [one for one in sheet.find(css) if one not in mine][:_MOST_OTHERS]
    yield from _without(sheet, css, cost, rows, others)
    yield from _placed(sheet, rows)


def _without(sheet: Sheet, css: str, cost: float, rows: Sequence[int], others: Sequence[int]) -> Iterator[Named]:
    """The selector less what has a mark that no row has; a second mark where one does not tell all."""
    if not others:
        return
    known = frozenset().union(*(_marks(sheet, one) for one in rows))
    theirs = [_marks(sheet, one) - known for one in others]
    counts = Counter(mark for marks in theirs for mark in marks)
    for mark, _ in sorted(counts.items(), key=lambda one: (-one[1], len(one[0]), one[0]))[:_MOST_MARKS]:
        yield f"{css}:not({mark})", cost + 0.35
        left = Counter(more for marks in theirs if mark not in marks for more in marks)
        if left:
            more = min(left, key=lambda one: (-left[one], len(one), one))
            yield f"{css}:not({mark}):not({more})", cost + 0.7


def _marks(sheet: Sheet, number: int) -> frozenset[str]:
    """What an element is by itself and holds, as selectors; how a word is dressed says nothing of a row's sort."""
    dom = sheet.index.dom
    found = {css for css, _ in own(dom, number)}
    for one in range(number + 1, min(sheet.last[number], number + _LOOKED_INTO) + 1):
        if dom.tags[one] in _STRUCTURE:
            found.add(f":has({dom.tags[one]})")
        found.update(f":has({css})" for css, _ in own(dom, one)[:3])
    return frozenset(found)


def _placed(sheet: Sheet, rows: Sequence[int]) -> Iterator[Named]:
    """The rows by the place, among its like, of an element that holds them all."""
    dom = sheet.index.dom
    first, last = min(rows), max(rows)
    above = [one for one in dom.ancestors(first) if sheet.last[one] >= last and dom.tags[one] not in ROOTS]
    count = 0
    for height, one in enumerate(above):
        tag, parent = dom.tags[one], dom.parents[one]
        if sum(dom.tags[other] == tag for other in dom.children[parent]) == 1:
            continue
        place = f"{tag}:nth-of-type({dom.place(one)})"
        outer = [f"{css} > " for css, _ in anchors(dom, parent)[:1]]
        for prefix in (*outer, ""):
            for css, more in _locals(sheet, rows)[:2]:
                yield f"{prefix}{place} {css}", 0.8 + more + 0.05 * height + 0.1 * (not prefix)
        count += 1
        if count == _POSITIONS:
            return
