"""The saved responses of a WARC file, plain or compressed record by record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from crawloop.crawl.capture import Capture, Response
from crawloop.crawl.fetch import readable
from crawloop.errors import FetchError, UserError

_REDIRECTS = frozenset({301, 302, 303, 307, 308})


def captures(path: Path, max_bytes: int) -> Iterator[Capture]:
    """One capture for each response or resource record that is a page or a redirect.

    Raises UserError, also for a file that is cut off: what it has lost is not known, so none of it is taken.
    """
    from warcio.exceptions import ArchiveLoadFailed

    try:
        with path.open("rb") as source:
            for record, at in _records(source, path):
                url = record.rec_headers.get_header("WARC-Target-URI")
                if record.rec_type not in ("response", "resource") or not url:
                    continue
                _, kind, location = _head(record)
                if location or readable(kind):
                    when = record.rec_headers.get_header("WARC-Date") or ""
                    yield Capture(
                        url.strip("<>"), f"{path} at byte {at}", when, _loader(path, at, max_bytes), not location
                    )
    except (ArchiveLoadFailed, OSError) as error:
        raise UserError(f"{path}: not a WARC file that can be read ({str(error).strip()})") from error
    except (AttributeError, ValueError) as error:  # what the parser trips over
        raise UserError(f"{path}: not a WARC file that can be read (the head of a record is broken)") from error


def _records(source: BinaryIO, path: Path) -> Iterator[tuple[Any, int]]:
    """Each record with the byte at which it begins."""
    from warcio.archiveiterator import ArchiveIterator

    records = ArchiveIterator(source)
    for record in records:
        at = records.get_record_offset()  # reads the record to its end
        if getattr(record.raw_stream, "limit", 0):
            raise _cut_off(path, at)
        yield record, at
    if records.offset < path.stat().st_size:
        raise _cut_off(path, records.offset)


def _cut_off(path: Path, at: int) -> UserError:
    whole = f", or keep what is whole: head -c {at} {path} > whole-{path.name}" if at else ""
    return UserError(f"{path}: cut off in the record at byte {at}: fetch the file anew{whole}")


def _loader(path: Path, at: int, max_bytes: int) -> Callable[[], Response]:
    def load() -> Response:
        from warcio.archiveiterator import ArchiveIterator

        with path.open("rb") as source:
            source.seek(at)
            record = next(iter(ArchiveIterator(source)), None)
            if record is None:
                raise FetchError(f"{path}: the record at byte {at} is gone; was the file changed?")
            status, kind, location = _head(record)
            return Response(record.content_stream().read(max_bytes + 1), kind, status, "", location)

    return load


def _head(record: Any) -> tuple[int, str, str]:
    """(status, Content-Type, where a redirect leads) of a record; a resource has no HTTP headers of its own."""
    if record.http_headers is None:
        return 200, record.rec_headers.get_header("Content-Type") or "", ""
    code = record.http_headers.get_statuscode()
    status = int(code) if code.isdigit() else 200
    location = record.http_headers.get_header("Location") if status in _REDIRECTS else None
    return status, record.http_headers.get_header("Content-Type") or "", location or ""
