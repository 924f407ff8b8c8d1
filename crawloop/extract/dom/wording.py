"""Which elements say a label in a text of their own, so that its value may stand beside them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from crawloop.extract.dom.nodes import collapse

_MOST = 200
_SEVERAL = 4  # looks through a page after which its texts are taken out
_SMALL = 32_000  # characters of a page that has no room for long scripts
_APART = "\0"  # stands in no text of a page
_WORD = re.compile(r"[A-Za-z0-9]{2,}")
_COLON = re.compile("[:：]")


def fold(label: str) -> str:
    """A label in the form in which two are compared: without case, colon at the end and extra whitespace."""
    return collapse(label).rstrip(" :：").casefold()


def parted(text: str) -> tuple[str, str, str]:
    """What stands before the first colon, that colon, and what stands after it."""
    if ":" not in text and "：" not in text:
        return text, "", ""
    found = _COLON.search(text)
    return (text[: found.start()], found[0], text[found.end() :]) if found else (text, "", "")


class Words(NamedTuple):
    """What an element must have in its own text: one of several forms, as they are written or in any case."""

    forms: tuple[str, ...]
    in_any_case: bool


@lru_cache(maxsize=2048)
def _css(words: Words, scripts_last: bool = False) -> str:
    """Elements that have the words, but scripts and styles; leaving those out first or last is a matter of speed, as
    they may hold much text."""
    case = " i" if words.in_any_case else ""
    tests = [f':lexbor-contains("{form}"{case})' for form in words.forms]
    shown = ":not(script,style)"
    return ", ".join(f"{test}{shown}" if scripts_last else f"{shown}{test}" for test in tests)


@dataclass(slots=True)
class Habit:
    """What pages are asked for: how many looks through its texts the page before needed."""

    looks: int = 0


habit = Habit()
Hold = Callable[[LexborNode, Words], list[LexborNode]]
"""Gives the elements in an element, itself included, that have the words in their own text."""


def holding(node: LexborNode, words: Words, scripts_last: bool = False) -> list[LexborNode]:
    """The elements in `node` that have the words; the parser looks through all texts."""
    if not words.forms:
        return []
    found = node.css(_css(words, scripts_last))
    # the parser gives an element once for each form that it has
    return found if len(words.forms) == 1 else list({one.mem_id: one for one in found}.values())


class Held:
    """The same for one page, which nobody changes; `size` is the length of its source.

    The parser's look through a page takes a tenth of the time in which it made the page. Where several are needed, as
    the page before is a sign of, the texts of all elements are taken out at the price of about three.
    """

    __slots__ = ("_elements", "_ends", "_expected", "_folded", "_known", "_root", "_scripts_last", "_text")

    def __init__(self, root: LexborNode, size: int) -> None:
        self._root = root
        self._scripts_last = size < _SMALL
        self._known: dict[Words, list[LexborNode]] = {}
        self._expected = 0
        self._elements: list[LexborNode] | None = None
        self._text = self._folded = ""
        self._ends: list[int] = []

    def holding(self, node: LexborNode, words: Words) -> list[LexborNode]:
        """The elements in `node` that have the words; those in the whole page are kept, as labels share words."""
        if node.mem_id != self._root.mem_id:
            return holding(node, words)
        known = self._known
        found = known.get(words)
        if found is None:
            if not known:
                self._expected = habit.looks
            habit.looks = len(known) + 1
            several = max(habit.looks, self._expected) >= _SEVERAL
            found = known[words] = self._among_texts(words) if several else self._by_parser(words)
        return found

    def _by_parser(self, words: Words) -> list[LexborNode]:
        return holding(self._root, words, self._scripts_last)

    def _among_texts(self, words: Words) -> list[LexborNode]:
        if self._elements is None:
            self._elements = self._by_parser(_ANYTHING)
            texts = [one.text(False, _APART) for one in self._elements]
            self._ends = [*accumulate(len(one) + 1 for one in texts)]
            self._text = _APART.join(texts)
            self._folded = _in_lower_case(self._text)
        elements, ends = self._elements, self._ends
        text, fold = (self._folded, _in_lower_case) if words.in_any_case else (self._text, str)
        places: set[int] = set()
        for form in map(fold, words.forms):
            at = text.find(form)
            while at >= 0:
                place = bisect_right(ends, at)
                places.add(place)
                at = text.find(form, ends[place])
        return [elements[place] for place in sorted(places)]


def _in_lower_case(text: str) -> str:
    """The text in lower case, of the same length: a question mark for each sign beyond ASCII, which no word in any
    case has."""
    return text.encode("ascii", "replace").lower().decode("ascii")


_ANYTHING = Words(("",), False)


def saying(node: LexborNode, label: str, hold: Hold = holding) -> list[LexborNode]:
    """Elements with the longest word of the label in their own text, in any case, and nothing else before a colon."""
    wanted, words = _sought(label)
    return [one for one in hold(node, words)[:_MOST] if _may_say(one, wanted)]


@lru_cache(maxsize=1024)
def _sought(label: str) -> tuple[str, Words]:
    """The label folded, and what an element that says it must have in its own text."""
    if word := max(_WORD.findall(label), key=len, default=""):
        return fold(label), Words((word.lower(),), True)
    first = (label.split() or [""])[0].rstrip(":：")
    forms = {form for form in (first, first.lower(), first.upper(), first.capitalize()) if form}
    written = sorted(form for form in forms if '"' not in form and "\\" not in form)
    if written and written[0].isascii() and sum(map(str.isalpha, written[0])) == 1:
        return fold(label), Words((written[0].lower(),), True)  # which has no other forms
    return fold(label), Words(tuple(written), False)


def _may_say(candidate: LexborNode, wanted: str) -> bool:
    """Whether a text right in the element is all of a label or a part of it: in most it is a word of a sentence."""
    child = candidate.first_child
    while child is not None:
        text = child.text_content
        if text and (words := text.split(None, 1)):
            first = words[0]
            if (first if ":" not in first else parted(first)[0]).casefold() in wanted or "：" in first:
                said = fold(parted(text)[0]) or fold(text)
                if said and said in wanted:
                    return True
        child = child.next
    return False
