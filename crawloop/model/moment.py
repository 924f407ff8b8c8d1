"""Moments as registry, audit and journal write them: ISO 8601 in UTC, to the second, as in "2026-01-31T12:00:00Z"."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from math import isfinite


def now() -> str:
    """This moment."""
    return written(datetime.now(UTC))


def written(when: datetime) -> str:
    """A moment as text; one that names no zone is in UTC."""
    return _in_utc(when).strftime("%Y-%m-%dT%H:%M:%SZ")


def read(text: str) -> datetime:
    """The moment that a text says; UTC where it names no zone. Raises ValueError where it is no ISO date or time."""
    return _in_utc(datetime.fromisoformat(text))


def later(text: str, hours: float) -> str:
    """The moment `hours` after another."""
    return written(read(text) + timedelta(hours=hours))


def retry_after(value: str | None, now: datetime) -> float | None:
    """Seconds to wait by a Retry-After header (seconds or an HTTP date), None where it says nothing."""
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = (_in_utc(parsedate_to_datetime(value)) - now).total_seconds()
        except (TypeError, ValueError, OverflowError):
            return None
    return max(0.0, seconds) if isfinite(seconds) else None


def _in_utc(when: datetime) -> datetime:
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).astimezone(UTC)
