"""The pages of a HAR 1.2 file, as browsers and proxies export what they loaded: HTML responses to GET requests."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from crawloop.crawl.archive.capture import Capture, Response
from crawloop.crawl.archive.oddities import Note
from crawloop.errors import UserError

_HTML = ("text/html", "application/xhtml+xml")


def captures(path: Path, note: Note) -> Iterator[Capture]:
    """One capture for each page and each redirect. Raises UserError, which names the file and the entry."""
    bare = 0
    for number, entry in enumerate(_entries(path)):
        where = f"{path}, entry {number}"
        try:
            request, response = entry["request"], entry["response"]
            url, status = str(request["url"]), int(response["status"])
            content = response.get("content") or {}
            location = str(response.get("redirectURL") or "")
            kind = str(content.get("mimeType") or "")
            is_page = kind.partition(";")[0].strip().lower() in _HTML
            if str(request.get("method", "GET")).upper() != "GET" or not (location or is_page):
                continue
            body = b"" if location else _body(content)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise UserError(f"{where}: not as HAR 1.2 has it ({type(error).__name__}: {error})") from error
        if body is None:
            bare += 1
            continue
        if not content.get("encoding"):
            kind = f"{kind.partition(';')[0]}; charset=utf-8"  # the text was decoded by whoever wrote the file
        saved = Response(body, kind, status, location=location)
        yield Capture(url, where, str(entry.get("startedDateTime") or ""), _loader(saved), not location)
    if bare:
        note("no text", f"{path}: {bare} pages are left out, their text is not in it: export it with content")


def _loader(saved: Response) -> Callable[[], Response]:
    return lambda: saved


def _entries(path: Path) -> list[dict[str, Any]]:
    try:
        said: Any = json.loads(path.read_bytes())
        entries = said["log"]["entries"]
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path}: not valid JSON ({error}): export the HAR file anew") from error
    except (KeyError, TypeError) as error:
        raise UserError(f"{path}: not a HAR file: it needs log.entries") from error
    if not isinstance(entries, list):
        raise UserError(f"{path}: not a HAR file: log.entries is no list")
    return entries


def _body(content: dict[str, Any]) -> bytes | None:
    """The bytes of a page, None where the file leaves them out. Raises ValueError."""
    text = content.get("text")
    if not isinstance(text, str):
        return None
    if str(content.get("encoding") or "").lower() == "base64":
        return base64.b64decode(text)
    return text.encode("utf-8", "replace")
