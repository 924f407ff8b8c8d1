"""What a page shares with its siblings: menus, footers, offers. It tells nothing of the page itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

_RUN = 4  # lines in a row; fewer may be alike by chance, as the ingredients of two cakes are


def without_chrome(lines: Sequence[str], beside: Sequence[Sequence[str]]) -> list[str]:
    """The lines without runs that all siblings have too. The ends of a run stay: they may be labels of what is
    the page's own."""
    if not beside:
        return list(lines)
    seen = Counter(run for one in beside for run in set(_runs(one)))
    shared = [False] * len(lines)
    for start, run in enumerate(_runs(lines)):
        if seen[run] == len(beside):
            shared[start : start + _RUN] = [True] * _RUN
    around = [True, *shared, True]
    return [line for n, line in enumerate(lines) if not (around[n] and around[n + 1] and around[n + 2])]


def _runs(lines: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return (tuple(lines[n : n + _RUN]) for n in range(len(lines) - _RUN + 1))
