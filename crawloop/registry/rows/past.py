"""History: the last known good records of each URL; what detectors know; and pages, whose text is stored once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from sqlalchemy import Connection, bindparam, delete, select

from crawloop.contract import Known
from crawloop.model.page import Page, Record
from crawloop.registry.dialect import upsert
from crawloop.registry.history import merged, valued
from crawloop.registry.packing import dumps, loads, pack, unpack
from crawloop.registry.tables import bodies, history, pages
from crawloop.registry.tables import detectors as detectors_table
from crawloop.shape import url_key

_KEYS_AT_ONCE = 500  # that a query may name
# Made once: to make them takes longer than the database needs for them, and a crawl asks with every batch.
_BY_KEY = select(history.c.url_key, history.c.url, history.c.records, history.c.seen_at).where(
    history.c.family == bindparam("family"), history.c.url_key.in_(bindparam("keys", expanding=True))
)


def known(connection: Connection, family: str, urls: Sequence[str]) -> dict[str, Known]:
    keys = {url: url_key(url) for url in urls}
    rows = _by_key(connection, family, set(keys.values()))
    found = {key: Known(url, tuple(loads(records)), seen_at) for key, url, records, seen_at in rows}
    return {url: found[key] for url, key in keys.items() if key in found}


def _by_key(connection: Connection, family: str, keys: Collection[str]) -> Iterator[tuple[str, str, str, str]]:
    """(key, URL, records as text, when they were seen)"""
    listed = list(keys)
    for start in range(0, len(listed), _KEYS_AT_ONCE):
        some = listed[start : start + _KEYS_AT_ONCE]
        yield from map(tuple, connection.execute(_BY_KEY, {"family": family, "keys": some}).all())


def known_urls(connection: Connection, family: str) -> list[str]:
    query = select(history.c.url, history.c.seen_at).where(history.c.family == family)
    found = sorted((row.url, row.seen_at) for row in connection.execute(query))
    return [url for url, _ in sorted(found, key=lambda pair: pair[1], reverse=True)]


def remember(connection: Connection, family: str, pages: Sequence[Known]) -> None:
    seen = [(url_key(page.url), page) for page in pages if page.records]
    if not seen:
        return
    texts = {key: records for key, _, records, _ in _by_key(connection, family, {key for key, _ in seen})}
    rows: dict[str, dict[str, str]] = {}
    for key, page in seen:
        text = _joined(texts.get(key), page.records)
        texts[key] = text
        rows[key] = {"family": family, "url_key": key, "url": page.url, "records": text, "seen_at": page.seen_at}
    upsert(connection, history, *rows.values())


def _joined(known: str | None, seen: Sequence[Record]) -> str:
    """History after `seen`. Both are texts as they are stored, for most pages say again what is known."""
    text = dumps([valued(record) for record in seen])
    return text if known in (None, text) else dumps(merged(loads(known), loads(text)))


def detectors(connection: Connection, family: str, version: int) -> dict[str, list[float]]:
    table = detectors_table
    query = select(table.c.numbers).where(table.c.family == family, table.c.version == version)
    row = connection.execute(query).one_or_none()
    found: dict[str, list[float]] = loads(row.numbers) if row else {}
    return found


def save_detectors(connection: Connection, family: str, version: int, numbers: Mapping[str, Sequence[float]]) -> None:
    upsert(connection, detectors_table, {"family": family, "version": version, "numbers": dumps(numbers)})


def forget(connection: Connection, family: str) -> None:
    for table in (history, detectors_table):
        connection.execute(delete(table).where(table.c.family == family))


def save_page(connection: Connection, page: Page) -> str:
    digest = page.digest
    if connection.execute(select(bodies.c.digest).where(bodies.c.digest == digest)).one_or_none() is None:
        upsert(connection, bodies, {"digest": digest, "html": pack(page.html)}, keep=True)
    row = {
        "digest": digest,
        "url": page.url,
        "final_url": page.final_url,
        "status": page.status,
        "content_type": page.content_type,
        "fetched_at": page.fetched_at,
    }
    upsert(connection, pages, row)
    return digest


def page(connection: Connection, digest: str, url: str | None) -> Page | None:
    query = select(pages, bodies.c.html).join(bodies, bodies.c.digest == pages.c.digest).where(pages.c.digest == digest)
    if url is not None:
        query = query.where(pages.c.url == url)
    row = connection.execute(query.order_by(pages.c.fetched_at.desc(), pages.c.url).limit(1)).one_or_none()
    if row is None:
        return None
    return Page(row.url, unpack(row.html), row.status, row.final_url, row.content_type, row.fetched_at)
