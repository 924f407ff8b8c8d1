"""Families, their versions, and the golden set of each version."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, insert, select

from crawloop.errors import RegistryError
from crawloop.model.family import Family, Status, Version, source_hash
from crawloop.registry.dialect import upsert
from crawloop.registry.packing import dumps, loads
from crawloop.registry.settlement import Rung
from crawloop.registry.tables import families, golden_sets, versions

_BY_NAME = select(families).where(families.c.name == bindparam("name"))  # made once: a crawl asks with every batch


def all_families(connection: Connection) -> list[Family]:
    found = [_family(row) for row in connection.execute(select(families))]
    return sorted(found, key=lambda family: family.name)


def family(connection: Connection, name: str) -> Family | None:
    row = connection.execute(_BY_NAME, {"name": name}).one_or_none()
    return _family(row) if row else None


def save_family(connection: Connection, family: Family) -> None:
    row = {
        "name": family.name,
        "schema_ref": family.schema_ref,
        "status": family.status.value,
        "active": family.active,
        "epoch": family.epoch,
        "urls": dumps(family.urls),
        "cooldown_until": family.cooldown_until,
    }
    upsert(connection, families, row)


def ladder(connection: Connection, family: str) -> list[Rung]:
    query = select(versions.c.number, versions.c.epoch).where(versions.c.family == family).order_by(versions.c.number)
    return [Rung(number, epoch) for number, epoch in connection.execute(query)]


def all_versions(connection: Connection, family: str) -> list[Version]:
    query = select(versions).where(versions.c.family == family).order_by(versions.c.number)
    return [_version(row) for row in connection.execute(query)]


def version(connection: Connection, family: str, number: int) -> Version | None:
    query = select(versions).where(versions.c.family == family, versions.c.number == number)
    row = connection.execute(query).one_or_none()
    return _version(row) if row else None


def add_version(connection: Connection, version: Version, cases: Sequence[str]) -> None:
    """A version is only ever added; nothing here changes one."""
    body = {
        "plan": version.plan,
        "fields": version.fields,
        "residual": version.residual,
        "warnings": version.warnings,
        "notes": version.notes,
        "profile": version.profile,
    }
    row = {
        "family": version.family,
        "number": version.number,
        "digest": version.digest,
        "source": version.source,
        "origin": version.origin,
        "schema_ref": version.schema_ref,
        "epoch": version.epoch,
        "created_at": version.created_at,
        "model": version.model,
        "cost": version.cost,
        "body": dumps(body),
    }
    connection.execute(insert(versions), row)
    rows = [
        {"family": version.family, "version": version.number, "position": place, "name": name}
        for place, name in enumerate(cases)
    ]
    if rows:
        connection.execute(insert(golden_sets), rows)


def cases(connection: Connection, family: str, number: int) -> list[str]:
    """Names of the golden cases of a version, in order."""
    query = (
        select(golden_sets.c.name)
        .where(golden_sets.c.family == family, golden_sets.c.version == number)
        .order_by(golden_sets.c.position)
    )
    return list(connection.execute(query).scalars())


def forget(connection: Connection, family: str) -> None:
    connection.execute(delete(golden_sets).where(golden_sets.c.family == family))
    connection.execute(delete(versions).where(versions.c.family == family))
    connection.execute(delete(families).where(families.c.name == family))


def _family(row: Row[Any]) -> Family:
    return Family(
        row.name, row.schema_ref, Status(row.status), row.active, row.epoch, tuple(loads(row.urls)), row.cooldown_until
    )


def _version(row: Row[Any]) -> Version:
    if source_hash(row.source) != row.digest:
        raise RegistryError(
            f"the source of {row.family}@{row.number} is not the one that was promoted (its hash differs): restore the "
            f"registry from a backup, or promote anew with `crawloop regen {row.family}`"
        )
    body = loads(row.body)
    return Version(
        family=row.family,
        number=row.number,
        source=row.source,
        origin=row.origin,
        schema_ref=row.schema_ref,
        epoch=row.epoch,
        created_at=row.created_at,
        plan=body["plan"],
        model=row.model,
        cost=row.cost,
        fields=tuple(body["fields"]),
        residual=tuple(body["residual"]),
        warnings=tuple(body["warnings"]),
        notes={name: tuple(lines) for name, lines in body["notes"].items()},
        profile=body["profile"],
    )
