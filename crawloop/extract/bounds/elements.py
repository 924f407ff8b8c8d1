"""Open elements and formatting, as the parser keeps them while it reads a page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from crawloop.extract.dom.tags import INTEGRATION


@dataclass(slots=True)
class Format:
    """A formatting element that no end tag has ended. `shown` says whether it is open just now."""

    name: str
    tag: str
    shown: bool = True


@dataclass(frozen=True, slots=True)
class Open:
    """An open element. `foreign` is "svg" or "math" for one of theirs, `inside` says whether what it holds is too."""

    name: str
    foreign: str = ""
    inside: bool = False
    format: Format | None = None

    def stops(self, barriers: frozenset[str]) -> bool:
        """Whether an end tag does not reach across it."""
        return not self.inside if self.foreign else self.name in barriers


@lru_cache(maxsize=1024)
def opened(name: str) -> Open:
    foreign = name in INTEGRATION
    return Open(name, foreign=name if foreign else "", inside=foreign)


@lru_cache(maxsize=1024)
def only(name: str) -> frozenset[str]:
    return frozenset((name,))


@lru_cache(maxsize=4096)
def without(names: frozenset[str], name: str) -> frozenset[str]:
    return names - {name}
