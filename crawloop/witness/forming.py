"""Values of markup in the form that a field asks for: its kind, its unit, one or many. None where that is a guess."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from crawloop.extract.view import PageView
from crawloop.model.kind import Field, Kind
from crawloop.values import clean, equal, normalise
from crawloop.witness.vocabulary import words

_SPEAKS = ("@value", "text", "name", "url", "contentUrl")
_IN_STOCK = frozenset(("instock", "instoreonly", "limitedavailability", "onlineonly", "presale", "preorder"))
_NOT_IN_STOCK = frozenset(("outofstock", "soldout", "discontinued"))
_TOPICS = (("keyword",), ("tag",), ("topic",))
_SEPARATOR = re.compile(r"\s*[,;]\s*")
_SEVERAL = re.compile(r"[,;|•\n]|[.!?]\s+\S")
_SHOWN_DECIMALS = 2
_CUT = ("…", "...")


class _Unclear(Exception):
    """The markup can be read in more ways than one."""


def formed(values: list[Any], field: Field, view: PageView) -> Any:
    """The field's value out of what one description says, in the field's form; None where it has none for sure."""
    try:
        scalars = list(_scalars(values))
        if field.many:
            return _listed([_one(value, field, view) for value in _parted(scalars, field)])
        found = [_one(value, field, view) for value in scalars]
    except _Unclear:
        return None
    same = all(equal(found[0], value, field, base=view.url) for value in found[1:])
    return found[0] if found and same else None


def _scalars(values: list[Any]) -> Iterator[Any]:
    """The plain values, and those of objects by what they say of themselves."""
    for value in values:
        if isinstance(value, dict):
            yield _said(value)
        elif isinstance(value, list):
            yield from _scalars(value)
        else:
            yield value


def _said(value: dict[str, Any]) -> Any:
    """The one text of an object. Sections, and steps with a heading of their own, can be read with or without it."""
    said = [value[key] for key in _SPEAKS if isinstance(value.get(key), str | int | float)]
    heading, text = value.get("name"), value.get("text")
    if not said or "itemListElement" in value:
        raise _Unclear
    if isinstance(heading, str) and isinstance(text, str) and not clean(text).startswith(clean(heading).rstrip(".… ")):
        raise _Unclear
    return said[0]


def _parted(scalars: list[Any], field: Field) -> list[Any]:
    """The elements of a list. A single text may be a whole list: keywords are split, of others nobody knows."""
    if len(scalars) != 1 or not isinstance(scalars[0], str) or field.kind is not Kind.TEXT:
        return scalars
    if words(field.name)[-1:] in _TOPICS:
        return [part for part in _SEPARATOR.split(scalars[0].strip()) if part]
    if _SEVERAL.search(scalars[0].strip()):
        raise _Unclear
    return scalars


def _listed(elements: list[Any]) -> list[Any] | None:
    """A list as it is. One that holds headings, or says everything twice, can be read in more ways than one."""
    half = len(elements) // 2
    if half > 1 and elements[:half] == elements[half:]:
        raise _Unclear
    texts = [one for one in elements if isinstance(one, str)]
    shouted = [one for one in texts if one.isupper()]
    if 0 < len(shouted) < len(texts) / 2 or any(one.endswith(":") or "((" in one for one in texts):
        raise _Unclear
    return elements or None


def _one(value: Any, field: Field, view: PageView) -> Any:
    """One value in the form of the field's kind. Raises _Unclear where it has none."""
    if field.kind is Kind.TEXT:
        found: Any = _text(value)
    elif field.kind is Kind.URL:
        found = view.absolute(value) if isinstance(value, str) else None
    elif field.kind is Kind.BOOL:
        found = _bool(value)
    else:
        found = normalise(value, field, base=view.url)
    if found is None or _is_computed(found):
        raise _Unclear
    return found


def _text(value: Any) -> str | None:
    """Text without markup. A bare number is no text: pages write a unit or a word beside it. Nor is one that is cut."""
    if not isinstance(value, str) or value.strip().isdigit() or re.match(r"https?://schema\.org/", value):
        return None
    text = clean(value)
    return None if not text or text.startswith(_CUT) or text.endswith(_CUT) else text


def _is_computed(value: Any) -> bool:
    """Whether a number has more decimals than pages show: a mean that readers see rounded."""
    return isinstance(value, float) and round(value, _SHOWN_DECIMALS) != value


def _bool(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    name = re.sub(r"[\W_]+", "", str(value).rstrip("/").rpartition("/")[2].casefold())
    if name in _IN_STOCK or name == "true":
        return True
    return False if name in _NOT_IN_STOCK or name == "false" else None
