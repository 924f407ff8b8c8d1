"""The profile of a field: what its values have looked like, as plain JSON that a version keeps.

    {"count": 12, "fill": 1.0, "distinct": 0.92, "odd": 0.0, "length": [8, 40], …}

`odd` is the share of values that are not of the kind. Pairs are the least and the most that was seen; sizes of numbers
are powers of ten. What each kind adds is named by the function that measures it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from crawloop.model.kind import Field, Kind
from crawloop.values.compare import is_blank, normalise
from crawloop.values.text import fold, has_markup

_MOST_NAMES = 12
_SMALLEST = -2.0
_CODE = re.compile(r"\{\{.*\}\}|<%.*%>|\bfunction\s*\(.*\)\s*\{|\A\s*[\[{]\s*[\"{\[]", re.DOTALL)
_ENUMERATION = re.compile(r"\s*1[.)](?=\D).{3,2000}?(?<!\d)2[.)](?=\D).{3}", re.DOTALL)
_NOTHING = re.compile(r"null|nan|undefined|\[object object\]|(?:loading|please wait)\W*")


def profile(values: Iterable[Any], field: Field) -> dict[str, Any]:
    """The profile of a field's values, one a record; None or "" for a record without one."""
    rows = list(values)
    filled = [value for value in rows if not is_blank(value)]
    items = [item for value in filled for item in (value if isinstance(value, list) else [value])]
    forms = [form for item in items if (form := single(item, field)) is not None]
    seen: dict[str, Any] = {
        "count": len(rows),
        "fill": _share(len(filled), len(rows)),
        "distinct": _share(len({_key(value) for value in filled}), len(filled)),
        "odd": _share(len(items) - len(forms), len(items)),
    }
    if field.many:
        seen["items"] = _span([len(value) if isinstance(value, list) else 1 for value in filled])
    if forms:
        seen |= _MEASURES[field.kind](forms, items)
    return seen


def single(item: Any, field: Field) -> Any:
    """The comparable form of one element of a field."""
    if isinstance(item, list | dict):
        return None
    form = normalise([item] if field.many else item, field)
    return form[0] if field.many and form else form


def looks_like_code(text: str) -> bool:
    """Whether a text holds HTML, a template's placeholder, JSON or a script, or is only "undefined" or "Loading…"."""
    return has_markup(text) or bool(_CODE.search(text)) or _NOTHING.fullmatch(fold(text)) is not None


def is_capitals(text: str) -> bool:
    """Whether all letters of a text are capitals, and more than two."""
    return text.isupper() and sum(map(str.isalpha, text)) > 2


def is_enumeration(text: str) -> bool:
    """Whether a text is a list of its own, numbered from 1."""
    return _ENUMERATION.match(text) is not None


def digits_in(text: str) -> float:
    """The share of digits among letters and digits."""
    digits = sum(c.isdigit() for c in text)
    return _share(digits, digits + sum(c.isalpha() for c in text))


def size_of(number: float) -> float:
    """The power of ten of a number other than 0; small ones count as hundredths."""
    return round(max(math.log10(abs(number)), _SMALLEST), 4)


def decimals_of(number: float) -> int:
    """How many decimals a number has."""
    return len(str(number).partition(".")[2].rstrip("0")) if isinstance(number, float) else 0


def link_parts(link: str) -> tuple[str, str, int, str]:
    """Host, first step of the path, number of steps, and ending of a canonical URL."""
    host, _, path = link.removeprefix("//").partition("/") if link.startswith("//") else ("", "", link.lstrip("/"))
    path = path.partition("?")[0]
    steps = path.split("/") if path else []
    stem, dot, ending = steps[-1].rpartition(".") if steps else ("", "", "")
    return (
        host,
        steps[0] if len(steps) > 1 else "",
        len(steps),
        ending.lower() if dot and stem and len(ending) < 6 else "",
    )


def _key(value: Any) -> str:
    return fold("\n".join(map(str, value)) if isinstance(value, list) else str(value))


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def _span(sizes: Sequence[Any]) -> list[Any]:
    return [min(sizes), max(sizes)] if sizes else [0, 0]


def _names(names: Iterable[Any]) -> list[Any] | None:
    """The distinct names, or None where they are too many to mean anything."""
    distinct = sorted(set(names))
    return distinct if len(distinct) <= _MOST_NAMES else None


def _text(forms: list[str], items: list[Any]) -> dict[str, Any]:
    """length in characters, the share of digits, whether code, words in capitals or whole lists were among them."""
    return {
        "length": _span([len(form) for form in forms]),
        "digits": _span([digits_in(form) for form in forms]),
        "code": any(looks_like_code(str(item)) for item in items),
        "capitals": any(is_capitals(str(item)) for item in items),
        "lists": any(is_enumeration(str(item)) for item in items),
    }


def _number(forms: list[float], items: list[Any]) -> dict[str, Any]:
    """size (None where all are 0), negative, the most decimals."""
    sizes = [size_of(form) for form in forms if form]
    return {
        "size": _span(sizes) if sizes else None,
        "negative": any(form < 0 for form in forms),
        "decimals": max(map(decimals_of, forms), default=0),
    }


def _date(forms: list[str], items: list[Any]) -> dict[str, Any]:
    """days, and the share that has a time."""
    return {"days": _span([form[:10] for form in forms]), "times": _share(sum(len(f) > 10 for f in forms), len(forms))}


def _url(forms: list[str], items: list[Any]) -> dict[str, Any]:
    """hosts, first path steps and endings (None where there are many), depth."""
    hosts, heads, depths, endings = zip(*map(link_parts, forms), strict=True)
    return {"hosts": _names(hosts), "heads": _names(heads), "depth": _span(depths), "endings": _names(endings)}


def _label(forms: list[Any], items: list[Any]) -> dict[str, Any]:
    """the labels that were seen."""
    return {"labels": _names(forms)}


_MEASURES: dict[Kind, Callable[[list[Any], list[Any]], dict[str, Any]]] = {
    Kind.TEXT: _text,
    Kind.NUMBER: _number,
    Kind.MONEY: _number,
    Kind.DURATION: _number,
    Kind.DATE: _date,
    Kind.DATETIME: _date,
    Kind.URL: _url,
    Kind.BOOL: _label,
    Kind.ENUM: _label,
}
