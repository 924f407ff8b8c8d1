"""What kind of page this is, before anybody learns from it or blames an extractor for it.

No DOM is built: titles, marks and, where those or the size give cause, the visible text. A page is called real unless
there is proof that it is not, for a false alarm costs a page and a missed block only a drift that is noticed later.
"""

from __future__ import annotations

import re
from collections import Counter
from enum import StrEnum
from urllib.parse import urlsplit

from crawloop.model.page import Page
from crawloop.triage import phrases
from crawloop.triage.text import first, visible_blocks

__all__ = ["PageKind", "triage"]

_PASSING = frozenset({408, 425, 500, 502, 504, *range(520, 528)})  # the server's trouble, not a refusal
_SMALL = 30_000  # characters; challenges and shells are small, and their text is read in any case
_FEW_WORDS = 150
_MANY_ELEMENTS = 300  # no challenge has as many, and looking for the marks of all vendors takes a while
_NO_WORDS = 25
_ROW = re.compile(
    r"<(tr|article)\b|<(?:li|div|section)\b[^<>]{0,200}?\bclass=[\"']?"
    r"([\w -]{0,60}?(?:item|card|result|product|entry|listing|post|hit)[\w-]*)"
)
_MOUNT = re.compile(
    r"""<(?:div|main|section|app-root)\b[^<>]{0,200}?\bid=["']?(?:root|app|__next|__nuxt|main|app-root)\b[^<>]*>\s*</"""
)
_ISLAND = re.compile(
    r"""<script\b[^<>]{0,300}?\btype=["']?application/(?:ld\+)?json|\b__[A-Z][A-Z_]+__\s*=\s*[{\["'J]""", re.IGNORECASE
)


class PageKind(StrEnum):
    """What a fetched page turned out to be."""

    REAL = "real"
    BLOCKED = "blocked"
    GONE = "gone"
    TRANSIENT = "transient"
    EMPTY = "empty"
    SHELL = "shell"


def triage(page: Page) -> tuple[PageKind, str]:
    """The kind of the page and why, in words for the audit; the reason is empty for a real page."""
    by_status = _status(page) or _redirect(page)
    if by_status:
        return by_status
    html = page.html
    title, headline = first(html, "title"), first(html, "h1")
    vendor = _vendor(html[:_SMALL]) if html.count("</") < _MANY_ELEMENTS else None
    widget = len(html) < _SMALL and phrases.WIDGET.search(html) is not None
    wary = bool(vendor or phrases.BLOCKED.search(title) or _says(phrases.MISSING, title, headline))
    nothing = len(html) < _SMALL or any(stem in html for stem in phrases.NOTHING_STEMS)
    if not (wary or nothing):
        return PageKind.REAL, ""
    blocks = visible_blocks(html)
    words = sum(block.count(" ") + 1 for block in blocks)
    return (
        _blocked(title, headline, vendor, blocks, words)
        or (_walled(html, words) if widget else None)
        or _gone(title, headline, words)
        or _shell(html, blocks)
        or (_empty(html, title, headline, blocks, words) if nothing else None)
        or (PageKind.REAL, "")
    )


Finding = tuple[PageKind, str] | None


def _status(page: Page) -> Finding:
    status, start = page.status, page.html[:_SMALL]
    if status in (404, 410):
        return PageKind.GONE, f"HTTP {status}"
    if status in _PASSING:
        return PageKind.TRANSIENT, f"HTTP {status}"
    # challenges come with all sorts of statuses: AWS WAF says 202, and 405 with its captcha
    vendor = _vendor(start) if status >= 400 or status == 202 else None
    if vendor:
        return PageKind.BLOCKED, f"HTTP {status}, a challenge by {vendor}"
    if status == 503 and not (phrases.BLOCKED.search(first(start, "title")) or phrases.WIDGET.search(start)):
        return PageKind.TRANSIENT, f"HTTP {status}"
    return (PageKind.BLOCKED, f"HTTP {status}") if status >= 400 else None


def _redirect(page: Page) -> Finding:
    """A redirect to the front page, to a login or to an error page says that the page is not to be had."""
    asked, came = urlsplit(page.url), urlsplit(page.base)
    if asked.path.rstrip("/") == came.path.rstrip("/"):
        return None
    if phrases.LOGIN.search(came.path) and not phrases.LOGIN.search(asked.path):
        return PageKind.BLOCKED, f"redirected to a login: {page.final_url}"
    if phrases.LOST.search(came.path) or (
        phrases.FRONT.fullmatch(came.path or "/") and not phrases.FRONT.fullmatch(asked.path or "/") and not came.query
    ):
        return PageKind.GONE, f"redirected to {page.final_url}"
    return None


def _vendor(html: str) -> str | None:
    return next((name for name, marks in phrases.CHALLENGES.items() if any(mark in html for mark in marks)), None)


def _says(words: re.Pattern[str], *titles: str) -> str | None:
    """The part of a title that says it and nothing else: "Page not found | Shop", never "Wreckage not found"."""
    for title in titles:
        for part in (title, *re.split(r"\s*(?:[|·»«:—–]|\s-\s)\s*", title)):
            if part and words.fullmatch(part.strip(" .!")):
                return part
    return None


def _blocked(title: str, headline: str, vendor: str | None, blocks: list[str], words: int) -> Finding:
    if words > _FEW_WORDS:
        return None
    if vendor:
        return PageKind.BLOCKED, f"a challenge by {vendor}"
    said = [text for text in (title, headline, *blocks) if len(text) < 300 and phrases.BLOCKED.search(text)]
    # One such sentence among other texts may be the page's own subject; in the title, or twice, it is the page.
    if said and (said[0] in (title, headline) or len(said) > 1 or words < 40):
        return PageKind.BLOCKED, f"it says {said[0]!r}"
    return None


def _walled(html: str, words: int) -> Finding:
    """A page that is a captcha and next to nothing else; one with a form and a captcha has more to say."""
    return (PageKind.BLOCKED, "a captcha and nothing else") if words < _NO_WORDS and not _ISLAND.search(html) else None


def _gone(title: str, headline: str, words: int) -> Finding:
    part = _says(phrases.MISSING, title)
    other = _says(phrases.MISSING, headline)
    if (part and (other or words < 4 * _FEW_WORDS or not headline)) or (other and words < 2 * _FEW_WORDS):
        return PageKind.GONE, f"it says {part or other!r}"
    return None


def _shell(html: str, blocks: list[str]) -> Finding:
    if _ISLAND.search(html):
        return None
    if not blocks:
        return PageKind.SHELL, "no visible text and no data"
    length = sum(map(len, blocks))
    if length < 200 and (_MOUNT.search(html) or any(phrases.WAITING.search(block) for block in blocks)):
        return PageKind.SHELL, "a frame that scripts were to fill"
    return None


def _empty(html: str, title: str, headline: str, blocks: list[str], words: int) -> Finding:
    said = _says(phrases.NOTHING, title, headline) or (
        next((b for b in blocks if phrases.NOTHING.fullmatch(b)), None) if words < 4 * _FEW_WORDS else None
    )
    if not said:
        return None
    rows = Counter(found[1] or found[2] for found in _ROW.finditer(html))
    if rows and max(rows.values()) >= 3:
        return None
    return PageKind.EMPTY, f"it says {said!r}"
