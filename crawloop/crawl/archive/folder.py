"""The saved pages of a folder: `<name>.html` or `<name>.html.gz` beside `<name>.json` with at least {"url": …}.

The golden pages of a family, `<case>/page.html` beside `<case>/meta.json`, are such a folder too.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from crawloop.crawl.archive.capture import Capture, Response
from crawloop.crawl.archive.oddities import Note
from crawloop.errors import FetchError, UserError

_DATES = ("fetched_at", "saved_at", "captured_at", "date", "timestamp")


def captures(folder: Path, max_bytes: int, note: Note) -> Iterator[Capture]:
    """One capture for each JSON file, by name. Raises UserError, which names the file and the remedy."""
    for page in _strays(folder):
        note("no address", f'{page}: left out, the .json with its {{"url": …}} is missing beside it')
    for side in sorted(folder.glob("*.json")):
        yield _capture(side, (side.with_suffix(".html"), side.with_suffix(".html.gz")), max_bytes)
    for side in sorted(folder.glob("*/meta.json")):
        yield _capture(side, (side.with_name("page.html"),), max_bytes)


def _strays(folder: Path) -> list[Path]:
    """Pages that nothing gives a URL."""
    pages = [page for page in sorted(folder.glob("*.html*")) if page.name.endswith((".html", ".html.gz"))]
    return [page for page in pages if not (folder / (_stem(page) + ".json")).is_file()]


def _stem(page: Path) -> str:
    return page.name.removesuffix(".gz").removesuffix(".html")


def _capture(side: Path, pages: tuple[Path, ...], max_bytes: int) -> Capture:
    try:
        said: Any = json.loads(side.read_bytes())
    except (ValueError, RecursionError) as error:
        raise UserError(f"{side}: not valid JSON ({error})") from error
    if not isinstance(said, dict) or not isinstance(said.get("url"), str) or not said["url"].strip():
        raise UserError(f'{side}: needs {{"url": "https://…"}}, the address of the page beside it')
    page = next((one for one in pages if one.is_file()), None)
    if page is None:
        raise UserError(f"{side}: the page beside it is missing, {' or '.join(one.name for one in pages)}")
    status = said.get("status", 200)
    if not isinstance(status, int):
        raise UserError(f"{side}: status is {status!r}: use a number such as 200")
    kind, final = _content_type(said), str(said.get("final_url") or "")

    def load() -> Response:
        return Response(_bytes(page, max_bytes), kind, status, final)

    return Capture(said["url"].strip(), str(page), _saved_at(said), load)


def _content_type(said: dict[str, Any]) -> str:
    kind = str(said.get("content_type") or "text/html")
    charset = said.get("charset") or said.get("encoding")
    return f"{kind}; charset={charset}" if charset and "charset" not in kind.lower() else kind


def _saved_at(said: dict[str, Any]) -> str:
    return next((str(said[key]) for key in _DATES if isinstance(said.get(key), str | int | float)), "")


def _bytes(page: Path, max_bytes: int) -> bytes:
    """At most one byte more than the cap, so that a compressed flood is noticed and not unpacked."""
    try:
        with gzip.open(page) if page.suffix == ".gz" else page.open("rb") as source:
            return source.read(max_bytes + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise FetchError(f"{page}: cannot be read ({error})") from error
