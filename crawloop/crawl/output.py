"""What a crawl leaves in files: whole or not at all, and an interrupted crawl takes up where it was.

Reports are kept line by line in a hidden file beside the output; only when the crawl is over do the files that were
asked for appear, each by a rename.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import IO

from crawloop.crawl.formats import writer
from crawloop.crawl.report import PageReport, PageStatus
from crawloop.errors import UserError
from crawloop.model.kind import Field, Schema
from crawloop.model.page import Record
from crawloop.shape import shown

PAGE_URL = "page_url"
_STALE = 24 * 3600.0  # seconds after which what an interrupted crawl has left is old news
_AGAIN = frozenset({PageStatus.ERROR, PageStatus.BLOCKED})


class Output:
    """`with Output(…) as out:` then `out.add(report)` for each page and `out.finish()`.

    `task` says what was asked for (family, version, source, URLs); kept reports of another task are dropped. `done` are
    those of an interrupted crawl of the same task, by URL. With `with_url` records say as PAGE_URL whence they come.
    Raises UserError where a file cannot be written or has an ending that means nothing.
    """

    def __init__(
        self,
        items: Path | None,
        report: Path | None,
        schema: Schema,
        task: Mapping[str, object],
        *,
        with_url: bool = False,
    ) -> None:
        self._items, self._report, self._with_url = items, report, with_url
        self._schema = _with_url(schema) if with_url else schema
        self._write = writer(items) if items else None
        self._task = json.dumps(dict(task), sort_keys=True)
        targets = [path for path in (report, items) if path is not None]
        _check_folders(targets)
        self._kept = targets[0].with_name(f".{targets[0].name}.part") if targets else None
        self._lines: IO[str] | None = None
        self.done: dict[str, PageReport] = {}

    def __enter__(self) -> Output:
        if self._kept is None:
            return self
        try:
            lines = self._kept.open("a", encoding="utf-8")
            self._lines = lines
            fcntl.flock(lines, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.done = self._resumed(self._kept)
            lines.truncate(0)
        except BlockingIOError as error:
            lines.close()
            remedy = "wait for it, or name other files"
            raise UserError(f"{self._kept}: another crawl writes the same files just now: {remedy}") from error
        except OSError as error:
            raise UserError(
                f"{self._kept.parent}: cannot be written to ({error.strerror}): name another folder"
            ) from error
        self._keep(self._task, *(kept.dumps() for kept in self.done.values()))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if self._lines is not None:
            with suppress(OSError):  # a line that found no room is told already, and cut off at the next start
                self._lines.close()

    def add(self, report: PageReport) -> None:
        """Keeps a report; a later one of the same URL takes its place. Raises UserError where there is no room."""
        self._keep(report.dumps())

    def _keep(self, *lines: str) -> None:
        if self._lines is None:
            return
        try:
            self._lines.writelines(f"{line}\n" for line in lines)
            self._lines.flush()
        except OSError as error:
            remedy = "make room and run again; what was crawled is kept"
            raise UserError(f"{self._kept}: cannot be written ({error.strerror}): {remedy}") from error

    def finish(self) -> None:
        """Writes the files that were asked for."""
        if self._lines is None or self._kept is None:
            return
        self._lines.close()
        kept = self._kept
        last = {report.url: number for number, report in enumerate(_reports(kept))}

        def reports() -> Iterator[PageReport]:
            return (one for number, one in enumerate(_reports(kept)) if last[one.url] == number)

        if self._report:
            _replace(self._report, lambda path: _write_reports(path, reports()))
        if self._items and self._write:
            write, schema = self._write, self._schema
            _replace(self._items, lambda path: write(path, rows(reports(), with_url=self._with_url), schema))
        kept.unlink()

    def _resumed(self, kept: Path) -> dict[str, PageReport]:
        try:
            if time.time() - kept.stat().st_mtime > _STALE:
                return {}
            with kept.open(encoding="utf-8") as file:
                if file.readline().rstrip("\n") != self._task:
                    return {}
        except (OSError, UnicodeDecodeError):
            return {}
        return {one.url: one for one in _reports(kept) if one.status not in _AGAIN}


def _check_folders(targets: Sequence[Path]) -> None:
    """Before a page is fetched, and not after all of them."""
    for path in targets:
        if not path.parent.is_dir():
            raise UserError(f"{path}: there is no folder {path.parent}: make it, or name another one")


def _reports(kept: Path) -> Iterator[PageReport]:
    """The reports after the first line; a last line that was cut off is left out."""
    with kept.open(encoding="utf-8", errors="replace") as file:
        file.readline()
        for line in file:
            try:
                yield PageReport.loads(line)
            except ValueError:
                return


def rows(reports: Iterable[PageReport], *, with_url: bool) -> Iterator[Record]:
    """The records as they are written, one a row; with `with_url` the page's own URL first."""
    for report in reports:
        head = {PAGE_URL: shown(report.url)} if with_url else {}
        yield from ({**head, **record} for record in report.records)


def _with_url(schema: Schema) -> Schema:
    """The schema of records that say whence they come. Raises UserError where it has such a field already."""
    if PAGE_URL in schema.names:
        raise UserError(f"{schema.ref} has a field {PAGE_URL} of its own: leave --with-url out, or rename the field")
    return replace(schema, fields=(Field(PAGE_URL), *schema.fields))


def _write_reports(path: Path, reports: Iterator[PageReport]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for report in reports:
            file.write(json.dumps(report.body(), ensure_ascii=False) + "\n")


def _replace(target: Path, write: Callable[[Path], None]) -> None:
    """Writes beside `target` and renames, so that a reader sees the old file or the new one, never half of it."""
    draft = target.with_name(f".{target.name}.draft")
    try:
        write(draft)
        os.replace(draft, target)
    except OSError as error:
        raise UserError(f"{target}: cannot be written ({error.strerror})") from error
    finally:
        draft.unlink(missing_ok=True)
