"""The link from one page of a listing to the one after it, as the pages of a family write it.

Three ways, the surest first: `rel=next`; a link that is labelled alike on every page ("Next", "›"); the link whose
address is the page's own with the next number. What is learnt is which of them holds, and the label's words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape
from urllib.parse import urlsplit

from crawloop.shape.address import cleaned, matches, pattern, url_key
from crawloop.shape.links import joined, tag_said

_LINK = re.compile(r"<(a|link)\b([^<>]*)>(?:((?:(?!</?a\b)[\s\S]){0,400}?)</a\b)?", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_LABELS = re.compile(r"\b(?:aria-label|title|alt)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_WORDS = re.compile(
    r"(?:^|\W)(?:next|weiter|nächste|suivante?s?|siguientes?|próxim[ao]|seguinte|successiv[ao]|avanti|volgende"
    r"|nästa|næste|neste|seuraava|następn[ay]|далее|следующая|вперед|下一页|下一頁|次へ|次|다음|older)(?:\W|$)"
    r"|^\W*[›»→❯>]+\W*$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{1,18}")  # int() refuses thousands of digits, which any link of a page may have
_FIRST = re.compile(r"(?:[?&/](?:page|pg|paged|p|seite|start|offset)[=/-]?)(\d{1,18})/?$", re.IGNORECASE)
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a page: whether it says rel=next, its label in small letters, and where it goes."""

    is_next: bool
    label: str
    target: str


@dataclass(frozen=True, slots=True)
class Pager:
    """How the pages of a family name the one after them: by `rel`, by a `label`, or by the number in the address."""

    rel: bool = False
    label: str | None = None

    def following(self, url: str, html: str) -> str | None:
        """The page after this one; None where it names none, or more than one. Never one on another host."""
        targets: dict[str, str] = {}
        for link in links(url, html):
            if self._is_it(link, url):
                targets.setdefault(url_key(link.target), link.target)
        targets.pop(url_key(cleaned(url)), None)
        return next(iter(targets.values())) if len(targets) == 1 else None

    def _is_it(self, link: Link, url: str) -> bool:
        if urlsplit(link.target).netloc != urlsplit(url).netloc:
            return False
        if self.rel:
            return link.is_next
        if self.label is not None:
            return link.label == self.label and _is_part(url, link.target)
        return advances(url, link.target)


def learnt_pager(pages: Iterable[tuple[str, str]]) -> Pager | None:
    """How (URL, text) pages of one family name the page after them; None where none of them does."""
    seen = list(pages)
    labels = Counter(
        link.label
        for url, html in seen
        for link in {one.label: one for one in links(url, html)}.values()
        if _WORDS.search(link.label)
    )
    ways = [Pager(rel=True), *(Pager(label=label) for label, _ in labels.most_common()), Pager()]
    return next((way for way in ways if any(way.following(url, html) for url, html in seen)), None)


def links(url: str, html: str) -> Iterator[Link]:
    """The links of a page, in its order."""
    for found in _LINK.finditer(html):
        said = tag_said(found[2])
        target = joined(url, said.get("href", ""))
        if target is None or (found[1].lower() == "link" and "next" not in said.get("rel", "").lower().split()):
            continue
        named = _LABELS.search(found[2] + (found[3] or ""))
        text = " ".join(unescape(_TAG.sub(" ", found[3] or "")).split())
        label = text or (unescape(named[1] or named[2] or "") if named else "")
        yield Link("next" in said.get("rel", "").lower().split(), label.lower()[:_LONGEST], target)


def _is_part(url: str, target: str) -> bool:
    """Whether `target` may be another part of what `url` lists: the same path, or an address of the same pattern."""
    return urlsplit(url).path == urlsplit(target).path or advances(url, target) or matches(pattern(url), target)


def advances(url: str, target: str) -> bool:
    """Whether `target` is `url` with one number raised by a step, or without any the second page of it."""
    own, other = _NUMBER.split(url), _NUMBER.split(target)
    if own == other:
        before, after = _NUMBER.findall(url), _NUMBER.findall(target)
        changed = [(int(a), int(b)) for a, b in zip(before, after, strict=True) if a != b]
        return len(changed) == 1 and changed[0][1] == changed[0][0] + 1
    first = _FIRST.search(target)
    bare = target[: first.start()] if first else ""
    return first is not None and int(first[1]) == 2 and bare.rstrip("/?&") == url.rstrip("/?&")
