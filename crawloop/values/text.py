"""Folding: the form in which two texts are compared, always as a whole.

NFKC, entities decoded, tags stripped, invisible characters removed, quotes and dashes folded, whitespace collapsed,
case folded. Plain ASCII, which is most of a page, takes a short way.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache
from unicodedata import normalize

_CACHED_LENGTH = 400
# Only names of HTML elements are tags: `List<String>` keeps its brackets. One-letter names count in lower case alone,
# because `<T>` and `<A>` in upper case are type parameters more often than elements.
_INLINE = (
    "abbr|acronym|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|a|i|ins|kbd|label|mark|q|s|samp|small|span|strike|strong"
    "|sub|sup|time|tt|u|var|wbr"
)
_BLOCK = (
    "p|address|area|article|aside|audio|base|blockquote|body|br|button|canvas|caption|center|col|colgroup|dd|details|dir"
    "|div|dl|dt|embed|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|img|input"
    "|legend|li|link|main|map|menu|meta|nav|noscript|object|ol|optgroup|option|output|param|picture|pre|progress|section"
    "|select|source|summary|svg|table|tbody|td|template|textarea|tfoot|th|thead|title|tr|track|ul|video"
)
_REST = r"(?:\s[^<>]*)?/?>"
_UNSEEN = (("<!--", "-->"), ("<script", "</script>"), ("<style", "</style>"))
_INLINE_TAG = re.compile(rf"</?(?!(?-i:[A-Z]\b))(?:{_INLINE}){_REST}", re.IGNORECASE)
_BLOCK_TAG = re.compile(rf"</?(?!(?-i:[A-Z]\b))(?:{_BLOCK}){_REST}", re.IGNORECASE)
_LOWER = bytes(range(128)).lower().ljust(256)
_ASCII_SIGNS = bytes(one for one in range(128) if not chr(one).isalnum())
_PLACEHOLDER = re.compile(r"n ?/ ?a|n\. ?a\.|null|nan|undefined|-{1,3}")
_LONGEST_PLACEHOLDER = 40  # with markup around it
_BRACKETED = r"\([^()]*\)"
_SET_OFF = rf"(?<!\S)\(({_BRACKETED}(?:[^()]*{_BRACKETED})*)\)(?![^\s,.;:!?])"
_TWICE_BRACKETED = re.compile(_SET_OFF)
_FRACTION_AFTER_DIGIT = re.compile(r"(?<=\d)(?=[¼-¾⅐-⅞↉])")

_FOLDED = (
    {ord(c): "'" for c in "‘’‚‛′‹›`´ʼʹ＇"}
    | {ord(c): '"' for c in "“”„‟″«»＂"}
    | {ord(c): "-" for c in "‐‑‒–—―−﹘﹣－"}
    | {ord("⁄"): "/", 0x2028: " ", 0x2029: " ", 0x85: " "}
)
_INVISIBLE = dict.fromkeys(
    [0xAD, 0x180E, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)]
)
_HALVES = dict.fromkeys(
    range(0xD800, 0xE000), "\ufffd"
)  # half a character: no text can carry it on, so a run gives this
_TABLE = _FOLDED | _INVISIBLE | _HALVES
_SPECIAL = re.compile(f"[{re.escape(''.join(map(chr, _TABLE)))}]")  # most texts have none, and it is found at once
_UNSEEN_SIGN = re.compile(f"[{re.escape(''.join(map(chr, _INVISIBLE)))}]")


def unmark(text: str) -> str:
    """The text without entities and HTML tags; a block tag leaves a space, an inline tag nothing. Case is kept."""
    for _ in range(3):  # markup in JSON is often escaped twice
        if "&" not in text:
            break
        decoded = html.unescape(text)
        if decoded == text:
            break
        text = decoded
    if "<" in text:
        for opening, closing in _UNSEEN:
            text = _without(text, opening, closing)
        text = _BLOCK_TAG.sub(" ", _INLINE_TAG.sub("", text))
    return text


def _without(text: str, opening: str, closing: str) -> str:
    """The text without what stands between two marks; in linear time, whatever a page may hold."""
    lower = text.lower()
    if opening not in lower or len(lower) != len(text):
        return text
    kept, at = [], 0
    while (start := lower.find(opening, at)) >= 0 and (end := lower.find(closing, start)) >= 0:
        kept += [text[at:start], " "]
        at = end + len(closing)
    return "".join([*kept, text[at:]])


def has_markup(text: str) -> bool:
    """Whether HTML tags stand in the text."""
    return "<" in text and bool(_INLINE_TAG.search(text) or _BLOCK_TAG.search(text))


def clean(text: str) -> str:
    """The text as a person reads it: no entities, tags or invisible characters, whitespace collapsed, case kept.

    A remark that a template put in brackets twice, "((optional))", has them once.
    """
    if "&" in text or "<" in text:
        text = unmark(text)
    text = " ".join((text if text.isascii() else _UNSEEN_SIGN.sub("", text)).split())
    return _TWICE_BRACKETED.sub(r"\1", text) if "((" in text else text


def cleaned(text: str, longest: int) -> str | None:
    """The cleaned text, or None where it is longer than `longest`, whatever markup and whitespace stood around it."""
    if len(text) > 20 * longest:
        return None
    text = clean(text)
    return text if len(text) <= longest else None


def squash(text: str) -> str:
    """Its letters and digits alone, folded: what is left of a text however it is spaced and punctuated."""
    if text.isascii():
        return text.encode().translate(_LOWER, _ASCII_SIGNS).decode()
    return "".join(filter(str.isalnum, normalize("NFKC", text).casefold()))


def fold(text: str) -> str:
    """The comparable form of a text. Empty where nothing visible is left."""
    if text.isascii() and "&" not in text and "<" not in text:
        return " ".join(text.split()).lower().replace("`", "'")
    return _fold_cached(text) if len(text) <= _CACHED_LENGTH else _fold(text)


def is_placeholder(text: str) -> bool:
    """Whether a text stands for "nothing" in any language: "N/A", a dash, or what a template prints of no value."""
    return len(text) < _LONGEST_PLACEHOLDER and _PLACEHOLDER.fullmatch(fold(text)) is not None


def _fold(text: str) -> str:
    text = unmark(text)
    if not text.isascii():
        text = _composed(text)
        if "<" in text or "&" in text:  # full-width signs become markup only now
            text = _composed(unmark(text))
    return " ".join(text.split()).lower().replace("`", "'")


def _composed(text: str) -> str:
    text = _mapped(_FRACTION_AFTER_DIGIT.sub(" ", text))
    return _mapped(normalize("NFKC", _mapped(normalize("NFKC", text)).casefold()))


def _mapped(text: str) -> str:
    return _SPECIAL.sub(lambda found: _TABLE[ord(found[0])] or "", text)


_fold_cached = lru_cache(maxsize=16_384)(_fold)
