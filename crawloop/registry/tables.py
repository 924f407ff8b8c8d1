"""The tables as queries see them; migrations/ makes them, and a test holds both together."""

from __future__ import annotations

from sqlalchemy import Column, Float, Integer, LargeBinary, MetaData, Table, Text

metadata = MetaData()


def _text(name: str, *, key: bool = False, null: bool = False) -> Column[str]:
    return Column(name, Text, primary_key=key, nullable=null)


def _whole(name: str, *, key: bool = False, null: bool = False) -> Column[int]:
    return Column(name, Integer, primary_key=key, nullable=null, autoincrement=False)


families = Table(
    "families",
    metadata,
    _text("name", key=True),
    _text("schema_ref"),
    _text("status"),
    _whole("active", null=True),
    _whole("epoch"),
    _text("urls"),
    _text("cooldown_until", null=True),
)

versions = Table(
    "versions",
    metadata,
    _text("family", key=True),
    _whole("number", key=True),
    _text("digest"),
    _text("source"),
    _text("origin"),
    _text("schema_ref"),
    _whole("epoch"),
    _text("created_at"),
    _text("model", null=True),
    Column("cost", Float, nullable=True),
    _text("body"),
)

golden_sets = Table(
    "golden_sets",
    metadata,
    _text("family", key=True),
    _whole("version", key=True),
    _whole("position", key=True),
    _text("name"),
)

detectors = Table(
    "detectors",
    metadata,
    _text("family", key=True),
    _whole("version", key=True),
    _text("numbers"),
)

history = Table(
    "history",
    metadata,
    _text("family", key=True),
    _text("url_key", key=True),
    _text("url"),
    _text("records"),
    _text("seen_at"),
)

audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    _text("family"),
    _text("kind"),
    _text("at"),
    _text("run"),
    _text("body"),
)

bodies = Table(
    "bodies",
    metadata,
    _text("digest", key=True),
    Column("html", LargeBinary, nullable=False),
)

pages = Table(
    "pages",
    metadata,
    _text("digest", key=True),
    _text("url", key=True),
    _text("final_url"),
    _whole("status"),
    _text("content_type"),
    _text("fetched_at"),
)

journals = Table(
    "journals",
    metadata,
    _text("run", key=True),
    _text("family"),
    _text("begun_at"),
)

journal_steps = Table(
    "journal_steps",
    metadata,
    _text("run", key=True),
    _whole("step", key=True),
    _text("name"),
    Column("state", LargeBinary, nullable=False),
)

answers = Table(
    "answers",
    metadata,
    _text("key", key=True),
    _text("model"),
    _text("purpose"),
    _text("text"),
    Column("dollars", Float, nullable=True),
    Column("seconds", Float, nullable=False),
    _text("family"),
    _text("run"),
    _text("at"),
    _text("prompt"),
    Column("question", LargeBinary, nullable=True),
    _whole("asked", null=True),
    _whole("answered", null=True),
    _text("verdict"),
    _text("flaw"),
)
