"""Saved pages instead of the network: a WARC or HAR file, or a folder of those and of single pages.

Of several captures of one URL the newest is served, and `warnings` says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from crawloop.contract import Source
from crawloop.crawl.archive import folder, har, warc
from crawloop.crawl.archive.capture import Capture
from crawloop.crawl.archive.oddities import Oddities
from crawloop.crawl.charset import decode
from crawloop.crawl.escaped import unfolded
from crawloop.errors import FetchError, PageRefused, UserError
from crawloop.model.page import Page
from crawloop.model.policy import LARGEST_PAGE
from crawloop.shape import url_key
from crawloop.values import urljoin

_HOPS = 10
_WARC = ("*.warc", "*.warc.gz", "*/*.warc", "*/*.warc.gz")


class ArchiveFetcher(Source):
    """A Source over an archive; the network stays off. Raises UserError where the archive cannot be used."""

    def __init__(self, path: Path | str, *, max_bytes: int = LARGEST_PAGE) -> None:
        self._path = Path(path)
        self._max_bytes = max_bytes
        self._odd = Oddities()
        self._captures: dict[str, Capture] = {}
        found: dict[str, list[Capture]] = {}
        for capture in self._read():
            found.setdefault(url_key(capture.url), []).append(capture)
        if not found:
            remedy = "give a folder with <name>.html beside <name>.json, a WARC or a HAR file"
            raise UserError(f"{self._path}: no saved page in it: {remedy}")
        for key, captures in found.items():
            # A redirect to the page's own address, as from http to https, is no other capture of it.
            self._captures[key] = self._newest([one for one in captures if one.listed] or captures)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know of this archive, one line a cause."""
        return self._odd.lines

    def urls(self) -> list[str]:
        """The URLs of all pages, in the archive's order; redirects and other files are no pages."""
        return [capture.url for capture in self._captures.values() if capture.listed]

    async def fetch(self, url: str) -> Page:
        """The saved page, after the redirects that were saved too. Raises FetchError, PageRefused."""
        at = url
        for _ in range(_HOPS):
            capture = self._captures.get(url_key(at))
            if capture is None:
                raise FetchError(f"{at}: not in the archive {self._path}")
            response = capture.load()
            if not response.location:
                break
            at = urljoin(capture.url, response.location)
        else:
            raise FetchError(f"{url}: more than {_HOPS} redirects in the archive {self._path}")
        if len(response.body) > self._max_bytes:
            raise PageRefused(f"{url}: the page is larger than {self._max_bytes / 1e6:g} MB ({capture.where})")
        return Page(
            url=url,
            html=unfolded(decode(response.body, response.content_type)),
            status=response.status,
            final_url=response.final_url or capture.url,
            content_type=response.content_type,
            fetched_at=capture.saved_at,
        )

    def _read(self) -> Iterator[Capture]:
        path, note = self._path, self._odd.note
        if path.is_dir():
            warcs = [one for pattern in _WARC for one in path.glob(pattern)]
            yield from warc.captures(sorted(warcs), self._max_bytes, note)
            for one in sorted(path.glob("*.har")):
                yield from har.captures(one, note)
            yield from folder.captures(path, self._max_bytes, note)
        elif path.is_file():
            yield from (
                har.captures(path, note) if path.suffix == ".har" else warc.captures([path], self._max_bytes, note)
            )
        else:
            raise UserError(f"{path}: no such archive; --archive takes a folder of saved pages, a WARC or a HAR file")

    def _newest(self, captures: list[Capture]) -> Capture:
        if len(captures) == 1:
            return captures[0]
        chosen = max(captures, key=lambda one: _moment(one.saved_at))
        tied = sum(_moment(one.saved_at) == _moment(chosen.saved_at) for one in captures) > 1
        if tied:
            # max() keeps the first of equals; without dates the last written down is the likelier one.
            chosen = [one for one in captures if _moment(one.saved_at) == _moment(chosen.saved_at)][-1]
        why = "no date tells them apart, the last is served" if tied else f"the newest ({chosen.saved_at}) is served"
        self._odd.note(
            f"several captures, tied: {tied}",
            f"{chosen.url}: {len(captures)} captures in {self._path}; {why}: {chosen.where}",
        )
        return chosen


def _moment(saved_at: str) -> datetime:
    """A date as a moment in UTC; a text that is none is older than everything."""
    try:
        if saved_at.replace(".", "", 1).isdigit() and len(saved_at) not in (8, 14):
            return datetime.fromtimestamp(float(saved_at), UTC)
        then = datetime.fromisoformat(saved_at)
    except (ValueError, OverflowError, OSError):
        return datetime.min.replace(tzinfo=UTC)
    return then if then.tzinfo else then.replace(tzinfo=UTC)
