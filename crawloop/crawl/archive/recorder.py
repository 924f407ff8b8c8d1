"""Keeps pages as WARC: those that a run learnt from or failed on, so that it can be replayed without a network.

The bytes of a page are written once; where they are met again, a revisit record says so.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import Any

from crawloop.contract import Clock, Fetcher
from crawloop.crawl.archive.segments import Segments
from crawloop.crawl.archive.warc import FINAL_URL, heads
from crawloop.errors import UserError
from crawloop.model import moment
from crawloop.model.page import Page
from crawloop.registry.golden import family_parts
from crawloop.shape import url_key, without_user

_VERSION = "1.1"

# (URL, moment, file) of the record that holds some bytes
Origin = tuple[str, str, Path]


class Recorder:
    """Keeps the pages of one run of a family under `root`, at most `max_mb` megabytes of all its runs; none with 0.

    Where the disk refuses, `warn` is told once, and the run goes on without it.
    """

    def __init__(self, root: Path, family: str, max_mb: int, clock: Clock, warn: Callable[[str], None]) -> None:
        self._root = root
        self._home = root.joinpath(*family_parts(family))
        self._max_bytes = max_mb * 1_000_000
        self._clock = clock
        self._warn = warn
        self._segments: Segments | None = None
        self._origins: dict[str, Origin] = {}
        self._last: dict[str, str] = {}  # what each URL of this run held when it was kept last

    @property
    def folder(self) -> Path | None:
        """Where the pages of this run are, None while there are none."""
        return self._segments.folder if self._segments else None

    def keep(self, page: Page) -> None:
        """Keeps a page as it was served, unless it was the last one kept of its URL."""
        body = page.body or page.html.encode("utf-8", "replace")
        digest = f"sha256:{hashlib.sha256(body).hexdigest()}"
        if not self._max_bytes or self._last.get(url_key(page.url)) == digest:
            return
        try:
            segments = self._segments or self._begin()
            origin = self._origins.get(digest)
            known = origin if origin and origin[2] in segments.recent() else None
            file = segments.write(self._record(page, body, digest, known))
        except OSError as error:
            self._warn(f"{self._home}: pages of this run are not kept any more ({error.strerror}): make room")
            self._max_bytes = 0
            return
        self._last[url_key(page.url)] = digest
        if known is None:
            self._origins[digest] = without_user(page.url), self._moment(page), file

    def close(self) -> None:
        """Closes the file. The recorder may be used again."""
        if self._segments:
            self._segments.close()

    def _begin(self) -> Segments:
        """Looks at what earlier runs have left; only what stays long enough is referred to."""
        self._home.mkdir(parents=True, exist_ok=True)
        ignored = self._root / ".gitignore"
        if not ignored.exists():
            ignored.write_text("*\n", "utf-8")
        run = self._clock().replace("-", "").replace(":", "")
        self._segments = Segments(self._home, run, self._max_bytes, _preface())
        for path in self._segments.recent():
            with suppress(UserError):  # a damaged file is nothing to refer to
                for head in heads(path, lambda *_: None):
                    if not head.is_revisit:
                        self._origins[head.names[0]] = head.url, head.saved_at, path
        return self._segments

    def _record(self, page: Page, body: bytes, digest: str, known: Origin | None) -> bytes:
        """A WARC record, compressed by itself."""
        from warcio.statusandheaders import StatusAndHeaders

        kind = page.content_type if page.body else f"{page.content_type.partition(';')[0]}; charset=utf-8"
        reason = HTTPStatus(page.status).phrase if page.status in HTTPStatus._value2member_map_ else "Unknown"
        said = [("Content-Type", _line(kind)), ("Content-Length", str(len(body)))]
        http = StatusAndHeaders(f"{page.status} {reason}", said, protocol="HTTP/1.1")
        named = {"WARC-Date": self._moment(page)}
        if page.final_url and page.final_url != page.url:
            named[FINAL_URL] = _line(without_user(page.final_url))
        out, writer = _writer()
        url = _line(without_user(page.url))
        if known:
            record = writer.create_revisit_record(url, digest, known[0], known[1], http, named)
        else:
            named["WARC-Payload-Digest"] = digest
            record = writer.create_warc_record(
                url, "response", BytesIO(body), len(body), warc_headers_dict=named, http_headers=http
            )
        writer.write_record(record)
        return out.getvalue()

    def _moment(self, page: Page) -> str:
        try:
            return moment.written(moment.read(page.fetched_at))
        except ValueError:
            return self._clock()


class RecordingFetcher:
    """A Fetcher that keeps every page that another one gives."""

    def __init__(self, fetcher: Fetcher, recorder: Recorder) -> None:
        self._fetcher = fetcher
        self._recorder = recorder

    async def fetch(self, url: str) -> Page:
        page = await self._fetcher.fetch(url)
        self._recorder.keep(page)
        return page


def _preface() -> bytes:
    """The record that says what wrote the file."""
    from crawloop import __version__

    out, writer = _writer()
    writer.write_record(
        writer.create_warcinfo_record(None, {"software": f"crawloop {__version__}", "format": "WARC File Format 1.1"})
    )
    return out.getvalue()


def _writer() -> tuple[BytesIO, Any]:
    from warcio.warcwriter import WARCWriter

    out = BytesIO()
    return out, WARCWriter(out, gzip=True, warc_version=_VERSION)


def _line(text: str) -> str:
    """A text that cannot end the line of a header: pages choose what stands there."""
    return "".join(" " if ord(one) < 32 or ord(one) == 127 else one for one in text).strip()
