"""Whether readers of a page see a value as it is, not only programs.

A text is in sight where some element says it and nothing else, or says it beside its children; a list, where its
elements stand so and the page does not show more of the same: markup often leaves out amounts, headings or half of the
list.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from crawloop.carriers import Index, Place, index, support
from crawloop.extract.view import PageView
from crawloop.model.kind import Field, Kind
from crawloop.values import equal, squash

_UNSEEN = frozenset(("html", "body", "head", "title", "meta", "link", "base", "noscript"))
_WORDS = re.compile(r"\w+")
_TELLING = 8  # letters and digits of a text that does not stand beside others by chance
_SPELLED = frozenset((Kind.NUMBER, Kind.MONEY, Kind.DATE, Kind.DATETIME, Kind.DURATION))


def in_sight(view: PageView, value: Any, field: Field) -> bool:
    """Whether readers of the page see the whole value and, of a list, the whole list."""
    page = index(view)
    if not isinstance(value, list):
        return _one_in_sight(page, view, value, field)
    one = field.single
    if not value or not all(_one_in_sight(page, view, element, one) for element in value):
        return False
    return field.kind is not Kind.TEXT or _is_whole(page, [_elements(page, element, one) for element in value])


def _one_in_sight(page: Index, view: PageView, value: Any, field: Field) -> bool:
    if field.kind is Kind.TEXT:
        return any(_says_it_so(page, one, value) for one in _elements(page, value, field))
    shown = [place for place in page.places(value, field) if _is_seen(page, place, field)]
    if any(equal(page.raw(place), value, field, base=view.url) for place in shown):
        return True
    return field.kind in _SPELLED and any(one.carrier in ("text", "attribute") for one in support(view, value, field))


def _says_it_so(page: Index, number: int, text: str) -> bool:
    """Whether an element that says a text has one word where that has: "mugandpot" is no "Mug and Pot"."""
    if len(_WORDS.findall(text)) != 1 or page.dom.loose(number) != squash(text):
        return True
    return len(_WORDS.findall(page.dom.shown(number))) == 1


def _is_seen(page: Index, place: Place, field: Field) -> bool:
    carriers = ("attribute",) if field.kind is Kind.URL else ("text", "attribute")
    return place.carrier in carriers and page.dom.tags[place.owner] not in _UNSEEN


def _elements(page: Index, text: str, field: Field) -> list[int]:
    """Elements of the body that say this text and nothing else, the outermost of each nest; or that say it in a text of
    their own beside their children, as in <a><i>By</i>Ada Lovelace</a>: short ones stand so by chance."""
    loose, places = squash(text), (place for place in page.places(text, field) if place.carrier == "text")
    telling = len(loose) >= _TELLING
    found = [one.owner for one in places if one.whole or (telling and page.dom.is_own(one.at, one.at + len(loose)))]
    return list(dict.fromkeys(_outermost(page, number) for number in found if page.dom.tags[number] not in _UNSEEN))


def _outermost(page: Index, number: int) -> int:
    dom, parent = page.dom, page.dom.parents[number]
    while parent >= 0 and dom.tags[parent] not in _UNSEEN and dom.loose(parent) == dom.loose(number):
        number, parent = parent, dom.parents[parent]
    return number


def _is_whole(page: Index, places: list[list[int]]) -> bool:
    """Whether a list stands on the page as a list of whole items, with none of its kind left over.

    Its items are the children of one element or of a few; where each has a parent of its own, that parent says more
    than the item, as in <li><b>Salt</b> 1 pinch</li>.
    """
    if len(places) < 3:
        return True
    dom = page.dom
    chosen = [one for numbers in places for one in numbers]
    parents = Counter(dom.parents[one] for one in chosen)
    if max(parents.values()) == 1:
        return False
    held = {dom.loose(one) for one in chosen}
    tags = {(dom.parents[one], dom.tags[one]) for one in chosen if parents[dom.parents[one]] > 1}
    left = [
        child
        for parent, tag in tags
        for child in dom.children[parent]
        if dom.tags[child] == tag and dom.loose(child) and dom.loose(child) not in held
    ]
    return not left


def fill_their_list(view: PageView, values: list[Any], field: Field) -> bool:
    """Whether the elements that say these values stand in rows of one parent which has no further row of that kind."""
    page = index(view)
    rows = [found[0] if (found := _elements(page, str(value), field)) else -1 for value in values]
    if -1 in rows or len(set(rows)) < len(rows):
        return False
    dom = page.dom
    while len(parents := {dom.parents[row] for row in rows}) > 1:
        if parents & set(rows) or -1 in parents:
            return False
        rows = [dom.parents[row] for row in rows]
    (parent,) = parents
    tags = {dom.tags[row] for row in rows}
    alike = [child for child in dom.children[parent] if dom.tags[child] in tags and dom.loose(child)]
    return parent >= 0 and len(set(rows)) == len(values) == len(alike)
