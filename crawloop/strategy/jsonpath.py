"""JSONPath, which models know, as our own paths, which programs run.

$["__NEXT_DATA__"].props.items[0].price   →   __NEXT_DATA__.props.items[0].price
$["@Recipe"].author[?(@.role == "chef")]  →   @Recipe.author[?role="chef"]
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from crawloop.extract.data.paths import EVERY, Descend, Step, Where, format_path, parse


def converted(text: str, *, relative: bool = False) -> str:
    """The path in our form; a `relative` one starts at a row instead of at an island.

    Raises ValueError for what is no JSONPath, and for what our paths cannot say (slices, unions, functions).
    """
    text = text.strip()
    if text.startswith(("@", "#")) and not text.startswith("@."):
        parse(text)
        return text
    steps = list(_steps(_parsed(text.replace("@.", "$.", 1) if text.startswith("@.") else text)))
    if relative:
        return format_path("", steps)
    if not steps or not isinstance(steps[0], str):
        raise ValueError(f"{text} does not begin with the name of an island")
    path = format_path(steps[0], steps[1:])
    parse(path)
    return path


def _parsed(text: str) -> Any:
    from jsonpath_ng.exceptions import JSONPathError
    from jsonpath_ng.ext.parser import parse as parse_jsonpath

    try:
        return parse_jsonpath(text)
    except (JSONPathError, RecursionError) as error:
        raise ValueError(f"{text} is no JSONPath: {error}") from error
    except Exception as error:  # its lexer raises bare exceptions
        raise ValueError(f"{text} is no JSONPath: {type(error).__name__}") from error


def _steps(node: Any) -> Iterator[Step]:
    """The steps of a parsed JSONPath, by the names of its node classes."""
    kind = type(node).__name__
    if kind in ("Root", "This"):
        return
    if kind == "Child":
        yield from _steps(node.left)
        yield from _steps(node.right)
    elif kind == "Descendants":
        yield from _steps(node.left)
        yield Descend(_only(node.right.fields, node)) if type(node.right).__name__ == "Fields" else _unsaid(node)
    elif kind == "Fields":
        field = _only(node.fields, node)
        yield EVERY if field == "*" else field
    elif kind == "Index":
        yield int(_only(node.indices, node))
    elif kind == "Wildcard" or (kind == "Slice" and node.start is node.end is node.step is None):
        yield EVERY
    elif kind == "Filter":
        yield _where(_only(node.expressions, node), node)
    else:
        _unsaid(node)


def _where(expression: Any, node: Any) -> Where:
    target = [step for step in _steps(expression.target) if isinstance(step, str)]
    if expression.op not in ("==", "=") or len(target) != 1:
        _unsaid(node)
    value = expression.value
    return Where(target[0], value if isinstance(value, str) else json.dumps(value))


def _only(parts: Any, node: Any) -> Any:
    return parts[0] if len(parts) == 1 else _unsaid(node)


def _unsaid(node: Any) -> Any:
    raise ValueError(f"{node} cannot be said as a path: use keys, one index, [*], ..key or [?(@.key == value)]")
