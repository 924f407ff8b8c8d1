"""The saved responses of WARC files, plain or compressed record by record.

A revisit record says that a page was once more what another record holds: its bytes are taken from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from crawloop.crawl.archive.capture import Capture, Response
from crawloop.crawl.archive.oddities import Note
from crawloop.crawl.archive.segments import beside, is_own
from crawloop.crawl.fetch import REDIRECTS, readable
from crawloop.errors import FetchError, UserError

FINAL_URL = "Crawloop-Final-URL"  # where redirects ended, in records that crawloop wrote
_TYPES = frozenset({"response", "resource", "revisit"})


@dataclass(frozen=True, slots=True)
class Head:
    """What the head of a record says. `names` are those of its bytes: their digest, and URL with date.

    `status` is 0 and `content_type` empty where a revisit record leaves them to the record that it refers to.
    """

    path: Path
    at: int
    url: str
    saved_at: str
    status: int
    content_type: str
    location: str
    final_url: str
    names: tuple[str, ...]
    is_revisit: bool


class CutOff(UserError):
    """A file that ends within a record."""


def captures(files: Sequence[Path], max_bytes: int, note: Note) -> Iterator[Capture]:
    """One capture for each record that is a page or a redirect. Raises UserError as `heads` does."""
    found = [head for path in files for head in heads(path, note)]
    origins = _origins(found)
    if any(origins.keys().isdisjoint(head.names) for head in found if head.is_revisit):
        more = {one: None for path in files for one in beside(path) if one not in files}
        origins = _origins(head for path in more for head in heads(path, note)) | origins
    lost = 0
    for head in found:
        origin = next((origins[name] for name in head.names if name in origins), None) if head.is_revisit else head
        if origin is None:
            lost += 1
        elif head.location or readable(head.content_type or origin.content_type):
            where = f"{head.path} at byte {head.at}"
            yield Capture(head.url, where, head.saved_at, _loader(head, origin, max_bytes), not head.location)
    if lost:
        note(
            "no origin",
            f"{files[0].parent}: {lost} captures are left out: the records that they refer to are not there",
        )


def heads(path: Path, note: Note) -> Iterator[Head]:
    """The heads of a file's responses. Raises UserError, also for a file that is cut off.

    What that one has lost is not known, so none of it is taken. A file that crawloop wrote ends where its process was
    killed: it is read up to there.
    """
    from warcio.exceptions import ArchiveLoadFailed

    try:
        with path.open("rb") as source:
            yield from _heads(source, path)
    except CutOff as cut:
        if not is_own(path):
            raise
        note("cut off", f"{str(cut).partition(': fetch')[0]}: that one is left out")
    except (ArchiveLoadFailed, OSError) as error:
        raise UserError(f"{path}: not a WARC file that can be read ({str(error).strip()})") from error
    except (AttributeError, ValueError) as error:  # what the parser trips over
        raise UserError(f"{path}: not a WARC file that can be read (the head of a record is broken)") from error


def _heads(source: BinaryIO, path: Path) -> Iterator[Head]:
    from warcio.archiveiterator import ArchiveIterator

    records = ArchiveIterator(source)
    for record in records:
        said = _said(record)
        at = records.get_record_offset()  # reads the record to its end
        if getattr(record.raw_stream, "limit", 0):
            raise _cut_off(path, at)
        if said:
            yield Head(path, at, **said)
    if records.offset < path.stat().st_size:
        raise _cut_off(path, records.offset)


def _cut_off(path: Path, at: int) -> CutOff:
    whole = f", or keep what is whole: head -c {at} {path} > whole-{path.name}" if at else ""
    return CutOff(f"{path}: cut off in the record at byte {at}: fetch the file anew{whole}")


def _said(record: Any) -> dict[str, Any] | None:
    """What a record says of itself, None where it is no response; a resource has no HTTP headers of its own."""
    head, http = record.rec_headers.get_header, record.http_headers
    url = (head("WARC-Target-URI") or "").strip("<>")
    if record.rec_type not in _TYPES or not url:
        return None
    code = http.get_statuscode() if http else ""
    is_revisit = record.rec_type == "revisit"
    status = int(code) if code.isdigit() else 0 if is_revisit else 200
    kind = http.get_header("Content-Type") if http else None if is_revisit else head("Content-Type")
    saved_at = head("WARC-Date") or ""
    other = head("WARC-Refers-To-Target-URI"), head("WARC-Refers-To-Date")
    named = f"{other[0]} {other[1]}" if is_revisit else f"{url} {saved_at}"
    return {
        "url": url,
        "saved_at": saved_at,
        "status": status,
        "content_type": kind or "",
        "location": (http.get_header("Location") or "") if http and status in REDIRECTS else "",
        "final_url": head(FINAL_URL) or "",
        "names": tuple(name for name in (head("WARC-Payload-Digest"), named) if name),
        "is_revisit": is_revisit,
    }


def _origins(found: Iterable[Head]) -> dict[str, Head]:
    return {name: head for head in found if not head.is_revisit for name in head.names}


def _loader(head: Head, origin: Head, max_bytes: int) -> Callable[[], Response]:
    def load() -> Response:
        from warcio.archiveiterator import ArchiveIterator

        with origin.path.open("rb") as source:
            source.seek(origin.at)
            record = next(iter(ArchiveIterator(source)), None)
            if record is None:
                raise FetchError(f"{origin.path}: the record at byte {origin.at} is gone; was the file changed?")
            body = record.content_stream().read(max_bytes + 1)
        kind, status = head.content_type or origin.content_type, head.status or origin.status
        return Response(body, kind, status, head.final_url, head.location)

    return load
