"""The vocabulary of generated programs: small functions over what a page says.

Each takes the value first. None stays None; what cannot be done gives None, never an exception. A function about one
value maps over a list and leaves out elements that came to nothing; a function about a list says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from inspect import cleandoc, signature
from typing import Any

from crawloop import values
from crawloop.extract.vocabulary.choices import agreed, enough, first
from crawloop.extract.vocabulary.figures import cents, date, datetime, duration, money, number, rounded, scaled
from crawloop.extract.vocabulary.patterns import found, several
from crawloop.extract.vocabulary.plain import as_text, each, flat, is_empty, is_plain
from crawloop.extract.vocabulary.prose import prose_of

__all__ = [
    "after",
    "agreed",
    "at",
    "before",
    "cents",
    "clean",
    "date",
    "datetime",
    "distinct",
    "duration",
    "enough",
    "first",
    "join",
    "labels",
    "lacking",
    "lower",
    "match",
    "money",
    "number",
    "once",
    "only",
    "prefix",
    "present",
    "prose",
    "rebased",
    "replaced",
    "rounded",
    "scaled",
    "slug",
    "split",
    "strip_prefix",
    "strip_suffix",
    "suffix",
    "tight",
    "title",
    "total",
    "unique",
    "upper",
    "without",
]

_WORD = re.compile(r"[^\W\d_]+")
_LOOSE = re.compile(r"(?<=\S)(\s+)([,.;:!?)])(?=\s|$)")
_PART_OF_KEY = re.compile(r"[^\W_]+")


@each
def clean(value: Any) -> str | None:
    """The text without tags and entities, its white space collapsed."""
    return values.clean(as_text(value)) or None


@each
def lower(value: Any) -> str:
    """The text in lower case."""
    return as_text(value).lower()


@each
def upper(value: Any) -> str:
    """The text in upper case."""
    return as_text(value).upper()


@each
def title(value: Any) -> str:
    """The text with each word's first letter in upper case and the others in lower case."""
    return " ".join(word[:1].upper() + word[1:].lower() for word in as_text(value).split(" "))


@each
def tight(value: Any, signs: str = ",.;:!?)") -> str:
    """The text without the white space that links and other markup leave before a comma, a full stop and the like."""
    return _LOOSE.sub(lambda found: found[2] if found[2] in signs else found[0], as_text(value))


@each
def slug(value: Any, separator: str = "-") -> str | None:
    """The text as a key: its words in lower case with the separator between them."""
    return separator.join(_PART_OF_KEY.findall(as_text(value).lower())) or None


@each
def after(value: Any, mark: str) -> str | None:
    """What follows the first `mark`; None without one."""
    _, found, rest = as_text(value).partition(mark) if mark else ("", "", "")
    return (rest.strip() or None) if found else None


@each
def before(value: Any, mark: str) -> str | None:
    """What stands before the first `mark`; None without one."""
    text, found, _ = as_text(value).partition(mark) if mark else ("", "", "")
    return (text.strip() or None) if found else None


@each
def prefix(value: Any, text: str) -> str:
    """`text` and then the value."""
    return f"{text}{as_text(value)}"


@each
def suffix(value: Any, text: str) -> str:
    """The value and then `text`."""
    return f"{as_text(value)}{text}"


@each
def rebased(value: Any, base: str) -> str | None:
    """A link, as it is written, joined to `base` instead of the page's own address; a whole one stays as it is."""
    try:
        return values.urljoin(base, as_text(value).strip()) or None
    except ValueError:
        return None


@each
def replaced(value: Any, word: str, by: str) -> str | None:
    """The text with another word for `word` wherever it stands on its own; case does not count."""
    given = word.casefold()
    return " ".join(by if one.casefold() == given else one for one in as_text(value).split()) or None


@each
def without(value: Any, signs: str) -> str | None:
    """The text with these signs left out wherever they stand."""
    return " ".join(as_text(value).translate(dict.fromkeys(map(ord, signs))).split()) or None


@each
def strip_prefix(value: Any, text: str, always: bool = False) -> str | None:
    """The value without `text` at its start, in any case; where it is not there, as it is, or None if `always`."""
    whole, head = as_text(value).strip(), text.strip()
    if whole[: len(head)].casefold() == head.casefold():
        return whole[len(head) :].strip() or None
    return None if always else whole or None


@each
def strip_suffix(value: Any, text: str, always: bool = False) -> str | None:
    """The value without `text` at its end, in any case; where it is not there, as it is, or None if `always`."""
    whole, tail = as_text(value).strip(), text.strip()
    if whole[len(whole) - len(tail) :].casefold() == tail.casefold():
        return whole[: len(whole) - len(tail)].strip() or None
    return None if always else whole or None


@each
def match(value: Any, pattern: str, group: int = 1) -> str | None:
    """That group of the first match of a regular expression; None without one. A long text is cut."""
    one = found(pattern, as_text(value))
    return one[group] if one and 0 <= group <= one.re.groups else None


@each
def once(value: Any, pattern: str) -> str | None:
    """The text where it says no two different things that a regular expression matches; None where it does."""
    said = as_text(value)
    return None if several(pattern, said) else said


@each
def labels(value: Any, table: Mapping[str, Any]) -> Any:
    """What the table says of the whole label, whatever its case and spacing; None for a label that is not in it."""
    wanted = values.fold(as_text(value))
    return next((said for label, said in table.items() if values.fold(label) == wanted), None)


@each
def lacking(value: Any, words: list[str]) -> str | None:
    """The text where it holds none of these words, whatever their case, and none of these signs; None where it does."""
    text = as_text(value)
    said = {*_WORD.findall(text.casefold()), *(one for one in text if not one.isalnum())}
    return None if any(one.casefold() in said for one in flat([words]) if isinstance(one, str)) else text


def present(value: Any) -> bool:
    """Whether there is a value at all."""
    return not is_empty(value)


def split(value: Any, separator: str) -> list[str] | None:
    """The parts of a text between separators, none empty; of a list, those of all elements. "Acme, Inc." is one."""
    if value is None:
        return None
    texts = [as_text(one) for one in flat([value]) if is_plain(one)]
    parts: list[str] = []
    for text in texts:
        first = len(parts)
        for part in filter(None, map(str.strip, text.split(separator) if separator else [text])):
            if len(parts) > first and separator.strip() == "," and values.ends_a_name(part):
                parts[-1] += f", {part}"
            else:
                parts.append(part)
    return parts


def join(value: Any, separator: str, whole: bool = False) -> str | None:
    """The elements of a list as one text; with `whole` all of them, or None: "" is there and says nothing."""
    if not isinstance(value, list | tuple):
        return as_text(value) if is_plain(value) else None
    parts = list(flat(value))
    if whole and not all(map(is_plain, parts)):
        return None
    said = [as_text(one) for one in parts if is_plain(one)]
    return separator.join(filter(None, said) if whole else said) or None


def at(value: Any, index: int) -> Any:
    """That element of a list, counted from 0, or from the end with -1; None where there is none."""
    if not isinstance(value, list | tuple):
        return value if index in (0, -1) else None
    return value[index] if -len(value) <= index < len(value) else None


def only(value: Any) -> Any:
    """The only element of a list, or a single value; None where there are several."""
    if not isinstance(value, list | tuple):
        return value
    return value[0] if len(value) == 1 else None


def prose(value: Any) -> list[str] | None:
    """The texts of JSON objects in reading order: a heading, its text, then those below (sections and their steps)."""
    return None if value is None else list(prose_of(value))


def unique(value: Any) -> Any:
    """A list without repeated elements, in their first order."""
    if not isinstance(value, list | tuple):
        return value
    kept: dict[str, Any] = {}
    for one in value:
        kept.setdefault(repr(one), one)
    return list(kept.values())


def total(value: Any, gaps: bool = False) -> int | float | None:
    """The sum of a list of numbers; None where one of them is missing, with `gaps` only where all of them are."""
    items = value if isinstance(value, list | tuple) else [value]
    there = [one for one in items if is_plain(one) and not isinstance(one, str | bool)]
    return sum(there) if there and (gaps or len(there) == len(items)) else None


def distinct(value: Any, keys: Any) -> Any:
    """The rows whose key no row before them has; `keys` has one for each row, and a row without a key counts."""
    if not isinstance(value, list | tuple) or not isinstance(keys, list | tuple):
        return value
    seen: set[str] = set()
    kept = []
    for row, key in zip(value, keys, strict=False):
        if key is None or repr(key) not in seen:
            kept.append(row)
        seen.add(repr(key))
    return kept


def reference() -> str:
    """The vocabulary as text, a line for each function, as models and people are shown it."""
    lines = []
    for name in __all__:
        function = globals()[name]
        shown = str(signature(function, eval_str=False)).partition(" ->")[0].replace("'", "")
        lines.append(f"{name}{shown}: {cleandoc(function.__doc__ or '')}")
    return "\n".join(lines)
