"""What the markup of a page is about: one thing, described once or several times, or a list of things.

Site furniture (the organisation, the breadcrumb, the page itself) is never it. Among the others that kind of thing
is it which says most of what the schema asks; several of the same kind are one thing only where they bear one name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from selectolax.lexbor import LexborNode

from crawloop.extract.data import paths
from crawloop.extract.data.graph import Graph, Object, type_names
from crawloop.extract.data.islands import Islands
from crawloop.model.kind import Field, Kind, Schema
from crawloop.witness.vocabulary import meaning, spells

_FURNITURE = frozenset(
    (
        "AboutPage", "AggregateRating", "Audience", "Blog", "Brand", "BreadcrumbList", "CheckoutPage", "CollectionPage",
        "Comment", "ContactPage", "ContactPoint", "Corporation", "CreativeWorkSeries", "DataFeed", "DefinedTerm",
        "EntryPoint", "FAQPage", "ImageGallery", "ImageObject", "ItemList", "ItemPage", "ListItem", "MediaGallery",
        "NewsMediaOrganization", "Offer", "OfferCatalog", "OnlineStore", "Organization", "Person", "PostalAddress",
        "ProfilePage", "QAPage", "Question", "Rating", "Review", "SearchAction", "SearchResultsPage",
        "SiteNavigationElement", "SoftwareSourceCode", "SpeakableSpecification", "Table", "Thing", "VideoObject",
        "WPAdBlock", "WPFooter", "WPHeader", "WPSideBar", "WebApplication", "WebPage", "WebPageElement", "WebSite",
    )
)  # fmt: skip
_NAMES = ("name", "headline", "title")
_DEEPEST = 2
_MOST_ASIDE = 2


@dataclass(frozen=True, slots=True)
class Entity:
    """One thing, in one or more descriptions. `mark` is "@" for ld+json, "#" for microdata."""

    mark: str
    graph: Graph
    objects: tuple[Object, ...]

    @property
    def type(self) -> str:
        return (type_names(self.objects[0].get("@type")) or ["Thing"])[0]

    def read(self, path: str) -> list[list[Any]]:
        """What each description says at a path of keys; descriptions that say nothing are left out."""
        steps = paths.parse(path).steps
        found = [_flat(paths.values(one, steps, self.graph.resolve)) for one in self.objects]
        return [values for values in found if values]

    def spelled(self, field: Field, name: str) -> list[str]:
        """Paths of the properties that a field's name says in its own words; of lists where the field is one."""
        every = dict.fromkeys(path for one in self.objects for path in _paths(one, field.many))
        return [paths.format_path("", path) for path in every if spells(name, path)]


@dataclass(frozen=True, slots=True)
class Subject:
    """What the page is about: entities of one record each, and whether these are all of the page."""

    entities: tuple[Entity, ...]
    single: bool
    complete: bool = True


def subject(root: LexborNode, url: str, schema: Schema) -> Subject | None:
    """The subject of a page's markup, ld+json before microdata; None where it has none or it stays unclear."""
    islands = Islands(root, url=url)
    for mark in ("@", "#"):
        found = _subject(mark, islands.graph(mark), schema)
        if found is not None:
            return found
    return None


def reach(entity: Entity, schema: Schema) -> int:
    """Of how many fields the entity says anything."""
    return sum(1 for field in schema.fields if any(entity.read(path) for path in _readings(entity, field)))


def _readings(entity: Entity, field: Field) -> Iterator[str]:
    for rung in meaning(field.name, field.many, field.kind is Kind.TEXT):
        yield from (path for path in rung if ":" not in path)
    yield from entity.spelled(field, field.name)


def _subject(mark: str, graph: Graph, schema: Schema) -> Subject | None:
    groups: dict[str, list[Object]] = {}
    declared = _declared(graph)
    for one in graph.tops():
        names = type_names(one.get("@type"))
        if names and (id(one) in declared or not _FURNITURE.intersection(names)):
            groups.setdefault(names[0], []).append(one)
    singles, several = _sorted_out(mark, graph, list(groups.values()), schema)
    best = max((score for score, _ in singles), default=0)
    if best and best > reach(Entity(mark, graph, tuple(several[:1])), schema):
        chosen = tuple(one for score, objects in singles if score == best for one in objects)
        return Subject((Entity(mark, graph, chosen),), single=True)
    records = _listed(graph) or (several if len(several) > _MOST_ASIDE else [])
    entities = tuple(Entity(mark, graph, (one,)) for one in records)
    return Subject(entities, single=False, complete=records is not several) if entities else None


def _sorted_out(
    mark: str, graph: Graph, groups: list[list[Object]], schema: Schema
) -> tuple[list[tuple[int, tuple[Object, ...]]], list[Object]]:
    """Groups of objects that are one thing, each with its reach, and the largest group of several things."""
    singles: list[tuple[int, tuple[Object, ...]]] = []
    several: list[Object] = []
    for objects in groups:
        chosen = _one_thing(graph, objects)
        if chosen:
            singles.append((reach(Entity(mark, graph, chosen), schema), chosen))
        elif len(objects) > len(several):
            several = objects
    return singles, several


def _declared(graph: Graph) -> set[int]:
    """Objects that another one calls its main entity in so many words: then even a person or a video is the subject."""
    inline = [entity for one in graph.tops() if isinstance(entity := one.get("mainEntity"), dict)]
    ids = {one["@id"] for one in inline if isinstance(one.get("@id"), str)}
    return {id(one) for one in graph.tops() if any(one is entity for entity in inline) or one.get("@id") in ids}


def _one_thing(graph: Graph, objects: list[Object]) -> tuple[Object, ...]:
    """The objects of one type that are one thing: those that the page is about, if they bear one name."""
    chosen = graph.about(objects) or objects if len(objects) > 1 else objects
    names = {" ".join(name.casefold().split()) for one in chosen if (name := _name(one))}
    return tuple(chosen) if len(chosen) == 1 or len(names) == 1 else ()


def _name(one: Object) -> str:
    return next((one[key] for key in _NAMES if isinstance(one.get(key), str)), "")


def _listed(graph: Graph) -> list[Object]:
    """The items of the one ItemList at the top, where it holds them whole."""
    lists = [one for one in graph.tops() if "ItemList" in type_names(one.get("@type"))]
    if len(lists) != 1:
        return []
    elements = lists[0].get("itemListElement")
    items = [one.get("item", one) for one in elements if isinstance(one, dict)] if isinstance(elements, list) else []
    whole = [one for one in items if isinstance(one, dict) and len(one) > 2]
    return whole if len(whole) == len(items) > 1 else []


def _flat(values: Iterable[Any]) -> list[Any]:
    found: list[Any] = []
    for value in values:
        found.extend(value if isinstance(value, list) else (value,))
    return found


def _paths(one: Object, lists: bool, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Keys of an object and of those in it; with `lists` only keys of lists."""
    for key, value in one.items():
        if key.startswith("@"):
            continue
        if isinstance(value, list) or not lists:
            yield (*before, key)
        if isinstance(value, dict) and len(before) + 1 < _DEEPEST:
            yield from _paths(value, lists, (*before, key))
