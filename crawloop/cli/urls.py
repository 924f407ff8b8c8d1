"""URLs as a person gives them: on the command line, or in a file with one a line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from crawloop.errors import UserError


def checked_urls(urls: Iterable[str], archive: Path | None) -> list[str]:
    """The URLs, each once. Raises UserError for one that cannot be fetched; an archive may know any."""
    for url in urls:
        if archive is None and not is_url(url):
            raise UserError(f"{url[:80]!r} is not an http(s) URL: write it whole, as in https://shop.example/p/1")
    return list(dict.fromkeys(urls))


def read_urls(file: Path) -> list[str]:
    """The URLs of a list, one a line; empty lines and `#` comments are skipped. Raises UserError with the line."""
    urls = []
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise UserError(f"{file}: cannot be read ({error.strerror}): name a readable file") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{file}: is not UTF-8 at byte {error.start}: save it as UTF-8 text") from error
    for number, line in enumerate(lines, start=1):
        url = line.strip()
        if not url or url.startswith("#"):
            continue
        if not is_url(url):
            raise UserError(f"{file}, line {number}: {url[:80]!r} is not an http(s) URL: mend or remove the line")
        urls.append(url)
    return list(dict.fromkeys(urls))


def is_url(text: str) -> bool:
    """Whether a text is a whole http(s) URL."""
    try:
        parts = urlsplit(text)
        parts.port  # noqa: B018 - it is read only here, and raises where it is no number
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not any(c.isspace() for c in text)
