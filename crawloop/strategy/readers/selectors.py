"""From an element to the CSS selectors that could find it on every page, each with its cost.

What a person named on purpose (ids, itemprop, classes) comes before structure, and structure before positions.
Names with digits cost more; names that a build made up are never used, but for a stem that it left as it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from crawloop.carriers.dom import Dom
from crawloop.carriers.naming import affinity
from crawloop.model.kind import Field

_NAME = re.compile(r"-?[A-Za-z_][\w-]*\Z", re.A)
_MADE_UP = re.compile(
    r"^(sc|css|jsx|svelte|jss|emotion|styles?)-|[a-z][A-Z]{1,3}[a-z][A-Z]|[bcdfghjklmnpqrstvwxz]{6}", re.A
)
_LOOKS = re.compile(
    r"(?:-?[pm][xytblr]?|[wh]|text|bg|border|flex|grid|gap|font|rounded|cols?|row|max|min|items|justify|self|block|inline"
    r"|hidden|visible|relative|absolute|sticky|overflow|object|leading|tracking|space|shadow|top|left|right|bottom|float"
    r"|align|clear\w*|container|wrapper|inner|outer|cursor|transition|opacity|uppercase|truncate|size|d|pull|has|is|even"
    r"|odd|first|last|active|lazy\w*|small|large|medium|big|bold|italic|underline|mobile|desktop)(?:-|\Z)"
)
_LOOKS_OF_TABLES = frozenset(("rules", "border", "bgcolor", "width", "cellpadding", "cellspacing", "summary"))
_HASH = re.compile(r"(?=\w*\d)(?=\w*[A-Za-z])[A-Za-z0-9]{5,}\Z", re.A)
_NUMBERS_CONTENT = re.compile(r"\d{4,}\Z", re.A)
_UNPLACED = {"meta", "link", "script"}
_STEM = re.compile(r"([A-Za-z][\w-]*?)(?:__|--)(?=[\w-]+\Z)", re.A)  # "Offer_price__x7Gk2": a build adds the end only
_TELLING = {
    **dict.fromkeys(("itemprop", "property"), 0.5),
    **dict.fromkeys(("name", "rel"), 0.6),
    **dict.fromkeys(("role", "data-testid", "data-test", "data-qa", "data-type", "data-field", "data-component"), 0.8),
    **dict.fromkeys(("data-name", "type", "http-equiv", "itemtype", "hreflang", "for"), 0.8),
    **dict.fromkeys(("title", "aria-label"), 1.2),
}
_TELLING_TAGS = {
    *("h1", "title", "time", "address", "main", "article", "header", "figure", "figcaption", "table", "dl"),
    *("aside", "nav", "footer"),
}
_PLAIN = {"div", "span", "p", "a", "li", "td", "tr", "ul", "ol", "tbody", "b", "strong", "i", "em"}
_HIGHEST = 9
_DECORATED = 0.3  # what it costs that the document's title mostly says more than the page's own
_COUNTED = 0.05  # what it is worth that none of the elements beside this one may be missing
FROM_LAST = ":nth-last-of-type("


def made_up(name: str) -> bool:
    """Whether a class or id looks like the work of a build tool, or numbers one piece of content ("wp-image-31690")."""
    parts = re.split(r"[-_]+", name)
    hashed = any((_HASH.match(one) and not one.isalpha()) or _NUMBERS_CONTENT.match(one) for one in parts)
    return bool(_MADE_UP.search(name)) or hashed or len(name) > 50


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def descriptors(dom: Dom, number: int, field: Field) -> list[tuple[str, float]]:
    """What tells this element by itself, the cheapest first; it is found once for a page and field."""
    return dom.once((descriptors, number, field.name), lambda: _fitting(dom, number, field))


def _fitting(dom: Dom, number: int, field: Field) -> list[tuple[str, float]]:
    told = dom.once((_described, number), lambda: _described(dom, number))
    return sorted(((css, cost - _fit(field, name)) for css, cost, name in told), key=lambda one: one[1])[:7]


def _described(dom: Dom, number: int) -> list[tuple[str, float, str]]:
    """Selectors with their costs for a field of any name, and the name by which each finds the element."""
    tag, attributes = dom.tags[number], dom.attributes[number]
    found: list[tuple[str, float, str]] = []
    for name, cost in _TELLING.items():
        value = attributes.get(name, "")
        if not value or len(value) > 60 or "\n" in value or (tag == "input" and name == "type"):
            continue
        if cost < 1 or len(value.split()) <= 3:
            found.append((f"{tag}[{name}={quoted(value)}]", cost + _doubt(value), value))
    own = attributes.get("id", "")
    if _NAME.match(own) and not made_up(own):
        found.append((f"#{own}", 0.6 + _doubt(own), own))
    classes = dict.fromkeys(attributes.get("class", "").split())
    named = [one for one in classes if _NAME.match(one) and not made_up(one)]
    for one in named[:6]:
        found.append((f"{tag}.{one}", 0.8 + _doubt(one), one))
    for one in classes:
        if (stem := _STEM.match(one)) and made_up(one) and not made_up(stem[1]):
            found.append((f"{tag}[class*={quoted(stem[0])}]", 0.9 + _doubt(stem[1]), stem[1]))
    if len(named) > 1:
        found.append((tag + "".join(f".{one}" for one in named[:3]), 1.1 + max(map(_doubt, named[:3])), ""))
    if tag in _TELLING_TAGS:
        found.append((tag, 0.9 + (_DECORATED if tag == "title" else 0.0), tag))
    if tag == "table":
        found += [(f"{tag}[{name}={quoted(value)}]", 1.3, "") for name, value in _looks(dom, number)]
    return found


def _looks(dom: Dom, number: int) -> list[tuple[str, str]]:
    """How a table looks by its attributes where no other table of the page looks like it: pages without classes."""
    if "class" in dom.attributes[number]:
        return []
    others = [dom.attributes[one] for one, tag in enumerate(dom.tags) if tag == "table" and one != number]
    mine = {name: value for name, value in dom.attributes[number].items() if name in _LOOKS_OF_TABLES and value}
    return [(name, value) for name, value in mine.items() if all(one.get(name) != value for one in others)]


@lru_cache(maxsize=4096)
def _doubt(name: str) -> float:
    """What is said against a name: a digit in it, or that it tells how the element looks, not what it is."""
    return (0.6 if any(sign.isdigit() for sign in name) else 0.0) + (0.6 if _LOOKS.match(name) else 0.0)


def _fit(field: Field, name: str) -> float:
    return 0.5 * affinity(field, name)


def selectors(dom: Dom, number: int, field: Field) -> Iterator[tuple[str, float]]:
    """Selectors of one element, with their costs. They may match more; the caller looks. "" is the page's root."""
    tag = dom.tags[number]
    if dom.parents[number] < 0:
        yield "", 0.2
        return
    own = descriptors(dom, number, field)
    yield from own
    plain = [] if tag in _TELLING_TAGS else [(tag, 1.2 if tag not in _PLAIN else 1.5)]
    place = dom.place(number)
    placed = f"{tag}:nth-of-type({place})"
    counted = placed + _from_behind(dom, number)
    for height, parent in enumerate(dom.ancestors(number)[:_HIGHEST]):
        anchors = descriptors(dom, parent, field)[:3]
        for anchor, cost in anchors:
            cost = 0.3 + 0.5 * max(cost, 0.0) + 0.04 * height
            for local, more in [*own[:3], *plain]:
                yield f"{anchor} {local}", cost + more
                if height == 0:
                    yield f"{anchor} > {local}", cost + more + 0.05
            if height == 0 and tag not in _UNPLACED:
                yield f"{anchor} > {placed}", cost + 2.0
                yield f"{anchor} > {counted}", cost + 2.0 - _COUNTED
    if tag not in _UNPLACED:
        yield from _structural(dom, number, field)


def _from_behind(dom: Dom, number: int) -> str:
    """The position of an element counted from the last: with that from the first it holds where none is missing."""
    same = [one for one in dom.children[dom.parents[number]] if dom.tags[one] == dom.tags[number]]
    return f"{FROM_LAST}{len(same) - same.index(number)})"


def list_selectors(dom: Dom, number: int, field: Field) -> Iterator[tuple[str, float]]:
    """Selectors that find all elements that stand like this one: no positions below the anchor."""
    tag = dom.tags[number]
    own = descriptors(dom, number, field)
    bare = [(tag, 0.9 - _fit(field, tag)), (f"{tag}:not([class])", 1.3 - _fit(field, tag))]
    yield from own
    parents = dom.ancestors(number)[:_HIGHEST]
    for height, parent in enumerate(parents):
        for anchor, cost in descriptors(dom, parent, field)[:4]:
            cost = 0.3 + 0.5 * max(cost, 0.0) + 0.04 * height
            for local, more in [*own[:3], *bare]:
                yield f"{anchor} {local}", cost + more
                if height == 0:
                    yield f"{anchor} > {local}", cost + more + 0.02
            if height in (1, 2):
                between = " > ".join(dom.tags[one] for one in reversed(parents[:height]))
                yield f"{anchor} > {between} > {tag}", cost + 1.0
                if height == 1:
                    yield f"{anchor} {between} {tag}", cost + 0.95
    for path, cost in _structural(dom, parents[0], field) if parents else ():
        yield f"{path} > {tag}", cost + 0.3


def _structural(dom: Dom, number: int, field: Field) -> Iterator[tuple[str, float]]:
    """Child steps from the nearest named ancestor down, with positions where siblings share the tag."""
    steps: list[str] = []
    cost = 1.6
    for one in [number, *dom.ancestors(number)]:
        anchor = next((named for named, _ in descriptors(dom, one, field) if one != number), None)
        if anchor is not None or dom.tags[one] == "body":
            path, cost = " > ".join([anchor or "body", *reversed(steps)]), cost + (0.0 if anchor else 0.6)
            yield path, cost
            if steps and ":nth-of-type(" in steps[0]:
                yield path + _from_behind(dom, number), cost - _COUNTED
            return
        alone = dom.parents[one] < 0 or sum(dom.tags[x] == dom.tags[one] for x in dom.children[dom.parents[one]]) == 1
        steps.append(dom.tags[one] if alone else f"{dom.tags[one]}:nth-of-type({dom.place(one)})")
        cost += 0.15 if alone else 0.7
        if len(steps) > 12:
            return
