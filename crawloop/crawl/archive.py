"""Saved pages instead of the network: a folder of pages, or a WARC file.

Of several captures of one URL the newest is served, and `warnings` says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urljoin

from crawloop.crawl import folder
from crawloop.crawl.capture import Capture
from crawloop.crawl.charset import decode
from crawloop.errors import FetchError, PageRefused, UserError
from crawloop.model.page import Page
from crawloop.model.policy import LARGEST_PAGE
from crawloop.shape import url_key

_HOPS = 10


class ArchiveFetcher:
    """A Fetcher over an archive; the network stays off. Raises UserError where the archive cannot be used."""

    def __init__(self, path: Path | str, *, max_bytes: int = LARGEST_PAGE) -> None:
        self._path = Path(path)
        self._max_bytes = max_bytes
        self._warnings: list[str] = []
        self._captures: dict[str, Capture] = {}
        found: dict[str, list[Capture]] = {}
        for capture in self._read():
            found.setdefault(url_key(capture.url), []).append(capture)
        if not found:
            raise UserError(
                f"{self._path}: no saved page in it: give a folder with <name>.html beside <name>.json, or a WARC file"
            )
        for key, captures in found.items():
            self._captures[key] = self._newest(captures)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know of this archive, one line each."""
        return tuple(self._warnings)

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
            html=decode(response.body, response.content_type),
            status=response.status,
            final_url=response.final_url or capture.url,
            content_type=response.content_type,
            fetched_at=capture.saved_at,
        )

    def _read(self) -> Iterator[Capture]:
        if self._path.is_dir():
            for page in folder.strays(self._path):
                self._warnings.append(f'{page}: left out, the .json with its {{"url": …}} is missing beside it')
            return folder.captures(self._path, self._max_bytes)
        if self._path.is_file():
            from crawloop.crawl import warc

            return warc.captures(self._path, self._max_bytes)
        raise UserError(f"{self._path}: no such archive; --archive takes a folder of saved pages or a WARC file")

    def _newest(self, captures: list[Capture]) -> Capture:
        if len(captures) == 1:
            return captures[0]
        chosen = max(captures, key=lambda one: _moment(one.saved_at))
        tied = sum(_moment(one.saved_at) == _moment(chosen.saved_at) for one in captures) > 1
        if tied:
            # max() keeps the first of equals; without dates the last written down is the likelier one.
            chosen = [one for one in captures if _moment(one.saved_at) == _moment(chosen.saved_at)][-1]
        why = "no date tells them apart, the last is served" if tied else f"the newest ({chosen.saved_at}) is served"
        self._warnings.append(f"{chosen.url}: {len(captures)} captures in {self._path}; {why}: {chosen.where}")
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
