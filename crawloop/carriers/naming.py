"""How well the name of a place fits the name of a field: shared words, and words that mean the same.

The groups are the general vocabulary of schema.org, OpenGraph and article markup, never that of one site.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set
from functools import lru_cache

from crawloop.model.kind import Field, Schema

FITTING = 0.45  # from this affinity on a name is a field's
SURELY = 0.9
_NEARLY = 1e-6
HEADS = ("title", "h1")  # say several things one after the other, of which the first alone is their own
PLAIN = frozenset(("content", "href", "src", "value", "alt", "title", "data-src", "srcset"))
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+|\d+")

_SUB = re.compile(r"\bsub (?=\w)")

_GROUPS = (
    "title name headline heading h1",
    "author byline creator writer contributor person",
    "image photo picture thumbnail img poster",
    "description summary abstract excerpt intro lead standfirst teaser synopsis desc dek",
    "keyword keywords tag tags topic topics",
    "category section genre breadcrumb course",
    "price amount cost",
    "currency pricecurrency",
    "rating ratings score stars ratingvalue",
    "count reviewcount ratingcount votes number total",
    "date published datepublished publishing published_time created publication posted released uploaded filed entered",
    "modified updated datemodified",
    "language lang inlanguage locale",
    "url link href canonical permalink",
    "site publisher sitename website",
    "yields yield servings serves portions portion serving recipeyield makes",
    "total totaltime overall ready",
    "prep preparation preptime active",
    "cook cooking cooktime baking",
    "time duration minutes",
    "ingredients ingredient recipeingredient supply",
    "instructions instruction steps step directions method recipeinstructions howto preparation",
    "paragraphs paragraph body articlebody content text article",
    "brand manufacturer maker vendor",
    "sku mpn code id identifier",
    "availability stock available instock",
    "company employer organization hiring",
    "location address place city",
    "phone telephone tel",
    "caption captions figcaption",
    "headlines headings heading subheadings subheading subhead h2 h3",
    "cuisine recipecuisine",
    "nutrition nutrients",
    "carbohydrate carbs carb carbohydrates",
    "fibre fiber",
    "calories calorie energy kcal",
    "isbn isbn13 gtin",
    "pages length",
    "director directed",
    "model product",
    "quote blockquote",
)
_SYNONYMS: dict[str, set[int]] = {}
for _number, _group in enumerate(_GROUPS):
    for _word in _group.split():
        _SYNONYMS.setdefault(_word, set()).add(_number)

_NONE: set[int] = set()
_OF_GROUP = 0.35
_WEAK = {
    "name": 0.35,
    "time": 0.35,
    "date": 0.5,
    "url": 0.5,
    "count": 0.6,
    "rating": 0.8,
    "number": 0.4,
    "text": 0.3,
}
_ENDS = re.compile(r"(?<=\w{4})(?:ing|ed|es|s|e)\Z")  # of forms of one word: "publishing", "published"
_EMPTY = {
    *("the", "of", "and", "a", "in", "for", "is", "str", "raw", "list", "value", "content", "item", "items", "main"),
    *("recipe", "page", "full"),
}


@lru_cache(maxsize=20_000)
def words(name: str) -> tuple[str, ...]:
    """The words of a name in camel, snake or kebab case, lowered; the whole first where it has several.

    "subTitle" is one word: what stands below a title is none.
    """
    found = _SUB.sub("sub", " ".join(_WORD.findall(name)).lower()).split()
    whole = "".join(found)
    return tuple(dict.fromkeys(([whole] if len(found) > 1 else []) + found))


@lru_cache(maxsize=50_000)
def affinity(field: Field, name: str) -> float:
    """From 0 (nothing in common) to 1 (the same name) for a field and the name of a key, class, label or attribute."""
    there = words(name)
    if not there:
        return 0.0
    called, own, lead = _sought(field)
    if there[0] in called:
        return 1.0
    told = [one for one in there[len(there) > 1 :] if one not in _EMPTY] or list(there)
    shared = sum(weight * max(_alike(one, other) for other in (*told, there[0])) for one, weight in own.items())
    if not shared:
        return 0.0
    surplus = sum(_WEAK.get(one, 1.0) for one in told if not any(_alike(mine, one) for mine in (*own, lead)))
    return 0.95 * shared / sum(own.values()) * 0.8 ** min(surplus, 3)


@lru_cache(maxsize=2_000)
def _sought(field: Field) -> tuple[Set[str], Mapping[str, float], str]:
    """Of a field its names as one word each, the words of its own name with their weights, and their first."""
    parts = words(field.name)
    own = [one for one in parts[len(parts) > 1 :] if one not in _EMPTY] or list(parts)
    called = {words(one)[0] for one in (field.name, *field.aliases) if words(one)}
    weights = {one: _OF_GROUP if one == field.group else _WEAK.get(one, 1.0) for one in own}
    return called, weights, parts[0] if parts else ""


def name_just(names: Iterable[str], field: Field, schema: Schema) -> bool:
    """Whether one of these names is the field's, and none is more that of another field."""
    some = tuple(names)
    mine = max((affinity(field, name) for name in some), default=0.0)
    others = (other for other in schema.fields if other.name != field.name)
    theirs = max((affinity(one, name) for one in others for name in some), default=0.0)
    return mine >= FITTING and mine >= theirs - _NEARLY


def name_alone(names: Iterable[str], field: Field, schema: Schema) -> bool:
    """Whether they name the field, and some name of it is by the same word no other's: "Case" names neither `case_name`
    nor `case_type`, though it names `case`."""
    some = tuple(names)
    others = [other for other in schema.fields if other.name != field.name]
    return name_just(some, field, schema) and any(
        affinity(field, name) >= SURELY
        or not any(affinity(one, word) >= FITTING for word in words(name) if affinity(field, word) for one in others)
        for name in some
        if affinity(field, name) >= FITTING
    )


def camel(keys: Iterable[str]) -> str:
    """Several keys as one name: "aggregateRating" and "ratingValue" are "AggregateRatingRatingValue"."""
    return "".join(one[:1].upper() + one[1:] for one in keys)


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    return _ENDS.sub("", word)


def _groups(word: str) -> set[int]:
    """The groups of words that mean the same to which a word belongs, or what it is the plural of."""
    return _SYNONYMS.get(word) or _SYNONYMS.get(word.removesuffix("s"), _NONE)


@lru_cache(maxsize=20_000)
def _alike(one: str, other: str) -> float:
    if one == other or (len(one) > 3 and (one + "s" == other or other + "s" == one)):
        return 1.0
    if _stem(one) == _stem(other):
        return 0.95
    if _groups(one) & _groups(other):
        return 0.85
    if f"sub{one}" == other or f"sub{other}" == one:
        return 0.0
    if min(len(one), len(other)) >= 4 and (other.startswith(one) or one.startswith(other) or other.endswith(one)):
        return 0.6
    return 0.0
