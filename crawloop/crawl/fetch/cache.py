"""Answers on disk with what their server needs to say "not modified": one file a URL, the oldest dropped above a bound.

Nothing is served from here unasked: a page comes from disk only where its server has just said that it is the same.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from contextlib import suppress
from pathlib import Path

from crawloop.crawl.fetch.exchange import Answer

_KEPT = ("content-type", "etag", "last-modified")
_IGNORE = "# made by crawloop; may be deleted at any time\n*\n"


class PageCache:
    """Answers by URL in `folder`, of at most `most` bytes together. It never raises: a page is had without it too."""

    def __init__(self, folder: Path, most: int) -> None:
        self._folder, self._most = folder, most
        self._sizes: dict[str, int] = {}  # by file name, the one that was used longest ago first
        self.warnings: list[str] = []
        with suppress(OSError):
            files = [(entry.stat(), entry.name) for entry in os.scandir(folder) if entry.name.endswith(".page")]
            self._sizes = {name: of.st_size for of, name in sorted(files, key=lambda file: file[0].st_mtime)}
        self._size = sum(self._sizes.values())

    def find(self, url: str) -> Answer | None:
        """The answer that was kept for a URL; one that is not whole is none."""
        name = _name(url)
        if name not in self._sizes:
            return None
        self._sizes[name] = self._sizes.pop(name)
        file = self._folder / name
        with suppress(OSError, ValueError, KeyError, TypeError, zlib.error):
            os.utime(file)  # so that the next crawl knows too that it was used
            first, _, packed = file.read_bytes().partition(b"\n")
            head, body = json.loads(first), zlib.decompress(packed)
            if head["sha256"] == hashlib.sha256(body).hexdigest():
                return Answer(200, head["headers"], body)
        return None

    def keep(self, url: str, answer: Answer) -> None:
        """Keeps a page that its server can recognise."""
        headers = {name: answer.headers[name] for name in _KEPT if name in answer.headers}
        if (
            answer.status != 200
            or not answer.validators
            or "no-store" in answer.headers.get("cache-control", "").lower()
        ):
            return
        head = {"headers": headers, "sha256": hashlib.sha256(answer.body).hexdigest()}
        whole = json.dumps(head).encode("ascii") + b"\n" + zlib.compress(answer.body, 1)
        if len(whole) > self._most // 8:
            return
        try:
            self._write(_name(url), whole)
        except OSError as error:
            self._most = 0
            self.warnings.append(f"{self._folder}: cannot be written ({error.strerror}): pages are fetched whole")

    def _write(self, name: str, whole: bytes) -> None:
        if not self._folder.exists():
            self._folder.mkdir(parents=True)
            (self._folder / ".gitignore").write_text(_IGNORE, encoding="ascii")
        draft = self._folder / f"{name}.{os.getpid()}"
        draft.write_bytes(whole)
        os.replace(draft, self._folder / name)
        self._size += len(whole) - self._sizes.pop(name, 0)
        self._sizes[name] = len(whole)
        while self._size > self._most:
            oldest = next(iter(self._sizes))
            self._size -= self._sizes.pop(oldest)
            (self._folder / oldest).unlink(missing_ok=True)


def _name(url: str) -> str:
    return f"{hashlib.sha256(url.encode('utf-8', 'surrogatepass')).hexdigest()[:40]}.page"
