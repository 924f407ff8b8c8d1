"""Fields that no sample teaches, read by their name alone from the object in which the other fields stand.

A page may have a cooking time where none of the samples had one. Where the other fields come from a typed object
(schema.org), the property of the same name and kind is read there; nothing else is guessed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from typing import Any

from crawloop import values
from crawloop.carriers.naming import affinity, camel
from crawloop.extract.data.graph import type_names
from crawloop.extract.data.paths import Step, format_path
from crawloop.extract.dom.tags import HEADINGS
from crawloop.extract.plan import FieldPlan
from crawloop.extract.reading import Apply, Expression, Read, innermost, json_path
from crawloop.extract.vocabulary.plain import flat
from crawloop.model.kind import Field, Kind
from crawloop.strategy.detail.choose import holder
from crawloop.strategy.judging.judgement import Judged, Sight, empty
from crawloop.strategy.readers.lens import Lens
from crawloop.values import squash

_NEAR = 0.75
_MOST_LEAVES = 3000
_NO_PROSE = HEADINGS | {"figure", "a"}
_AT_LENGTH = 8  # words of a text that is a sentence, and no name
_SURROUNDING = {
    *("WebSite", "WebPage", "Organization", "NewsMediaOrganization", "Person", "BreadcrumbList", "ListItem"),
    *("ImageObject", "ReadAction", "SearchAction", "ItemList", "SiteNavigationElement", "EntryPoint", "Comment"),
    "Question",
}
_MEDIA = frozenset(("VideoObject", "AudioObject"))  # of two objects that have as much, they are a part of the other
_NAMED = frozenset(
    ("author", "creator", "publisher", "brand", "hiringOrganization", "director", "actor", "location", "manufacturer")
)
_STANDARD = (
    "name", "headline", "description", "author.name", "creator.name", "image", "url", "datePublished", "dateModified",
    "dateCreated", "keywords", "genre", "inLanguage", "publisher.name", "articleSection", "articleBody",
    "recipeCategory", "recipeCuisine", "recipeYield", "recipeIngredient", "cookingMethod", "prepTime", "cookTime",
    "totalTime", "aggregateRating.ratingValue", "aggregateRating.ratingCount", "aggregateRating.reviewCount",
    "nutrition.calories", "nutrition.carbohydrateContent", "nutrition.cholesterolContent", "nutrition.fatContent",
    "nutrition.fiberContent", "nutrition.proteinContent", "nutrition.saturatedFatContent", "nutrition.servingSize",
    "nutrition.sodiumContent", "nutrition.sugarContent", "nutrition.transFatContent",
    "nutrition.unsaturatedFatContent", "offers.price", "offers.priceCurrency", "offers.availability", "brand.name",
    "sku", "mpn", "gtin13", "isbn", "numberOfPages", "bookFormat", "hiringOrganization.name", "validThrough",
    "employmentType", "baseSalary.value.value", "startDate", "endDate", "location.name",
    "location.address.streetAddress", "telephone", "priceRange", "director.name", "actor.name", "duration",
)  # fmt: skip


def untaught(
    fields: Sequence[Field],
    plans: dict[str, FieldPlan],
    found: dict[str, list[Judged]],
    pages: Sequence[Sight],
) -> dict[str, FieldPlan]:
    """Plans for fields that no page knows, where the object of the others has a property of that name."""
    taken = {path for plan in plans.values() for read in map(innermost, plan.readers) if (path := json_path(read))}
    named: dict[str, FieldPlan] = {}
    for root in main_roots(found) if fields else ():
        offered = list(dict.fromkeys([*(path for one in pages for path in _observed(root, one.lens)), *_STANDARD]))
        for field in (one for one in fields if one.name not in named):
            read = _called_so(field, root, offered, taken, pages)
            if read is not None:
                named[field.name] = FieldPlan((read,))
    return named


def _called_so(
    field: Field, root: str, offered: Sequence[str], taken: Set[str], pages: Sequence[Sight]
) -> Expression | None:
    """The reading of the property of the object that is called as the field is."""
    if field.kind in (Kind.BOOL, Kind.ENUM) or any(field.name in one.absent for one in pages):
        return None
    near = sorted(((affinity(field, _spoken(one)), one) for one in offered), key=lambda one: -one[0])
    for fit, path in near[:3]:
        expression = _expression(field, f"{root}.{path}")
        new = (
            f"{root}.{path}" not in taken
            and affinity(field, _keys(path)[-1]) > 0
            and (not field.many or _is_list(path, root, pages) or _is_told(expression, field, pages))
        )
        if fit >= _NEAR and new and _fits(expression, field, pages):
            return expression
    return None


def main_roots(found: dict[str, list[Judged]]) -> list[str]:
    """The typed objects in which most fields have a right reader, or half as many at least."""
    roots: Counter[str] = Counter()
    for judged in found.values():
        good = {holder(one.reader) for one in judged if one.right and not one.wrong}
        roots.update(one for one in good if one and one[0] in "@#" and one[1:] not in _SURROUNDING)
    most = max(roots.values(), default=0)
    ranked = sorted(roots, key=lambda one: (-roots[one], one[1:] in _MEDIA, one))
    return [one for one in ranked if 2 * roots[one] >= most]


def _observed(root: str, page: Lens) -> tuple[str, ...]:
    """Property paths below objects of the type, as they stand on the page."""
    if root not in page.observed:
        page.observed[root] = tuple(dict.fromkeys(_paths_below(root, page)))
    return page.observed[root]


def _paths_below(root: str, page: Lens) -> Iterator[str]:
    leaves = page.index.leaves
    for leaf in leaves.all[:_MOST_LEAVES]:
        for depth, above in leaves.holders(leaf):
            if isinstance(above, dict) and root[1:] in type_names(above.get("@type")):
                steps: list[Step] = [one for one in leaf.steps[depth:] if isinstance(one, str)]
                if len(steps) <= 2 and not str(steps[-1]).startswith("@") and _says_what(steps):
                    yield format_path("", steps)
                break


def _is_list(path: str, root: str, pages: Sequence[Sight]) -> bool:
    """Whether a property holds several values by its nature, or does on some page."""
    if re.fullmatch(r"keywords|author\.name|recipeIngredient|actor\.name|director\.name|genre", path):
        return True
    return any(len(sight.lens.read(Read("json_all", (f"{root}.{path}",))) or ()) > 1 for sight in pages)


def _is_told(expression: Expression, field: Field, pages: Sequence[Sight]) -> bool:
    """Whether every page that has a text there shows it as a line of its own, no heading and under no picture, and no
    other field has it: a text at length is parted by no sign, and is a list of one."""
    said = [(sight, one) for sight in pages for one in sight.lens.read(expression) or ()]
    return field.kind is Kind.TEXT and bool(said) and all(_is_line(one, sight) for sight, one in said)


def _is_line(text: Any, sight: Sight) -> bool:
    if not isinstance(text, str) or len(text.split()) < _AT_LENGTH:
        return False
    others = {squash(one) for one in flat([*sight.values.values()]) if isinstance(one, str)}
    dom = sight.lens.index.dom
    lines = [
        one.owner for one in sight.lens.index.places_of_text(text) if one.carrier == "text" and dom.is_line(one.owner)
    ]
    around = [{dom.tags[above] for above in (one, *dom.ancestors(one))} for one in lines]
    return bool(around) and squash(text) not in others and not any(tags & _NO_PROSE for tags in around)


def _says_what(steps: Sequence[Step]) -> bool:
    """Whether the last key is the thing itself and not the name or link of it, as a step of a recipe has them."""
    if len(steps) < 2 or steps[-1] not in ("name", "url", "image", "position"):
        return True
    return steps[-1] == "name" and steps[-2] in _NAMED


def _spoken(path: str) -> str:
    """The words of a property path: "aggregateRating.ratingValue" is told by its last keys."""
    return camel(_keys(path)[-2:])


def _keys(path: str) -> list[str]:
    """The keys of a property path without those at its end that say nothing of their own."""
    keys = path.split(".")
    while len(keys) > 1 and (keys[-1] in ("url", "value") or (keys[-1] == "name" and keys[-2] in _NAMED)):
        keys.pop()
    return keys


def _expression(field: Field, path: str) -> Expression:
    read: Expression = Read("json_all" if field.many else "json", (path,))
    if field.kind is Kind.DURATION:
        unit = field.unit or "minutes"
        return Apply("duration", (read,), (), () if unit == "minutes" else (("unit", unit),))
    if field.kind in (Kind.NUMBER, Kind.MONEY):
        return Apply("number" if field.kind is Kind.NUMBER else "cents" if field.unit == "cents" else "money", (read,))
    if field.kind in (Kind.DATE, Kind.DATETIME):
        return Apply("date" if field.kind is Kind.DATE else "datetime", (read,))
    if field.many and path.endswith("keywords"):
        return Apply("unique", (Apply("split", (read,), (",",)),))
    if field.kind is not Kind.TEXT:
        return read
    clean = Apply("clean", (read,))
    # one picture in several sizes has its caption as often
    return Apply("unique", (clean,)) if field.many and "." in path.partition(".")[2] else clean


def _fits(expression: Expression, field: Field, pages: Sequence[Sight]) -> bool:
    """Whether what the pages have there, if anything, is of the field's kind."""
    for sight in pages:
        value = sight.lens.read(expression)
        if empty(value):
            continue
        if isinstance(value, dict | bool) or values.normalise(value, field, base=sight.lens.url) is None:
            return False
    return True
