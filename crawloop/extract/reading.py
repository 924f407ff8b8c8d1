"""One reading of a page as data: an expression over the methods of PageView and the transforms.

    Read("json", ("@Recipe.totalTime",))            page.json("@Recipe.totalTime")
    Apply("duration", (Read(...),))                 duration(page.json("@Recipe.totalTime"))
    Several((Read(...), Read(...)))                 [page.text("h1"), page.text("h2")]

`evaluate` calls what `printed` prints, so a plan and its program always agree.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from crawloop.extract import transforms

_TRANSFORMS: dict[str, Callable[..., Any]] = {name: getattr(transforms, name) for name in transforms.__all__}
_SURROGATE = re.compile("[\ud800-\udfff]")
KEYWORDS = ("alone", "plain", "alike", "bare", "glued", "blank")


@dataclass(frozen=True, slots=True)
class Table:
    """A map from texts to plain values, as an argument of a transform: `labels(v, {"In stock": "yes"})`."""

    pairs: tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Literal:
    """A value that stands in the program itself: None, bool, number, text."""

    value: Any


@dataclass(frozen=True, slots=True)
class Read:
    """A method (or, with `args` None, an attribute) of the page, or of the row where rows are read.

    `args` are texts or numbers. `of` is "row" or "page"; on a detail page both are the page. One that stands `alone`
    gives None where several matches say different things, instead of the first; a `plain` one nothing where its words
    are of several sorts, such as a text with a link in it, or a list one of whose elements is a link as a whole; one of
    elements that are `alike` nothing where they have not all the same name and classes. A `bare` one leaves out
    elements without a word outside links, headings and emphasis; a `glued` one puts nothing where lines break; a
    `blank` one gives "" where its label has an empty place beside it.
    """

    method: str
    args: tuple[Any, ...] | None = ()
    of: str = "row"
    alone: bool = False
    plain: bool = False
    alike: bool = False
    bare: bool = False
    glued: bool = False
    blank: bool = False

    @property
    def demands(self) -> dict[str, bool]:
        """What the reading demands of its matches, and how it reads them, by keyword."""
        if not (self.alone or self.plain or self.alike or self.bare or self.glued or self.blank):
            return {}
        return {name: True for name in KEYWORDS if getattr(self, name)}


@dataclass(frozen=True, slots=True)
class Apply:
    """A transform on the values of `to`, then literal `args` and `named` ones: plain values, tuples, Tables."""

    transform: str
    to: tuple[Expression, ...]
    args: tuple[Any, ...] = ()
    named: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Several:
    """A list of readings."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Absolute:
    """A link, or a list of links, joined to the page's base."""

    link: Expression


Expression = Literal | Read | Apply | Several | Absolute
Around = Apply | Absolute


def evaluate(expression: Expression, row: Any, page: Any) -> Any:
    """The value of `expression` on a row of a page; on a detail page `row` is the page itself."""
    match expression:
        case Read():
            member = getattr(page if expression.of == "page" else row, expression.method)
            return member if expression.args is None else member(*expression.args, **expression.demands)
        case Apply(name, to, args, named):
            needed = _always_made(expression)
            values = [evaluate(one, row, page) for one in to[:needed]]
            values += [partial(evaluate, one, row, page) for one in to[needed:]]
            return transform(name)(*values, *map(_thaw, args), **{key: _thaw(value) for key, value in named})
        case Several(items):
            return [evaluate(one, row, page) for one in items]
        case Absolute(link):
            return page.absolute(evaluate(link, row, page))
        case Literal(value):
            return value


def _always_made(expression: Apply) -> int:
    """How many of its readings a transform always needs: the others stand behind a `lambda:`, as they cost time."""
    number = len(expression.to)
    match expression.transform:
        case "first":
            return 1
        case "agreed":
            return number // 2 + 1
        case "enough":
            least: int = dict(expression.named)["least"]
            return min(least, number - least + 1)
    return number


def transform(name: str) -> Callable[..., Any]:
    """The transform of that name. Raises KeyError where there is none."""
    return _TRANSFORMS[name]


def printed(expression: Expression, row: str = "page", indent: int = 0, room: int = 100) -> str:
    """The expression as Python, broken over lines where it is longer than `room` at that indent."""
    flat = _flat(expression, row)
    if len(flat) + indent <= room or not isinstance(expression, Apply | Several | Absolute):
        return flat
    if isinstance(expression, Absolute):
        return f"page.absolute({printed(expression.link, row, indent, room)})"
    inner, outer = " " * (indent + 4), " " * indent
    parts = expression.to if isinstance(expression, Apply) else expression.items
    lines = [printed(one, row, indent + 4, room) for one in parts]
    if isinstance(expression, Apply):
        lines = _deferred(expression, lines)
        lines += [literal(one) for one in expression.args]
        lines += [f"{key}={literal(value)}" for key, value in expression.named]
    body = "".join(f"{inner}{line},\n" for line in lines)
    left, right = (f"{expression.transform}(", ")") if isinstance(expression, Apply) else ("[", "]")
    return f"{left}\n{body}{outer}{right}"


def _flat(expression: Expression, row: str) -> str:
    match expression:
        case Read(method, args, of):
            given = [*map(literal, args or ()), *(f"{name}=True" for name in expression.demands)]
            return f"{'page' if of == 'page' else row}.{method}" + ("" if args is None else f"({', '.join(given)})")
        case Apply(name, to, args, named):
            parts = _deferred(expression, [_flat(one, row) for one in to]) + [literal(one) for one in args]
            return f"{name}({', '.join(parts + [f'{key}={literal(value)}' for key, value in named])})"
        case Several(items):
            return f"[{', '.join(_flat(one, row) for one in items)}]"
        case Absolute(link):
            return f"page.absolute({_flat(link, row)})"
        case Literal(value):
            return literal(value)


def _deferred(expression: Apply, readings: list[str]) -> list[str]:
    needed = _always_made(expression)
    return readings[:needed] + [f"lambda: {one}" for one in readings[needed:]]


def literal(value: Any) -> str:
    """A plain value as Python source, texts in the quotes that need no escapes."""
    if isinstance(value, str):
        body = json.dumps(value, ensure_ascii=False)[1:-1]
        body = _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", body.replace("\x7f", "\\x7f"))
        if '"' in value and "'" not in value:
            return "'" + body.replace('\\"', '"') + "'"
        return f'"{body}"'
    if isinstance(value, tuple):
        return f"[{', '.join(literal(one) for one in value)}]"
    if isinstance(value, Table):
        return "{" + ", ".join(f"{literal(key)}: {literal(one)}" for key, one in value.pairs) + "}"
    return repr(value)


def _thaw(value: Any) -> Any:
    """Frozen arguments as the lists and dicts that their source says."""
    if isinstance(value, Table):
        return {key: _thaw(one) for key, one in value.pairs}
    return [_thaw(one) for one in value] if isinstance(value, tuple) else value


def steps(expression: Expression) -> Iterator[Apply]:
    """The transforms around a reading, the outermost first."""
    while isinstance(expression, Around):
        if isinstance(expression, Apply):
            yield expression
        expression = expression.to[0] if isinstance(expression, Apply) else expression.link


def innermost(expression: Expression) -> Expression:
    """The reading under the transforms."""
    while isinstance(expression, Around):
        expression = expression.to[0] if isinstance(expression, Apply) else expression.link
    return expression


def json_path(read: Expression) -> str | None:
    """The path that a reading of JSON follows."""
    if not isinstance(read, Read) or not read.method.startswith("json") or not read.args:
        return None
    return str(read.args[0])


def json_keys(read: Expression) -> list[str]:
    """The keys on the path of a JSON reading, without its root, positions and conditions."""
    path = json_path(read) or ""
    return re.findall(r"[\w$-]+", re.sub(r"^[@#][\w-]+|\[\*\]|\[-?\d+\]|\[\?[^\]]*\]", "", path))
