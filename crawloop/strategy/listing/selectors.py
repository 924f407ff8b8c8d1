"""How an element can be told from others by CSS: what a person named comes before structure, structure before places.

Names that a build made up, or that hold a number, belong to one page and are not used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from crawloop.carriers.dom import Dom
from crawloop.strategy.readers.selectors import made_up, quoted

Named = tuple[str, float]  # a selector and what it costs to believe in it

_NAME = re.compile(r"-?[A-Za-z_][\w-]*\Z", re.A)
_NUMBERED = re.compile(r"\d{2,}|[-_]\d|\d[-_]")
_ALTERNATING = re.compile(
    r"(?:^|[-_])(?:odd|even|first|last|alt|active|current|selected|hover)(?:$|[-_A-Z])|alt(?=[A-Z])|^row\w*$", re.I
)
_TELLING = (
    "itemprop",
    "itemtype",
    "role",
    "data-label",
    "data-title",
    "data-th",
    "data-field",
    "data-testid",
    "data-type",
    "data-column",
    "headers",
    "scope",
)
_MARKS = frozenset(("id", "href", "name", "itemscope", "onclick", "title", "role"))
_CELLS = frozenset(("td", "th", "dd", "dt"))
ROOTS = frozenset(("html", "body", "head"))


@lru_cache(maxsize=20_000)
def usable(name: str) -> bool:
    """Whether a class or id can stand in a selector and means the same on every page."""
    return _NAME.match(name) is not None and not made_up(name) and not _NUMBERED.search(name)


@lru_cache(maxsize=20_000)
def passing(name: str) -> bool:
    """Whether a class tells the state or parity of an element, not its sort."""
    return bool(_ALTERNATING.search(name))


def tokens(dom: Dom, number: int) -> list[str]:
    """The classes of an element that may be used."""
    return [one for one in dict.fromkeys(dom.attributes[number].get("class", "").split()) if usable(one)]


def own(dom: Dom, number: int) -> list[Named]:
    """What tells an element by itself, the likeliest first."""
    tag, attributes = dom.tags[number], dom.attributes[number]
    found: list[Named] = []
    for name in _TELLING:
        value = attributes.get(name, "")
        if value and len(value) <= 40 and not re.search(r"\d{2,}|\n", value):
            found.append((f"{tag}[{name}={quoted(value)}]", 0.25))
    for one in tokens(dom, number):
        found.append((f"{tag}.{one}", 0.9 if passing(one) else 0.3))
    return sorted(found, key=lambda one: one[1])[:5]


def marked(dom: Dom, number: int) -> list[Named]:
    """An element by the attributes that it has at all, whatever they say."""
    tag = dom.tags[number]
    return [(f"{tag}[{name}]", 0.6) for name in dom.attributes[number] if name in _MARKS or name.startswith("data-")]


def anchors(dom: Dom, number: int) -> list[Named]:
    """What tells an element that holds others: also its id; nothing of html and body."""
    if dom.tags[number] in ROOTS:
        return []
    return _named(dom, number) + own(dom, number)


def _named(dom: Dom, number: int) -> list[Named]:
    name = dom.attributes[number].get("id", "")
    return [(f"#{name}", 0.3)] if usable(name) else []


def placed(dom: Dom, number: int) -> Named:
    """An element by its position among its siblings; columns of a table are meant to be told so."""
    tag = dom.tags[number]
    siblings = dom.children[dom.parents[number]]
    if tag in _CELLS:
        return f"{tag}:nth-child({siblings.index(number) + 1})", 0.4
    return f"{tag}:nth-of-type({dom.place(number)})", 0.7


def relative(dom: Dom, number: int, top: int) -> Iterator[Named]:
    """Selectors of an element as seen from a row, where `top` is the row or, in a section, the row's parent."""
    if number == top:
        yield "", 0.7 if dom.children[number] else 0.0
        return
    path = _path(dom, number, top)
    mine = [*_named(dom, number), *own(dom, number)]
    tag = dom.tags[number]
    alone = sum(dom.tags[one] == tag for one in dom.children[dom.parents[number]]) == 1
    column = 0.3 if dom.tags[top] == "tr" and tag not in _CELLS else 0.0  # other columns of other rows may have one too
    plain = (tag, 0.5)
    step = placed(dom, number)
    yield from mine
    yield from ((css, cost + column) for css, cost in (plain, step))
    locals_ = [*mine[:2], plain, *([] if alone else [step])]
    for height, above in enumerate(path[1:5]):
        for anchor, cost in [*own(dom, above)[:2], placed(dom, above)]:
            for local, more in locals_:
                yield f"{anchor} {local}", 0.1 + 0.7 * (cost + more) + 0.05 * height
    if 1 < len(path) <= 6:
        steps = [placed(dom, one)[0] for one in reversed(path)]
        yield " > ".join(steps), 1.2 + 0.1 * len(path)


def plural(dom: Dom, number: int, top: int) -> Iterator[Named]:
    """Selectors of all elements that stand in the row like this one: no positions."""
    mine = [*own(dom, number), (dom.tags[number], 0.5)]
    yield from mine
    for height, above in enumerate(_path(dom, number, top)[1:4]):
        for anchor, cost in [*own(dom, above)[:2], placed(dom, above)]:
            for local, more in mine[:3]:
                yield f"{anchor} {local}", 0.1 + 0.7 * (cost + more) + 0.05 * height


def outside(dom: Dom, number: int) -> Iterator[Named]:
    """Selectors of an element as seen from the page, without positions."""
    tag = dom.tags[number]
    local = [*own(dom, number), (tag, 0.6 if tag in ("h1", "h2", "h3", "h4", "h5", "caption", "dt", "title") else 1.0)]
    yield from local
    for height, above in enumerate(dom.ancestors(number)[:4]):
        for anchor, cost in anchors(dom, above)[:2]:
            for one, more in local[-2:]:
                yield f"{anchor} {one}", 0.1 + 0.6 * (cost + more) + 0.05 * height
        if not height and dom.tags[above] not in ROOTS:
            yield f"{dom.tags[above]} > {tag}", 1.25
        if height < 2 and dom.tags[above] not in ROOTS:
            yield (
                f"{dom.tags[above]} {tag}"
                if not height
                else f"{dom.tags[above]} {dom.tags[dom.parents[number]]} {tag}",
                1.2,
            )


def _path(dom: Dom, number: int, top: int) -> list[int]:
    """The element and those around it, up to but without `top`."""
    path = [number]
    while dom.parents[path[-1]] not in (top, -1):
        path.append(dom.parents[path[-1]])
    return path
