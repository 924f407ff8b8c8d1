"""What a page says of itself for machines: schema.org in ld+json and microdata, OpenGraph, the head.

Fields are matched by name and alias (`vocabulary`), values are brought into the field's form (`forming`). Null beats
a guess: where two readings fit equally well and differ, the field is left out. Markup lies too; `reconcile` checks it
against the page that readers see.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from crawloop.extract.bounds.guard import check
from crawloop.extract.view import PageView
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page
from crawloop.model.truth import Evidence, Testimony
from crawloop.values import equal, file_name, fold
from crawloop.witness.entity import Entity, subject
from crawloop.witness.forming import formed
from crawloop.witness.vocabulary import is_title, meaning

# og:type of pages about one thing. "website" is what sites write everywhere.
_ABOUT_ONE = ("article", "product", "book", "video", "music", "profile", "recipe", "place", "event", "news")
_LONGEST_SNIPPET = 200
Reading = tuple[Any, Evidence]


class MarkupWitness:
    """Testifies what the page's markup says. Raises PageRefused where the page cannot be parsed safely."""

    name = "markup"
    needs_model = False

    async def testify(
        self, page: Page, family: str, schema: Schema, model: str | None, beside: Sequence[Page] = ()
    ) -> Testimony | None:
        check(page.html)
        reader = _Reader(PageView(page.html, page.base), schema)
        root = LexborHTMLParser(page.html).root
        about = subject(root, page.base, schema) if root else None
        if about is None:
            if not reader.is_about_one():
                return None
            read, complete = [reader.record(None, True)], False
        else:
            read, complete = [reader.record(entity, about.single) for entity in about.entities], about.complete
        records = tuple({name: value for name, (value, _) in record.items()} for record in read)
        if not all(records):
            return None
        evidence = {(n, name): (one,) for n, record in enumerate(read) for name, (_, one) in record.items()}
        disputed = frozenset(reader.disputed)
        return Testimony(self.name, records, complete=complete, evidence=evidence, disputed=disputed)


class _Reader:
    """Reads records of one page into a schema's fields."""

    def __init__(self, view: PageView, schema: Schema) -> None:
        self._view = view
        self._schema = schema
        self.disputed: set[str] = set()
        """The fields of which places that mean the same say different things."""

    def is_about_one(self) -> bool:
        return (self._view.meta("og:type") or "").lower().startswith(_ABOUT_ONE)

    def record(self, entity: Entity | None, whole_page: bool) -> dict[str, Reading]:
        """The fields that the entity, or with `whole_page` the document, gives without doubt."""
        read = {field.name: self._field(field, entity, whole_page) for field in self._schema.fields}
        return {name: reading for name, reading in read.items() if reading is not None}

    def _field(self, field: Field, entity: Entity | None, whole_page: bool) -> Reading | None:
        for name in (field.name, *field.aliases):
            titles = is_title(name) and whole_page
            for rung in self._rungs(name, field, entity, whole_page):
                readings = [reading for path in rung for reading in self._readings(path, entity, field.many)]
                if readings:
                    found = self._agreed(readings, field)
                    if found and titles and not self._heads(found[0]):
                        self.disputed.add(field.name)
                        return None
                    return found
        return None

    def _heads(self, title: Any) -> bool:
        """Whether readers see the title as the page's heading. Other titles are for search results and shares."""
        headings = self._view.texts("h1, h2, h3")
        return not headings or fold(str(title)) in map(fold, headings)

    def _rungs(self, name: str, field: Field, entity: Entity | None, whole_page: bool) -> Iterator[tuple[str, ...]]:
        for rung in meaning(name, field.many, field.kind is Kind.TEXT):
            yield tuple(path for path in rung if (whole_page if ":" in path else entity is not None))
        if entity is not None:
            yield tuple(entity.spelled(field, name))

    def _readings(self, path: str, entity: Entity | None, many: bool) -> list[tuple[list[Any], Evidence]]:
        where, _, name = path.partition(":")
        if name:
            values = self._document(where, name)[: None if many else 1]
            return [(values, Evidence("meta", name, values[0][:_LONGEST_SNIPPET]))] if values else []
        if entity is None:
            return []
        at = f"{entity.mark}{entity.type}.{path}"
        return [(values, Evidence("json", at, str(values[0])[:_LONGEST_SNIPPET])) for values in entity.read(path)]

    def _document(self, where: str, name: str) -> list[str]:
        if where == "html":
            return self._view.attrs("", name)
        if where == "link":
            return self._view.attrs(f'link[rel="{name}"]', "href")[:1]
        return self._view.metas(name)

    def _agreed(self, readings: list[tuple[list[Any], Evidence]], field: Field) -> Reading | None:
        """The value that all readings of a rung give; None where one gives none or they differ."""
        values = [formed(values, field, self._view) for values, _ in readings]
        first, others = values[0], values[1:]
        if first is not None and all(v is not None and equal(first, v, field, base=self._view.url) for v in others):
            return first, readings[0][1]
        if _differ([values for values, _ in readings], field):
            self.disputed.add(field.name)
        return None


def _differ(readings: Sequence[Sequence[Any]], field: Field) -> bool:
    """Whether readings cannot mean the same: texts are worded in several ways, pictures cut to several sizes, and one
    place lists more than another."""
    if field.kind is Kind.TEXT or field.many or len(readings) < 2:
        return False
    if field.kind is not Kind.URL:
        return True
    return not set.intersection(*({file_name(one) for one in values} for values in readings))
