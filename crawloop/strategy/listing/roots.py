"""Where the rows of a listing are: groups of like elements that hold one record each, and the selectors that find them.

First the sort of element that covers most values of most records, alone or with the siblings that follow it; then the
selectors that give these elements on every page and as few others as may be.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from crawloop.strategy.listing.rows import Root, aligned, candidates, spans
from crawloop.strategy.listing.selectors import Named, anchors, marked, own, passing, tokens
from crawloop.strategy.listing.sheet import Sheet

_MOST_GROUPS = 7
_SUPPORT = 0.8
_CONTEXTS = 14
_NEAR = 0.35  # a named container is worth more than it costs: other pages have more rows of the same sort elsewhere
_SECTION_WORTH = 1.08  # how much more of the records a section must hold than its first element
_ROOTS = frozenset(("html", "body", "head"))


def roots(sheets: Sequence[Sheet]) -> list[Root]:
    """Where the rows may be, the likeliest first; each set of rows once."""
    lead = max(sheets, key=lambda one: len(one.records))
    found: dict[tuple[object, ...], Root] = {}
    for group, sections in _groups(lead):
        for root in _selected(group, sections, sheets):
            rows = tuple(tuple(one.spans) for one in root.tables)
            if rows not in found or root.cost < found[rows].cost:
                found[rows] = root
    wanted = sum(len(values) for one in sheets for values in one.keys) or 1
    few = sum(len(one.records) for one in sheets)
    return sorted(found.values(), key=lambda one: -_worth(one, wanted, few))


def _worth(root: Root, values: int, records: int) -> float:
    extras = min(root.extras / max(records, 1), 3.0)
    misses = root.missing / max(records, 1)
    return root.cover / values - 0.25 * min(extras, 0.5) - 0.1 * extras - 0.5 * misses - 0.03 * root.cost


def _groups(sheet: Sheet) -> list[tuple[list[int], bool]]:
    """The elements that are rows, for the best few sorts of element, and whether their siblings belong to them."""
    found: list[tuple[int, list[int], bool]] = []
    for numbers in _sorts(sheet):
        best = _best(sheet, numbers)
        cover = sum(count for count, _ in best.values())
        if len(best) * 2 < len(sheet.records):
            continue
        found.append((cover, sorted(one for _, one in best.values()), False))
    found.sort(key=lambda one: (-one[0], len(one[1])))
    whole = [(cover, numbers, False) for cover, numbers, _ in found[:_MOST_GROUPS]]
    joined = []
    for cover, numbers, _ in found[: 3 * _MOST_GROUPS]:
        table = aligned(sheet, spans(sheet, numbers, True), True)
        if table.cover > _SECTION_WORTH * cover and table.cover > _SECTION_WORTH * whole[0][0]:
            joined.append((table.cover, numbers, True))
    joined.sort(key=lambda one: -one[0])
    unique: dict[tuple[tuple[int, ...], bool], None] = {}
    for _, numbers, sections in [*joined[:3], *whole]:
        unique.setdefault((tuple(numbers), sections))
    return [(list(numbers), sections) for numbers, sections in unique]


def _sorts(sheet: Sheet) -> Iterator[list[int]]:
    """The elements that hold values, by tag, by class, and by the tags around them."""
    dom = sheet.index.dom
    sorts: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for number in sorted(sheet.hits):
        tag = dom.tags[number]
        if tag in _ROOTS:
            continue
        parent = dom.parents[number]
        above = dom.tags[parent] if parent >= 0 else ""
        sorts[tag,].append(number)
        sorts[tag, "in", above].append(number)
        for one in tokens(dom, number):
            sorts[tag, "of", one].append(number)
        for one in tokens(dom, parent) if parent >= 0 else ():
            sorts[tag, "under", one].append(number)
    unique = {tuple(numbers): None for numbers in sorts.values() if len(numbers) * 2 >= len(sheet.records)}
    return (list(one) for one in unique)


def _best(sheet: Sheet, numbers: Sequence[int]) -> dict[int, tuple[int, int]]:
    """For each record how many of its values the best element holds, and which; an element is one record's."""
    best: dict[int, tuple[int, int]] = {}
    choices = []
    for number in numbers:
        for record, count in _likely(sheet, number).items():
            choices.append((-count, len(sheet.hits[number]), number, record))
    taken: set[int] = set()
    for count, _, number, record in sorted(choices):
        if record not in best and number not in taken:
            best[record] = -count, number
            taken.add(number)
    return best


def _selected(rows: Sequence[int], sections: bool, sheets: Sequence[Sheet]) -> Iterator[Root]:
    """The selectors that may find these rows, each read on every sheet."""
    lead = max(sheets, key=lambda one: len(one.records))
    known: dict[str, float] = {}
    for css, cost in _selectors(lead, rows):
        known[css] = min(cost, known.get(css, cost))
    results: dict[tuple[tuple[int, ...], ...], tuple[str, float]] = {}
    for css, cost in known.items():
        numbers = tuple(tuple(_numbers(sheet, css)) for sheet in sheets)
        if len(numbers[sheets.index(lead)]) * 2 >= len(rows) and (numbers not in results or cost < results[numbers][1]):
            results[numbers] = css, cost
    some = sorted(results.items(), key=lambda one: (_apart(one[0][sheets.index(lead)], rows), one[1][1]))[:8]
    for numbers, (css, cost) in some:
        tables = tuple(
            aligned(sheet, spans(sheet, there, sections), sections)
            for sheet, there in zip(sheets, numbers, strict=True)
        )
        yield Root("sections" if sections else "css", css, cost + 0.5 * sections, tables)


def _apart(numbers: Sequence[int], rows: Sequence[int]) -> int:
    return len(set(numbers) ^ set(rows))


def _numbers(sheet: Sheet, css: str) -> list[int]:
    if css not in sheet.selected:
        sheet.selected[css] = [sheet.numbers[one] for one in sheet.view.css(css)]
    return sheet.selected[css]


def _selectors(sheet: Sheet, rows: Sequence[int]) -> Iterator[Named]:
    locals_, contexts = _locals(sheet, rows), _contexts(sheet, rows)
    yield from locals_
    for anchor, cost in contexts:
        near = _NEAR if "." in anchor and not set("#[") & set(anchor) else 0.0
        for one, more in locals_:
            yield f"{anchor} {one}", 0.1 + cost + more - near
    narrower = [(f"{one}:has({inner})", cost + 0.4) for one, cost in locals_[:3] for inner in _inner(sheet, rows)]
    yield from narrower
    for anchor, cost in contexts[:4]:
        for one, more in narrower:
            yield f"{anchor} {one}", 0.1 + cost + more


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
    return sorted(common, key=lambda one: one[1])[:8] or [(", ".join(sorted(tags)), 0.9)]


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
            if height < 3 and tag not in _ROOTS:
                mine.setdefault(tag, 0.4 + 0.1 * height)
            if not height and tag not in _ROOTS:
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
        for one in range(number + 1, min(sheet.last[number], number + 60) + 1):
            tag = dom.tags[one]
            mine.add(tag)
            if tag == "a" and dom.attributes[one].get("href"):
                mine.add("a[href]")
            if tag in ("td", "th", "dd"):
                mine.add(f"{tag}:nth-child({dom.children[dom.parents[one]].index(one) + 1})")
            mine.update(css for css, _ in own(dom, one)[:3])
        counts.update(mine)
    common = [css for css, count in counts.items() if count >= 0.97 * len(rows)]
    rare = Counter(dom.tags)
    return sorted(common, key=lambda css: (rare[css.split(".")[0].split("[")[0].split(":")[0]], css))[:10]


def _likely(sheet: Sheet, number: int) -> dict[int, int]:
    """The records that an element may be, with the number of their values in it."""
    if number not in sheet.likely_of:
        sheet.likely_of[number] = candidates(sheet, sheet.hits.get(number, ()))
    return sheet.likely_of[number]
