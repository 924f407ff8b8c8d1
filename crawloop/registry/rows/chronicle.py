"""The audit: what happened, in order."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, Select, insert, select

from crawloop.contract import Entry
from crawloop.model.events import Event
from crawloop.registry.entries import from_entry, kept
from crawloop.registry.packing import loads
from crawloop.registry.tables import audit


def add(connection: Connection, event: Event) -> int:
    row = {"family": event.family, "kind": event.kind, "at": event.at, "run": event.run, "body": kept(event)}
    return int(connection.execute(insert(audit).values(row).returning(audit.c.id)).scalar_one())


def entries(connection: Connection, query: Select[Any]) -> list[Entry]:
    return [_entry(row) for row in connection.execute(query.order_by(audit.c.id))]


def entry(connection: Connection, number: int) -> Entry | None:
    row = connection.execute(select(audit).where(audit.c.id == number)).one_or_none()
    return _entry(row) if row else None


def _entry(row: Row[Any]) -> Entry:
    return Entry(row.id, from_entry(row.kind, loads(row.body), family=row.family, at=row.at, run=row.run))
