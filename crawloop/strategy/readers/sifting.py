"""Selectors that find all elements of a list and a few more, with what tells those apart that the list leaves out.

"main > p"   →   page.texts("main > p", bare=True)             "Read also: <a>…</a>" has no word of its own
                 page.texts("main > p:not(:has(b a))")         nor has a link that stands out
                 page.texts("main > p:not(:first-of-type)")    what leads in
                 page.texts("main > p:not(p.lead)")            what is called otherwise
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crawloop.extract.reading import Read
from crawloop.extract.view import Element
from crawloop.model.kind import Field
from crawloop.strategy.readers.lens import Lens
from crawloop.strategy.readers.selectors import descriptors
from crawloop.strategy.shaping.shape import loosely

_LEAST = 3  # elements that stay: fewer do not say what they have in common
_BARE = 0.4
_STRUCTURE = {
    "".join(f":not(:has({tag} a))" for tag in ("b", "strong", "i", "em")): 0.5,
    "".join(f":not({tag} *)" for tag in ("aside", "figure", "nav", "footer", "form", "blockquote")): 0.6,
    ":not(:has(img)):not(:has(iframe))": 0.6,
}
_CALLED = 0.6
_LEAD, _LEADING_IN = ":not(:first-of-type)", 0.7
_AT_LENGTH = 8  # words of what leads in
_NAMES = 4  # of an element that is left out, that are tried


def sifted(lens: Lens, css: str, value: Sequence[object], field: Field) -> Iterator[tuple[Read, float]]:
    """A reading that gives just as many elements as the list has, where the selector finds these and, among them under
    the same parents, a few more."""
    others = _others(lens.view.css(css), value) if _LEAST <= len(value) < lens.count(css) <= 3 * len(value) else ()
    for read, cost in _ways(lens, css, others, field) if others else ():
        texts = lens.read(read) or ()
        if len(texts) == len(value) and all(map(_are_alike, texts, value)):
            yield read, cost
            return


def _ways(lens: Lens, css: str, others: Sequence[str], field: Field) -> Iterator[tuple[Read, float]]:
    lead = {_LEAD: _LEADING_IN} if len(others[0].split()) >= _AT_LENGTH else {}
    called = dict.fromkeys(_names(lens, others, field), _CALLED)
    for local, cost in ({"": 0.0} | _STRUCTURE | lead | called).items():
        sifting = f"{css}{local}"
        if local:
            yield Read("texts", (sifting,)), cost
        yield Read("texts", (sifting,), bare=True), cost + _BARE


def _names(lens: Lens, others: Sequence[str], field: Field) -> Iterator[str]:
    """What the elements are called that are left out."""
    dom = lens.index.dom
    for text in (others[0], others[-1]):
        places = [one for one in lens.index.places_of_text(text) if one.carrier == "text" and one.whole]
        for place in places[:1]:
            called = (name for name, _ in descriptors(dom, place.owner, field) if not name.startswith("#"))
            yield from (f":not({name})" for name in [*called][:_NAMES])


def _others(elements: Sequence[Element], value: Sequence[object]) -> Sequence[str]:
    """What these elements say that the value does not, no more than there is of that; nothing where one of its own is
    missing, or where one of the others has no brother in the value."""
    left = [*reversed(value)]
    own, others = set(), []
    for element, text in ((one, text) for one in elements if (text := one.text())):
        if left and _are_alike(text, left[-1]):
            left.pop()
            own.add(element.parent)
        else:
            others.append((element.parent, text))
    apart = bool(left) or len(others) > len(value) or any(parent not in own for parent, _ in others)
    return () if apart else [text for _, text in others]


def _are_alike(text: str, one: object) -> bool:
    return loosely(text) == loosely(str(one))
