"""What a person should know of an archive: a line a cause, however often it is so."""

from __future__ import annotations

from collections.abc import Callable

Note = Callable[[str, str], None]  # (cause, line)


class Oddities:
    """Collects what is odd; `note` is a Note."""

    def __init__(self) -> None:
        self._of: dict[str, list[str]] = {}

    def note(self, cause: str, line: str) -> None:
        """`line` says it of one page or file, `cause` is the same for all that are odd in this way."""
        self._of.setdefault(cause, []).append(line)

    @property
    def lines(self) -> tuple[str, ...]:
        """The first line of each cause, with the number of the others."""
        return tuple(first + (f" (and {len(more)} more like it)" if more else "") for first, *more in self._of.values())
