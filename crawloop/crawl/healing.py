"""Whether a family may be healed without a person: only where the drift is sure, and never during its cool-down."""

from __future__ import annotations

from datetime import UTC, datetime

from crawloop.model.family import Family, Status


def held_back(family: Family, now: str) -> str | None:
    """Why automatic healing must wait, or None. It costs nothing: no page is fetched and no model asked."""
    if family.status is not Status.ESCALATED or family.cooldown_until is None:
        return None
    if _moment(now) >= _moment(family.cooldown_until):
        return None
    return (
        f"{family.name} was escalated and cools down until {family.cooldown_until}; `crawloop regen` runs at any time"
    )


def _moment(at: str) -> datetime:
    then = datetime.fromisoformat(at)
    return then if then.tzinfo else then.replace(tzinfo=UTC)
