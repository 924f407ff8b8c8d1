"""Times as texts: ISO 8601, UTC where they do not say otherwise."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


def moment(at: str) -> datetime:
    """The time that a text says."""
    then = datetime.fromisoformat(at)
    return then if then.tzinfo else then.replace(tzinfo=UTC)


def later(at: str, hours: float) -> str:
    """The time `hours` later, as the clock says it: "2026-01-31T12:00:00Z"."""
    return (moment(at).astimezone(UTC) + timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ")


def now() -> str:
    """The time in UTC, to the second."""
    return later(datetime.now(UTC).isoformat(), 0)
