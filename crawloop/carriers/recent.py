"""What was made of the last pages is kept while they are small enough together: a run comes back to its pages often."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

Made = TypeVar("Made")

MOST_CHARACTERS = 8_000_000


class Recent(Generic[Made]):
    """Makes something of a page's text and address, once for as long as it is kept."""

    def __init__(self, make: Callable[[str, str], Made]) -> None:
        self._make = make
        self._kept: OrderedDict[tuple[str, str], Made] = OrderedDict()
        self._characters = 0
        self._lock = Lock()

    def __call__(self, html: str, url: str) -> Made:
        key = html, url
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = self._make(html, url)
        with self._lock:
            if key not in self._kept:
                self._kept[key] = made
                self._characters += len(html)
            while self._characters > MOST_CHARACTERS and len(self._kept) > 1:
                (old, _), _ = self._kept.popitem(last=False)
                self._characters -= len(old)
        return made
