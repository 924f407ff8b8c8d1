"""What a reader sees of a page, without building a DOM. Every step is linear in the page's length."""

from __future__ import annotations

import html
import re

_UNSEEN = re.compile(r"<(?:(script|style|noscript|template|svg|iframe|head|select|textarea)\b|(!--))", re.IGNORECASE)
_CLOSE = {
    name: re.compile("-->" if name == "!--" else rf"</{name}\b[^<>]*>", re.IGNORECASE)
    for name in ("script", "style", "noscript", "template", "svg", "iframe", "head", "select", "textarea", "!--")
}
# Left open, these hide all that follows, as in a browser; a stray <svg> or <head> does not.
_SWALLOWS = frozenset({"script", "style", "textarea", "!--"})
# A character reference of thousands of digits makes int() raise, and names no character anyway.
_HUGE = re.compile(r"&#x?[0-9a-f]{9,}", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_INLINE = re.compile(
    r"</?(?:a|abbr|b|bdi|cite|code|em|font|i|mark|q|s|small|span|strong|sub|sup|u|wbr)\b[^<>]*>", re.IGNORECASE
)


def visible_blocks(page: str) -> list[str]:
    """The visible texts, one for each block, whitespace collapsed, empty ones left out."""
    text = _TAG.sub("\n", _INLINE.sub(" ", _seen(page).replace("\n", " ")))
    return [" ".join(line.split()) for line in _unescaped(text).split("\n") if line and not line.isspace()]


def visible_texts(page: str) -> list[str]:
    """The visible texts between any two tags, whitespace collapsed, empty ones left out."""
    return [" ".join(_unescaped(text).split()) for text in _TAG.split(_seen(page)) if text and not text.isspace()]


def first(page: str, tag: str) -> str:
    """The text of the first such element, at most 300 characters of it."""
    start = page.find(f"<{tag}")
    start = start if start >= 0 else page.find(f"<{tag.upper()}")
    open_ends = page.find(">", start) if start >= 0 else -1
    if open_ends < 0:
        return ""
    inner = page[open_ends + 1 : open_ends + 3000]
    end = inner.lower().find(f"</{tag}")
    return " ".join(_unescaped(_TAG.sub(" ", inner[: end if end >= 0 else 300])).split())[:300]


def _unescaped(text: str) -> str:
    return html.unescape(_HUGE.sub(" ", text))


def _seen(page: str) -> str:
    """The page without what no reader sees."""
    parts = []
    at = 0
    open_ended: set[str] = set()  # names that nothing closes from here on; looking again for each would be quadratic
    while found := _UNSEEN.search(page, at):
        parts.append(page[at : found.start()])
        name = "!--" if found[2] else found[1].lower()
        close = None if name in open_ended else _CLOSE[name].search(page, found.end())
        if close:
            at = close.end()
        elif name in _SWALLOWS:
            return "".join(parts)
        else:
            open_ended.add(name)
            at = found.end()
    return "".join((*parts, page[at:]))
