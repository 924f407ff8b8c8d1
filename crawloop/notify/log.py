"""Events as JSON lines, on stderr or appended to a file; never in colour. Pages one by one are left to the report."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

from crawloop.errors import ConfigError
from crawloop.model.events import PAGE_BY_PAGE, DriftNoticed, Event, FamilyEscalated
from crawloop.shape import shown

_UNSAID = frozenset({"evidence", "said"})  # what the audit keeps, and no line could hold


class EventLog:
    """An Observer that writes a line for each event. `place` is a file or "stderr". Raises ConfigError."""

    def __init__(self, place: str, warn: Callable[[str], None]) -> None:
        import structlog

        self._warn = warn
        self._is_full = False
        self._file = None if place == "stderr" else _opened(Path(place))
        self._log = structlog.wrap_logger(
            structlog.WriteLogger(self._file or sys.stderr),
            processors=[
                structlog.processors.add_log_level,
                structlog.processors.JSONRenderer(_without_passwords, default=str),
            ],
            wrapper_class=structlog.make_filtering_bound_logger(0),
        )

    def __call__(self, event: Event) -> None:
        if self._is_full or isinstance(event, PAGE_BY_PAGE):
            return
        say = self._log.warning if isinstance(event, DriftNoticed | FamilyEscalated) else self._log.info
        facts = {name: value for name, value in event.body().items() if name not in _UNSAID}
        try:
            say(event.kind, at=event.at, family=event.family, run=event.run, **facts)
        except OSError as error:
            self._is_full = True
            self._warn(f"notify.log cannot be written ({error.strerror}): events are not logged from here on")

    def close(self) -> None:
        if self._file is not None:
            with suppress(OSError):  # a line that found no room is told already
                self._file.close()


def _without_passwords(*said: Any, **how: Any) -> str:
    return shown(json.dumps(*said, **how))


def _opened(file: Path) -> TextIO:
    try:
        return file.open("a", encoding="utf-8", errors="replace", buffering=1)
    except OSError as error:
        raise ConfigError(f"notify.log: {file}: cannot be written ({error.strerror}): name another file") from error
