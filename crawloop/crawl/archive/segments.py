"""The files that a family's archive is made of: `<archive>/<family>/<run>/crawloop-00001.warc.gz` and so on.

A run writes into a folder of its own, so no file that was closed is ever written to again. Where a family's files grow
beyond the bound, the oldest are dropped.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import IO

_OWN, _ENDING = "crawloop-", ".warc.gz"
_SHARE = 16  # files that fill the bound


def is_own(path: Path) -> bool:
    """Whether crawloop wrote the file itself."""
    return path.name.startswith(_OWN) and path.name.endswith(_ENDING)


def segments(home: Path) -> list[Path]:
    """The files of a family's archive, the oldest first."""
    return sorted(home.glob(f"*/{_OWN}*{_ENDING}"))


def drop(home: Path) -> None:
    """Deletes them, with the folders of their runs. Raises OSError."""
    for path in segments(home):
        path.unlink(missing_ok=True)
        with suppress(OSError):  # others are in it
            path.parent.rmdir()
    with suppress(OSError):
        home.rmdir()


def beside(path: Path) -> list[Path]:
    """The family's files around one of them; none around a file that is not ours."""
    return segments(path.parent.parent) if is_own(path) else []


class Segments:
    """The files of one run of a family, whose folder is `home`. `preface` begins each. Methods raise OSError."""

    def __init__(self, home: Path, run: str, max_bytes: int, preface: bytes) -> None:
        self._home = home
        self._run = run
        self._max_bytes = max_bytes
        self._preface = preface
        self._sizes = {path: path.stat().st_size for path in segments(home)}
        self._open: IO[bytes] | None = None
        self._begun = 0
        self._at = home  # the file that is open
        self.folder: Path | None = None  # of the run, where it has written anything

    def recent(self) -> list[Path]:
        """The files that stay until half of the bound has been written anew, the newest first."""
        kept, size = [], 0
        for path in reversed(self._sizes):
            size += self._sizes[path]
            if 2 * size > self._max_bytes:
                break
            kept.append(path)
        return kept

    def write(self, record: bytes) -> Path:
        """Adds a record, and returns the file that it went to."""
        if self._open is None or self._sizes[self._at] * _SHARE >= self._max_bytes:
            self._open = self._next()
        self._open.write(record)
        self._open.flush()
        self._sizes[self._at] += len(record)
        while sum(self._sizes.values()) > self._max_bytes and len(self._sizes) > 1:
            self._drop(next(iter(self._sizes)))
        return self._at

    def close(self) -> None:
        """Closes the file; the next record begins another."""
        if self._open is not None:
            self._open.close()
            self._open = None

    def _next(self) -> IO[bytes]:
        self.close()
        if self.folder is None:
            self.folder = _new_folder(self._home, self._run)
        self._begun += 1
        self._at = self.folder / f"{_OWN}{self._begun:05}{_ENDING}"
        file = self._at.open("xb")
        file.write(self._preface)
        self._sizes[self._at] = len(self._preface)
        return file

    def _drop(self, path: Path) -> None:
        del self._sizes[path]
        path.unlink(missing_ok=True)
        with suppress(OSError):  # others are in it
            path.parent.rmdir()


def _new_folder(home: Path, run: str) -> Path:
    """A folder that no other run has; several may begin within one second."""
    home.mkdir(parents=True, exist_ok=True)
    folder, number = home / run, 1
    while True:
        try:
            folder.mkdir()
        except FileExistsError:
            number += 1
            folder = home / f"{run}-{number}"
        else:
            return folder
