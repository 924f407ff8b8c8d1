"""What witnesses say of a page, and what is held to be true of it once they are reconciled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from crawloop.model.page import Page, Record

FREE = PERSON, HISTORY, MARKUP, LIKENESS = "examples", "history", "markup", "likeness"
"""The witnesses that ask no model."""
QUOTE, SUM = "quote", "sum"
"""Evidence that stands at no place of the page as it is."""
Place = tuple[str, int, str]
"""A page's URL, the index of a record of its truth, and a field."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where on the page a value stands: carrier ("json", "text", "attribute", "meta"), path and snippet.

    The carrier "quote" is a witness's own: words of the page in which it read the value; "sum" says of which other
    fields the value is the sum, where the page carries only those.
    """

    carrier: str
    path: str
    snippet: str


@dataclass(frozen=True, slots=True)
class Testimony:
    """What one witness says of one page.

    A key that is missing or None asserts nothing. `absent` holds (record index, field) pairs of which the witness
    asserts that the page has none. `complete` is False where the witness may not know every record of the page. Of the
    fields in `disputed` it found several values where one should stand, and says none.
    `evidence` is what the witness itself read a value from, by (record index, field), where it can say so. `answers`
    are the keys of what was paid for it in the ledger.
    """

    witness: str
    records: tuple[Record, ...]
    absent: frozenset[tuple[int, str]] = frozenset()
    complete: bool = True
    evidence: Mapping[tuple[int, str], tuple[Evidence, ...]] = field(default_factory=dict)
    answers: tuple[str, ...] = ()
    disputed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Claim:
    """One field of one record as reconciled. `supported` means that the page carries it (see `evidence`)."""

    value: Any
    witnesses: tuple[str, ...]
    evidence: tuple[Evidence, ...] = ()
    supported: bool = True

    @property
    def is_hearsay(self) -> bool:
        """Whether a model alone says it."""
        return not any(one in FREE for one in self.witnesses)

    @property
    def is_unconfirmed(self) -> bool:
        """Whether the page's markup alone says it."""
        return self.witnesses == (MARKUP,)


@dataclass(frozen=True, slots=True)
class Conflict:
    """Witnesses disagree on a field: which said what, and which value was kept, if any."""

    url: str
    record: int
    field: str
    said: tuple[tuple[str, Any], ...]
    kept: Any = None


@dataclass(frozen=True, slots=True)
class Truth:
    """The reconciled testimony for one page. `complete` says whether the record count is known to be right.

    Of the fields in `disputed` the page itself says several things, and nobody knows better.
    """

    url: str
    records: tuple[dict[str, Claim], ...]
    absent: frozenset[tuple[int, str]] = frozenset()
    conflicts: tuple[Conflict, ...] = ()
    complete: bool = True
    disputed: frozenset[str] = frozenset()

    def values(self) -> tuple[Record, ...]:
        """The supported values of each record, as plain records. Unsupported ones decide nothing."""
        return tuple({k: c.value for k, c in r.items() if c.supported} for r in self.records)

    def carries(self) -> tuple[bool, ...]:
        """Whether the page carries each record: half of what is said of it is supported, or more.

        A record of which most values stand nowhere may be none of this page's, or one that nobody can read there.
        """
        return tuple(2 * sum(one.supported for one in record.values()) >= len(record) for record in self.records)

    @property
    def fields(self) -> frozenset[str]:
        """Names of the fields with a supported value in any record."""
        return frozenset(k for r in self.records for k, c in r.items() if c.supported)

    @property
    def unsupported(self) -> frozenset[str]:
        """Names of the fields that somebody asserts and that the page carries nowhere."""
        return frozenset(k for r in self.records for k, c in r.items() if not c.supported) - self.fields


@dataclass(frozen=True, slots=True)
class Sample:
    """A page with its truth. `truth` is None for a page that nobody knows: it still serves the unseen gate."""

    page: Page
    truth: Truth | None = None


def claims(samples: Iterable[Sample]) -> dict[Place, Claim]:
    """All that is said of the samples, by place."""
    return {
        (sample.page.url, number, name): claim
        for sample in samples
        for number, record in enumerate(sample.truth.records if sample.truth else ())
        for name, claim in record.items()
    }
