"""Paths into the JSON of a page: `@Recipe.author.name`, `__NEXT_DATA__.props["odd key"][0]`, `#Product.offers.price`.

    root    @Type (ld+json by type)   #Type (microdata by type)   or the name of an island, dots included
    steps   .key   ["any key"]   [3]   [-1]   [*]   [?key="value"]   ..key (the nearest below that has it)

One-or-many: a key on a list reads its elements, [0] and [-1] on a single value give that value. String-or-object:
.name, .url, .text, ["@value"] and ["@id"] on a plain string give the string. A string that holds JSON is opened.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any

from crawloop.extract.vocabulary.plain import flat

_ON_STRINGS = frozenset(("name", "url", "text", "@value", "@id"))
_BARE = re.compile(r"[A-Za-z_$][\w$-]*\Z", re.A)
_TEXT = r"\"(?:[^\"\\]|\\.)*\""
_STEP = re.compile(
    rf"""\.\.(?P<descend>[\w$@:-]+|\[(?P<descend_quoted>{_TEXT})\])
       | \.(?P<key>[\w$@:-]+)
       | \[(?P<quoted>{_TEXT})\]
       | \[(?P<index>-?\d{{1,9}})\]
       | (?P<every>\[\*\])
       | \[\?(?P<where>[\w$@:-]+|{_TEXT})=(?P<value>{_TEXT}|-?[\d.]+|true|false)\]""",
    re.X,
)
_ROOT = re.compile(rf"(?P<mark>[@#])(?:(?P<type>[\w-]+)|\[(?P<type_quoted>{_TEXT})\])|(?P<name>[\w$:-][\w$@:-]*)")
_NODES = 20_000


@dataclass(frozen=True, slots=True)
class Every:
    """`[*]`: each element of a list."""


@dataclass(frozen=True, slots=True)
class Where:
    """`[?key="value"]`: the elements of a list whose scalar `key` is `value`."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Descend:
    """`..key`: the values of `key` in the nearest objects below that have it."""

    key: str


Step = str | int | Every | Where | Descend
EVERY = Every()
Resolve = Callable[[dict[str, Any], str], Any]


@dataclass(frozen=True, slots=True)
class Path:
    """`root` is "@Type", "#Type" or "" where the first steps name an island (or where a row is read)."""

    root: str
    steps: tuple[Step, ...]


@lru_cache(maxsize=4096)
def parse(path: str) -> Path:
    """The compiled path. Raises ValueError, which says where it stops making sense."""
    root, steps, at = "", [], 0
    first = _ROOT.match(path)
    if first is not None:
        at = first.end()
        if first["mark"]:
            root = first["mark"] + (first["type"] or json.loads(first["type_quoted"]))
        else:
            steps.append(first["name"])
    while at < len(path):
        step = _STEP.match(path, at)
        if step is None:
            raise ValueError(f"not a JSON path: {path!r} makes no sense from {path[at : at + 20]!r} on")
        steps.append(_step(step))
        at = step.end()
    return Path(root, tuple(steps))


def _step(found: re.Match[str]) -> Step:
    if found["descend"]:
        return Descend(json.loads(found["descend_quoted"]) if found["descend_quoted"] else found["descend"])
    if found["key"]:
        return found["key"]
    if found["quoted"]:
        return str(json.loads(found["quoted"]))
    if found["index"]:
        return int(found["index"])
    if found["every"]:
        return EVERY
    key, value = found["where"], found["value"]
    return Where(json.loads(key) if key.startswith('"') else key, json.loads(value) if value.startswith('"') else value)


def format_path(island: str, steps: Sequence[Step]) -> str:
    """The path as text, which `parse` reads back. `island` is "@Type", "#Type", an island's name, or "" for a row."""
    if island[:1] in ("@", "#"):
        name = island[1:]
        head = island if re.fullmatch(r"[\w-]+", name) else f"{island[0]}[{_quoted(name)}]"
    elif re.fullmatch(r"json\[\d+\]", island) or all(_BARE.match(part) for part in island.split(".")):
        head = island
    else:
        head = f"[{_quoted(island)}]" if island else ""
    text = head + "".join(map(_format_step, steps))
    return text[1:] if not head and text.startswith(".") and not text.startswith("..") else text


@lru_cache(maxsize=1024)
def _format_step(step: Step) -> str:
    if isinstance(step, str):
        return f".{step}" if _BARE.match(step) else f"[{_quoted(step)}]"
    if isinstance(step, int):
        return f"[{step}]"
    if isinstance(step, Where):
        key = step.key if _BARE.match(step.key) else _quoted(step.key)
        return f"[?{key}={_quoted(step.value)}]"
    if isinstance(step, Descend):
        return f"..{step.key}" if _BARE.match(step.key) else f"..[{_quoted(step.key)}]"
    return "[*]"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def present(value: Any) -> bool:
    """Whether a JSON value says something: not null, not blank, not an empty list or object."""
    if isinstance(value, str):
        return bool(value) and not value.isspace()
    return value is not None and value != [] and value != {}


def values(value: Any, steps: Sequence[Step], resolve: Resolve | None = None) -> Iterable[Any]:
    """Every present value that `steps` reach from `value`, in document order; as a tuple where they do not branch.

    `resolve(object, key)` is asked for a key that an object lacks, and answers None where it knows nothing of it.
    """
    for at, step in enumerate(steps):
        if isinstance(value, str) and value.startswith(("{", "[")):
            value = _opened(value)
        if isinstance(step, str):
            if isinstance(value, dict):
                value = value[step] if step in value else resolve(value, step) if resolve else None
                continue
            if isinstance(value, str) and step in _ON_STRINGS:
                continue
            if value is None:
                return ()
        elif isinstance(step, int):
            if not isinstance(value, list):
                if step in (0, -1):
                    continue
                return ()
            if not -len(value) <= step < len(value):
                return ()
            value = value[step]
            continue
        rest = steps[at if isinstance(step, str) else at + 1 :]
        return chain.from_iterable(values(one, rest, resolve) for one in _branch(value, step))
    return (value,) if present(value) else ()


@lru_cache(maxsize=32)
def _opened(text: str) -> Any:
    """What a text holds that is JSON itself; else the text."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return text


def _branch(value: Any, step: Step) -> Iterator[Any]:
    """The values among which `step` lets the walk go on."""
    if isinstance(step, Descend):
        yield from _below(value, step.key)
    elif isinstance(value, list):
        if isinstance(step, str):
            yield from flat(value)
        else:
            yield from (one for one in value if not isinstance(step, Where) or _holds(one, step))
    elif isinstance(step, Every) or (isinstance(step, Where) and _holds(value, step)):
        yield value


def _holds(value: Any, where: Where) -> bool:
    if not isinstance(value, dict):
        return False
    have = value.get(where.key)
    if isinstance(have, bool):
        return where.value == ("true" if have else "false")
    return isinstance(have, str | int | float) and str(have) == where.value


def _below(value: Any, key: str) -> Iterator[Any]:
    """Depth first; an object that has the key is not searched further. Bounded by `_NODES` objects and lists."""
    stack, left = [value], _NODES
    while stack and left:
        one = stack.pop()
        left -= 1
        if isinstance(one, dict):
            if present(one.get(key)):
                yield one[key]
            else:
                stack.extend(v for v in reversed(one.values()) if isinstance(v, (dict, list)))
        elif isinstance(one, list):
            stack.extend(v for v in reversed(one) if isinstance(v, (dict, list)))
