"""What of a page can hold a schema's fields: the words that name them, and whether links and pictures count."""

from __future__ import annotations

import re
from dataclasses import dataclass

from crawloop.model.kind import Kind, Schema
from crawloop.values import squash

_WORD = re.compile(r"[A-Za-z][a-z]+|[A-Z]+(?![a-z])|[^\W\d_A-Za-z]+")
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class Focus:
    """`words` are those of the fields' names and descriptions, in letters and digits alone."""

    words: frozenset[str]
    links: bool

    @classmethod
    def of(cls, schema: Schema) -> Focus:
        said = " ".join(f"{one.name} {one.description}" for one in schema.fields)
        words = frozenset(word for word in map(squash, _WORD.findall(said)) if len(word) >= _SHORTEST)
        return cls(words, any(one.kind is Kind.URL for one in schema.fields))

    def names(self, key: str) -> bool:
        """Whether a key of JSON or of an attribute is named after a field, or after a part of its name."""
        return not self.words.isdisjoint(map(squash, _WORD.findall(key)))
