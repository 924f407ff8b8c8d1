"""Other pages of the same sort: links of the same URL pattern that stand at a repeated position of a page.

The page is scanned, not parsed: a scan is linear, however a hostile page is nested.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape
from urllib.parse import urljoin, urlsplit

from crawloop.shape.address import cleaned, matches, pattern, specificity, url_key

_TAG = re.compile(r"<(/?)([a-zA-Z][\w-]*)\b([^<>]*)>|<!--")
_ATTRIBUTE = re.compile(r"""\b(href|class|rel)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_RAW = frozenset({"script", "style", "noscript", "template", "textarea"})
_VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "wbr"})
_MARGINS = frozenset({"nav", "footer", "header"})
_AROUND = 4  # ancestors that make a link's position
_LOOK_BACK = 40  # open elements among which a closing tag finds its own
_SERVICE = re.compile(
    r"(?:^|[/_.-])(?:log-?in|log-?out|sign-?(?:in|up|out)|register|account|cart|basket|checkout|wish-?list|about|contact"
    r"|imprint|impressum|privacy|datenschutz|terms|conditions|agb|legal|polic(?:y|ies)|cookies?|disclaimer|help|faqs?"
    r"|support|search|sitemap|feed|rss|newsletter|subscribe|careers?|advertis\w*|accessibility|print|share)(?:[/_.-]|$)",
    re.IGNORECASE,
)
_FILE = re.compile(
    r"\.(?:pdf|docx?|xlsx?|pptx?|rtf|zip|gz|jpe?g|png|gif|webp|svg|mp[34]|avi|mov|css|js|json|xml|rss|atom|ics|exe)$",
    re.IGNORECASE,
)
_PAGING = re.compile(r"(?:^|&)(?:p|pg|paged?|seite|start|offset|year|month|date|skip)=[\d-]+", re.IGNORECASE)

Position = tuple[str, ...]
Tag = tuple[str, str]  # a name, and the text of the attributes


def siblings(url: str, html: str, limit: int = 10) -> list[str]:
    """At most `limit` URLs of pages like `url`, those at the most often repeated position first.

    Never the page itself, another host, or a page of service such as /login or /about.
    """
    positions: dict[Position, dict[str, str]] = {}
    is_alike = _judge(url)
    for position, target in _links(url, html, is_alike):
        positions.setdefault(position, {}).setdefault(url_key(target), target)
    repeated = [(position, links) for position, links in positions.items() if len(links) > 1]
    repeated.sort(key=lambda one: (bool(_MARGINS & set(one[0])), -len(one[1])))
    found: dict[str, str] = {}
    for _, links in repeated:
        for key, target in links.items():
            found.setdefault(key, target)
    return list(found.values())[:limit]


def _judge(url: str) -> Callable[[str], bool]:
    """Whether another URL may be a page like `url`."""
    shape, own, path = pattern(url), url_key(cleaned(url)), urlsplit(url).path.rstrip("/")
    anything = specificity(shape) == (0, 0)
    is_service = _SERVICE.search(path) is not None

    def is_alike(target: str) -> bool:
        parts = urlsplit(target)
        if not matches(shape, target) or url_key(target) == own or _FILE.search(parts.path):
            return False
        if parts.path.rstrip("/") == path and "?" not in shape and not _PAGING.search(parts.query):
            return False  # the page itself, sorted or commented upon
        if anything and pattern(target) != shape:
            return False
        return is_service or not _SERVICE.search(parts.path)

    return is_alike


def _links(url: str, html: str, is_alike: Callable[[str], bool]) -> Iterator[tuple[Position, str]]:
    """(position, absolute URL without fragment) of each link of such a URL. A position names the elements around it."""
    base = url
    open_tags: list[Tag] = []
    margins: list[str] = []
    at = 0
    while found := _TAG.search(html, at):
        at = found.end()
        name = (found[2] or "!--").lower()
        if name == "!--" or (name in _RAW and not found[1]):
            at = _after(html, name, at)
        elif found[1]:
            _close(open_tags, name)
            if name in _MARGINS and name in margins:
                margins.remove(name)
        else:
            tag = name, found[3]
            if name == "base":
                base = joined(url, _href(tag)) or base
            elif name == "a" and (target := joined(base, _href(tag))) and is_alike(target):
                yield (*margins, *map(_mark, (*open_tags[-_AROUND:], tag))), target
            if name in _MARGINS and len(margins) < _AROUND:
                margins.append(name)
            if name not in _VOID:
                open_tags.append(tag)


def _after(html: str, name: str, at: int) -> int:
    """Where a comment or an element of raw text ends; at the end of the page where nothing ends it."""
    end = html.find("-->" if name == "!--" else f"</{name}", at)
    return len(html) if end < 0 else end + 3


def _close(open_tags: list[Tag], name: str) -> None:
    for back in range(1, min(len(open_tags), _LOOK_BACK) + 1):
        if open_tags[-back][0] == name:
            del open_tags[-back:]
            return


def _href(tag: Tag) -> str:
    return tag_said(tag[1]).get("href", "")


def _mark(tag: Tag) -> str:
    """The element and its first class, without digits: a position must be the same in every row."""
    name, attributes = tag
    names = tag_said(attributes).get("class", "").split()
    return f"{name}.{re.sub(r'[0-9]+', '', names[0])}" if names else name


def tag_said(attributes: str) -> dict[str, str]:
    """href, class and rel of a tag, by the text between its name and its end."""
    return {k.lower(): a or b or c for k, a, b, c in _ATTRIBUTE.findall(attributes)}


def joined(base: str, href: str) -> str | None:
    """An absolute web URL without fragment, or None."""
    try:
        target = urlsplit(urljoin(base, unescape(href.strip())))
    except ValueError:
        return None
    return cleaned(target.geturl()) if target.scheme in ("http", "https") and target.hostname else None
