"""By which names a reading of a program finds its place: keys, labels, classes, ids and attributes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from crawloop.carriers.naming import FITTING, HEADS, PLAIN, affinity, camel
from crawloop.extract.reading import Expression, Read, innermost, json_keys, steps
from crawloop.model.kind import Field

BY_LABEL = ("labelled", "labelled_lines", "tail")  # readings that find their place by a label
BY_KEY = ("meta", "metas")  # and those that find it by a key of the head
_LEADING = re.compile(r"\A[^\W\d_]+(?: [^\W\d_]+)*")
_LEADS = frozenset(  # lead in whatever the place is called after
    (
        *(
            "by",
            "von",
            "par",
            "por",
            "de",
            "av",
            "af",
            "door",
            "di",
            "judge",
            "justice",
            "hon",
            "honorable",
            "mr",
            "mrs",
        ),
        *("ms", "dr", "prof", "professor", "rev", "sen", "rep", "gov"),
    )
)
_STEP = re.compile(r"[ >]+(?![^\[]*\])")
_ITEMS = ("li", "dd", "td", "a", "option")


def reads_by_name(expression: Expression, field: Field) -> bool:
    """Whether the place of a reading is named after the field, or what it stands in where it has no name of its own."""
    read = innermost(expression)
    called = (*names(read), *_names_around(read))
    return max((affinity(field, name) for name in called), default=0.0) >= FITTING


def names_of(expression: Expression) -> Sequence[str]:
    """The names of a reading, and its tag where that is one that heads a page; of one that cuts after words those.

    Of one that counts the parts of a text there are none: what the text is called they need not be.
    """
    if is_a_part(expression):
        return list(words_before(expression))
    read = innermost(expression)
    tag = re.split(r"[ >]+", str(read.args[0]))[-1] if isinstance(read, Read) and read.args else ""
    return [*names(read), *([tag] if tag in HEADS else [])]


def is_a_part(expression: Expression) -> bool:
    """Whether a reading takes a part of a text that its place does not name: after words, or by counting."""
    return any(words_before(expression)) or any(one.transform == "at" for one in steps(expression))


def words_before(expression: Expression) -> Iterator[str]:
    """The words after which a text is cut: "Chapter 7" is called a chapter, but "By Jane" no by."""
    for one in steps(expression):
        if one.transform in ("after", "strip_prefix", "match") and one.args:
            yield from (word for word in _LEADING.findall(str(one.args[0]))[:1] if word.lower() not in _LEADS)


def _names_around(read: Expression) -> list[str]:
    """What a reading of an element without class or id says that it stands in; the type of an object that is named."""
    if not isinstance(read, Read):
        return []
    if read.method == "json":
        return re.findall(r"^[@#](\w+)\.name$", str((read.args or ("",))[0]))
    if read.method not in ("text", "own_text"):
        return []
    *before, last = _STEP.split(str((read.args or ("",))[0]))
    return _named(before[-1]) if before and last.isalnum() else []


def names(read: Expression) -> list[str]:
    """The names by which a reading finds its place: keys, a label, classes, ids and attributes."""
    if not isinstance(read, Read) or not read.args:
        return []
    first = str(read.args[0])
    if read.method.startswith("json"):
        keys = json_keys(read)[-2:]
        return [*keys[-1:], camel(keys)]
    if read.method in (*BY_LABEL, *BY_KEY):
        return [first]
    *before, last = _STEP.split(first)
    if before and last in _ITEMS and read.method.endswith("s"):
        last = before[-1]  # an element of a list is called as the list is
    own = [str(read.args[1])] if read.method.startswith("attr") and read.args[1] not in PLAIN else []
    return own + _named(last)


def is_in_the_head(read: Expression) -> bool:
    """Whether a reading is of what a <meta> says."""
    if not isinstance(read, Read) or not read.args:
        return False
    return read.method in BY_KEY or (read.method.startswith("attr") and str(read.args[0]).startswith("meta["))


def names_along(read: Expression) -> list[str]:
    """The names of all elements that a reading's selector names on the way to its place."""
    by_selector = isinstance(read, Read) and read.args and read.method.startswith(("text", "own_text", "attr", "lines"))
    return _named(str(read.args[0])) if by_selector and isinstance(read, Read) and read.args else []


def _named(element: str) -> list[str]:
    """The classes, the id and the values of attributes by which a step of a selector finds its element."""
    return re.findall(r"[.#]([A-Za-z][\w-]*)", element) + re.findall(r'"([^"]*)"', element)
