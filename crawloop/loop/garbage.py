"""Python's garbage collector, asked less often while runs last.

A run makes a million objects that stay, and hardly any that refer to each other in a circle: by its usual threshold the
collector goes through all of them again and again, for a tenth of a run's time, to find nothing.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

YOUNG = 100_000  # new objects, some 10 MB, after which it looks through them

_lock = Lock()
_lasting: list[tuple[int, int, int]] = []  # for each run that lasts, the thresholds before the first of them


@contextmanager
def rarely_collected() -> Iterator[None]:
    """Until the last run ends that lasts now. A collector that is off, or rarer still, stays so, and so do thresholds
    that someone else sets meanwhile."""
    with _lock:
        usual = _lasting[0] if _lasting else gc.get_threshold()
        if not _lasting and 0 < usual[0] < YOUNG:
            gc.set_threshold(YOUNG, *usual[1:])
        _lasting.append(usual)
    try:
        yield
    finally:
        with _lock:
            _lasting.pop()
            if not _lasting and gc.get_threshold() == (YOUNG, *usual[1:]):
                gc.set_threshold(*usual)
