"""What serving says of one page: its records, and what is wrong with them by name."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any

from crawloop.model.page import Record
from crawloop.shape import shown


class PageStatus(StrEnum):
    """How a page fared. `variant`: another version of the ladder fits it; `drift`: none does any more."""

    OK = "ok"
    PARTIAL = "partial"
    DRIFT = "drift"
    VARIANT = "variant"
    BLOCKED = "blocked"
    GONE = "gone"
    ERROR = "error"

    @property
    def is_served(self) -> bool:
        """Whether the extractor did what it is for."""
        return self in (PageStatus.OK, PageStatus.PARTIAL, PageStatus.VARIANT)

    @property
    def may_heal(self) -> bool:
        """Whether another version, or somebody else, may know what this page was served without."""
        return self in (PageStatus.DRIFT, PageStatus.PARTIAL)


@dataclass(frozen=True, slots=True)
class PageReport:
    """One page of a crawl. `problems` are lines that begin with the field's name where they are about one.

    A value that failed its own check is null in `records`. `residual` are fields that the version never reaches.
    `filled` says {field: "markup", "history" or "model"} of values that are not the extractor's. `evidence` says of
    each record where its values come from, where somebody asked for it. `following` is the next page of a listing that
    is followed.
    """

    url: str
    family: str
    version: int | None
    status: PageStatus
    records: tuple[Record, ...] = ()
    residual: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    evidence: tuple[dict[str, Any], ...] | None = None
    filled: dict[str, str] = field(default_factory=dict)
    following: str | None = None

    def body(self) -> dict[str, Any]:
        """The report as plain JSON values, for others: without the passwords that URLs may carry."""
        problems = tuple(map(shown, self.problems))
        following = shown(self.following) if self.following else None
        return replace(self, url=shown(self.url), problems=problems, following=following)._body()

    def _body(self) -> dict[str, Any]:
        whole = asdict(self)
        said = {"evidence": self.evidence is not None, "filled": self.filled, "following": self.following}
        return {name: one for name, one in whole.items() if said.get(name, True)}

    def dumps(self) -> str:
        """One line of JSON, from which a crawl that was interrupted goes on."""
        return json.dumps(self._body(), ensure_ascii=False)

    @classmethod
    def loads(cls, line: str) -> PageReport:
        """The report that `dumps` wrote. Raises ValueError where the line is none."""
        try:
            said = json.loads(line)
            return cls(
                said["url"],
                said["family"],
                said["version"],
                PageStatus(said["status"]),
                tuple(said["records"]),
                tuple(said["residual"]),
                tuple(said["problems"]),
                tuple(said["evidence"]) if "evidence" in said else None,
                dict(said.get("filled", {})),
                said.get("following"),
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"not a page report: {error!r}") from error
