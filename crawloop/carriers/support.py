"""Whether a page carries a value, and where: the evidence for one field of one record.

A text is supported where it stands as a whole or as a part, a number, date or duration where something on the page
reads as it; a list where every element is. Enum labels and booleans that stand nowhere as such, and numbers that
stand there in another unit, are supported by a place that is named after the field.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from math import isclose
from typing import Any

from crawloop import values
from crawloop.carriers.digits import spelled
from crawloop.carriers.index import Index, Place, index
from crawloop.carriers.leaves import Leaf
from crawloop.extract.data.paths import format_path
from crawloop.extract.transforms import slug
from crawloop.extract.vocabulary.plain import shortened
from crawloop.model.kind import Field, Kind
from crawloop.model.truth import Evidence
from crawloop.values import squash

_DATES = (Kind.DATE, Kind.DATETIME)
_MOST = 3
_MARKS = ".,;:()[]|/•·*-"  # signs that part a text from the next and belong to neither
_SHORT_NAME = 3  # letters and digits of a file name that may be any file's
_SCALES = (100, 1000, 60, 3600, 0.01, 0.001, 1 / 60, 1 / 3600)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_KEY = re.compile(r"[a-z][a-z0-9]*([_-])[a-z0-9]+(?:\1[a-z0-9]+)*")
_GROUPED = re.compile(r"\d{1,3}(?:['’\s]\d{3})+(?!\d)(?:[.,]\d+)?")
_PARTS = re.compile(r"[,;|\n]"), re.compile(r"[,;|/\n&]| and ")
_SIDES = (" v. ", " vs. ", " v ", " vs ", " – ", " - ", ": ", ", ")  # what people write between two texts


def support(view: Any, value: Any, field: Field) -> tuple[Evidence, ...]:
    """Where `value` stands on the page of a PageView; empty where it stands nowhere."""
    page = index(view)
    key = repr(value), field
    if key not in page.support:
        page.support[key] = _of(page, value, field)
    return page.support[key]


def _of(page: Index, value: Any, field: Field) -> tuple[Evidence, ...]:
    if isinstance(value, list):
        single = field.single
        each = [_of_one(page, one, single) for one in value]
        return tuple(evidence[0] for evidence in each)[:_MOST] if each and all(each) else ()
    return _of_one(page, value, field)


def _of_one(page: Index, value: Any, field: Field) -> tuple[Evidence, ...]:
    if value is None or value == "":
        return ()
    if field.kind is Kind.BOOL or isinstance(value, bool):
        return _named(page, field, value) or _named(page, field)
    places = page.places(value, field)
    narrow = sorted(places, key=lambda one: len(str(page.raw(one))))
    found = list(islice((one for one in narrow if _confirms(page, one, value, field)), _MOST))
    if not found and field.kind is Kind.ENUM:
        return _named(page, field)
    if not found and isinstance(value, int | float):
        return _scaled(page, value, field)
    if not found and field.kind is Kind.URL:
        return _by_base(page, places, str(value)) or _own_address(page, str(value), field)
    if not found and isinstance(value, str):
        listed = next((parts for by in _PARTS if (parts := _by_parts(page, by.split(value)))), ())
        return listed or _by_sides(page, value) or _by_phrase(page, value, field)
    return tuple(_evidence(page, one) for one in found)


def _confirms(page: Index, place: Place, value: Any, field: Field) -> bool:
    """Whether what stands at a place, or a part of it, is the value by its kind."""
    raw = page.raw(place)
    if field.kind in (Kind.TEXT, Kind.ENUM):
        return _says(page, place, str(value))
    if values.equal(raw, value, field, base=page.base):
        return True
    if field.kind is Kind.URL:
        return not place.whole and str(value).strip().removeprefix("https:").removeprefix("http:") in str(raw)
    if not isinstance(raw, str | float) or len(str(raw)) > 200 or _is_opposite(str(raw), value, field):
        return not place.whole and any(one in str(raw) for one in spelled(str(value)) if field.kind in _DATES)
    return _reads_as(str(raw), value, field, page.base)


def _is_opposite(raw: str, value: Any, field: Field) -> bool:
    """Whether a text is just the amount with the other sign: "-64.00 EUR" is owed, and no price of 64."""
    if not isinstance(value, int | float) or not (field.kind is Kind.MONEY or values.has_currency(raw)):
        return False
    return any(isclose(reading, -value) for reading in values.number_readings(raw) if reading)


def _says(page: Index, place: Place, value: str) -> bool:
    """Whether the text at a place holds the value sign by sign, whitespace and kinds of quotes aside."""
    raw = page.raw(place)
    if place.carrier == "text" and not place.whole:
        raw = page.dom.shown(place.owner)
    there, wanted = _compact(raw), _compact(value)
    if not place.whole:
        return wanted in there
    before, found, after = there.partition(wanted)
    if found and not (before + after).strip(_MARKS):
        return True
    separator = separator_of_key(value)
    return separator is not None and slug(raw, separator) == value


def separator_of_key(value: str) -> str | None:
    """What parts the words of a text that is a key, such as "date_filed" or "new-york"; None where it is none."""
    found = _KEY.fullmatch(value)
    return found[1] if found else None


def _compact(text: Any) -> str:
    return "".join(values.fold(values.clean(text) if isinstance(text, str) else str(text)).split())


def _reads_as(raw: str, value: Any, field: Field, base: str) -> bool:
    """Whether a number in the text is the value, or a date or duration that stands after a word or in brackets."""
    if field.kind in (Kind.NUMBER, Kind.MONEY):
        return any(
            values.equal(one, value, field, base=base)
            for one in (*_NUMBER.findall(raw), *_GROUPED.findall(raw), *_rounded(raw, value))
        )
    if field.kind in _DATES:
        readings = (one for _, one in values.date_readings(raw))
        if any(values.equal(one, value, field) for one in readings):
            return True
    parts = re.split(r"[|•·()]|(?<=\w): | - ", raw)
    return any(values.equal(one.strip(), value, field, base=base) for one in parts if re.search(r"\d", one))


def _rounded(raw: str, value: Any) -> Sequence[float]:
    text = raw.strip()
    if not re.fullmatch(r"\d+\.\d{2,}", text) or not isinstance(value, float):
        return ()
    return [round(float(text), digits) for digits in (1, 2)]


def _by_sides(page: Index, value: str) -> tuple[Evidence, ...]:
    """Two texts that are wanted as one, such as the sides of a case: each stands somewhere as a whole."""
    return next((found for _, *sides in sides_of(value) if (found := _by_parts(page, sides))), ())


def sides_of(value: str) -> Iterator[tuple[str, str, str]]:
    """What may be between two texts in this one, with both: at its first and at its last place."""
    for sep in _SIDES:
        for one, found, other in dict.fromkeys((value.partition(sep), value.rpartition(sep))):
            if found and one.strip() and other.strip():
                yield sep, one, other


def _by_parts(page: Index, texts: Sequence[str]) -> tuple[Evidence, ...]:
    """A list that is wanted as one text: every part stands somewhere as a whole."""
    parts = [one.strip() for one in texts if one.strip()]
    if len(parts) < 2:
        return ()
    found = [next((one for one in page.places_of_text(part) if one.whole), None) for part in parts]
    there = [one for one in found if one is not None]
    return tuple(_evidence(page, one) for one in there[:_MOST]) if len(there) == len(parts) else ()


def _by_phrase(page: Index, value: str, field: Field) -> tuple[Evidence, ...]:
    """Fixed words around one number that stands in a place named after the field: "4 servings" for a "4"."""
    numbers = _NUMBER.findall(value)
    if len(numbers) != 1 or len(value) > 40:
        return ()
    return tuple(one for one in _named(page, field) if numbers[0] in _NUMBER.findall(one.snippet))


def _by_base(page: Index, places: Sequence[Place], value: str) -> tuple[Evidence, ...]:
    """A link that gives the value where it is joined to another address than the page's own: one of another host, or
    a relative one. On the page's own host its links mean what they say."""
    host = values.canonical_url("/", page.base) or ""
    if "://" in value and f"{values.canonical_url(value)}/".startswith(f"{host.rstrip('/')}/"):
        return ()
    links = [one for one in places if one.carrier != "text" and values.base_of(str(page.raw(one)), value)]
    names = {str(page.raw(one)).strip() for one in links}
    told = {one for one in names if "/" in one.strip("./") or len(squash(one)) > _SHORT_NAME}
    return tuple(_evidence(page, one) for one in links[:_MOST]) if told == names else ()


def _own_address(page: Index, value: str, field: Field) -> tuple[Evidence, ...]:
    if values.equal(page.url, value, field, base=page.base):
        return (Evidence("address", "page.url", page.url),)
    return ()


def _scaled(page: Index, value: float, field: Field) -> tuple[Evidence, ...]:
    """JSON numbers under the field's name that are the value in another unit: cents, thousands, seconds, hours."""
    found: list[Evidence] = []
    for place, leaf in enumerate(page.leaves.all):
        keys = [one for one in leaf.steps if isinstance(one, str)]
        number = _number_in(leaf) if keys and squash(field.name) in squash(keys[-1]) else None
        if value and number and any(isclose(number, value * scale, rel_tol=1e-9) for scale in _SCALES):
            found.append(_evidence(page, Place("json", place)))
    return tuple(found[:_MOST])


def _number_in(leaf: Leaf) -> float | None:
    number = values.parse_number(leaf.value, strict=True) if isinstance(leaf.value, str) else leaf.value
    return None if isinstance(number, bool) or not isinstance(number, int | float) else number


def _named(page: Index, field: Field, value: Any = None) -> tuple[Evidence, ...]:
    """JSON leaves whose key is the field's name or means the same; with `value` only those that hold just it."""
    wanted = squash(field.name)
    found = []
    for number, leaf in enumerate(page.leaves.all):
        keys = [one for one in leaf.steps if isinstance(one, str)]
        if keys and (value is None or leaf.value is value) and _alike(wanted, squash(keys[-1])):
            found.append(_evidence(page, Place("json", number)))
            if len(found) == _MOST:
                break
    return tuple(found)


def _alike(wanted: str, key: str) -> bool:
    return key == wanted or (len(wanted) > 3 and key.endswith((wanted, wanted.rstrip("s"))))


def _evidence(page: Index, place: Place) -> Evidence:
    snippet = shortened(str(page.raw(place)))
    if place.carrier == "json":
        leaf = page.leaf(place)
        return Evidence("json", format_path(leaf.island, leaf.steps), snippet)
    path = _trail(page, place.owner)
    if place.carrier == "attribute":
        meta = page.dom.tags[place.owner] == "meta"
        return Evidence("meta" if meta else "attribute", f"{path} @{place.name}", snippet)
    return Evidence("text", path, snippet)


def _trail(page: Index, number: int) -> str:
    """The element's place: the last few tags that lead to it, from the nearest id."""
    dom, parts = page.dom, []
    for one in [number, *dom.ancestors(number)[:4]]:
        own = dom.attributes[one].get("id")
        parts.append(f"#{own}" if own else dom.tags[one])
        if own:
            break
    return " > ".join(reversed(parts))
