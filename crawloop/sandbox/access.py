"""Attribute access by generated code: `a.b` becomes a call of `read` but for names in RAW, `a.b = c` one of `write`.

Not the boundary (that is the process); it gives a model errors it can act on, and no way by accident from a value
to the interpreter: no module, frame or code object, no name with underscores except on the program's own classes,
no attribute walk inside a format string, on parser objects only what reads the page.
"""

from __future__ import annotations

import abc
import builtins
import collections
import datetime
import decimal
import re
import string
import types
from collections.abc import Mapping
from typing import Any

from RestrictedPython.transformer import INSPECT_ATTRIBUTES
from selectolax.lexbor import LexborAttributes, LexborHTMLParser, LexborNode, LexborSelector

from crawloop.extract.view import Element, PageView
from crawloop.sandbox import names

PROGRAM = "extractor"

_FORMATTING = frozenset(("format", "format_map"))


def _public(kind: type) -> frozenset[str]:
    return frozenset(name for name in dir(kind) if name[0] != "_") - _FORMATTING


_PARSED: dict[type, frozenset[str]] = {
    LexborHTMLParser: frozenset(names.TREE),
    LexborNode: frozenset(names.NODE),
    LexborAttributes: frozenset(names.NODE_ATTRIBUTES),
    LexborSelector: frozenset(names.SELECTOR),
}
_HARMLESS = _PARSED | {
    kind: _public(kind) for kind in (str, list, dict, set, tuple, int, float, re.Pattern, re.Match, Element, PageView)
}
NEVER_RAW = INSPECT_ATTRIBUTES | _FORMATTING | {"obj", "mro"}
"""Names that no program reads but through `read`, beside those with underscores."""

RAW = frozenset().union(*_HARMLESS.values()) - NEVER_RAW
"""Names of what texts, lists and elements have: whatever has them, `read` would keep nothing of it back."""

_MAGIC = frozenset(names.MAGIC)
_WITHHELD = (types.ModuleType, types.FrameType, types.CodeType, types.TracebackType)
_OF_TUPLES = frozenset(("_asdict", "_replace", "_fields", "_make"))
_CONTEXT = frozenset(("prec", "rounding", "Emin", "Emax", "capitals", "clamp"))
_BUILT_IN = (types.BuiltinMethodType, types.MethodDescriptorType, types.MethodWrapperType)
_SHOWN: frozenset[type] = frozenset(getattr(builtins, name) for name in names.KINDS) | {
    *(type(None), datetime.date, datetime.time, datetime.datetime, datetime.timedelta, decimal.Decimal),
    *(collections.Counter, collections.OrderedDict, collections.defaultdict, collections.deque),
}
_NAMESAKES: dict[type, type] = {}
_STEP = re.compile(r"\.([^.\[]+)|\[([^\]]+)\]")


class Facade:
    """What stands for a module: some of its names, read only."""

    __slots__ = ("_label", "_names")

    def __init__(self, label: str, names: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_label", label)
        object.__setattr__(self, "_names", dict(names))

    def __getattr__(self, name: str) -> Any:
        try:
            return self._names[name]
        except KeyError:
            raise AttributeError(f"{self._label}.{name} is not available here") from None

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{self._label} cannot be changed")

    def __contains__(self, name: str) -> bool:
        return name in self._names


def own(kind: type) -> bool:
    """True for a class that the program itself has made."""
    return bool(type.__getattribute__(kind, "__module__") == PROGRAM)


def read(thing: Any, name: str) -> Any:
    """`thing.name`. Raises AttributeError where the program must not see it."""
    kind = type(thing)
    harmless = _HARMLESS.get(kind)
    if harmless is not None and name in harmless:
        return getattr(thing, name)
    if kind is Facade and name in thing._names:
        return thing._names[name]
    if name[0] == "_":
        return _underscored(thing, kind, name)
    allowed = _PARSED.get(kind)
    if allowed is None and isinstance(thing, type):
        allowed = _PARSED.get(thing)
        if name == "mro" or (name == "register" and isinstance(thing, abc.ABCMeta)):
            raise _unavailable(thing, name)
    if name in INSPECT_ATTRIBUTES or (allowed is not None and name not in allowed):
        raise _unavailable(thing, name)
    value = getattr(thing, name)
    if isinstance(value, _WITHHELD) or (name == "obj" and isinstance(thing, BaseException)):
        raise _unavailable(thing, name)
    if name in _FORMATTING and isinstance(value, _BUILT_IN):
        return _formatting(value, name)
    return value


def read_named(thing: Any, name: str, *default: Any) -> Any:
    """The builtin `getattr`, with the same rules."""
    if type(name) is not str or not name:
        raise TypeError("attribute name must be a plain string")
    if not default:
        return read(thing, name)
    try:
        return read(thing, name)
    except AttributeError:
        return default[0]


def has(thing: Any, name: str) -> bool:
    """The builtin `hasattr`, with the same rules."""
    missing = object()
    return read_named(thing, name, missing) is not missing


def write(thing: Any, name: str) -> Any:
    """Gives `thing` back where the program may set or delete its attribute `name`; raises AttributeError."""
    kind = type(thing)
    if own(kind) or (isinstance(thing, type) and own(thing)):
        return thing
    if kind is decimal.Context and name in _CONTEXT:
        return thing
    raise AttributeError(f"{name!r} of a {kind.__name__!r} object cannot be set")


def write_named(thing: Any, name: str, value: Any) -> None:
    """The builtin `setattr`, with the same rules."""
    if type(name) is not str or name.startswith("__"):
        raise AttributeError(f"attribute {name!r} cannot be set")
    setattr(write(thing, name), name, value)


def kind_of(thing: Any) -> type:
    """The builtin `type` with one argument. Never gives a metaclass, or a type that makes functions or modules."""
    kind = type(thing)
    if issubclass(kind, type):
        raise TypeError("the type of a class is not available here")
    if own(kind) or kind in _SHOWN or issubclass(kind, BaseException):
        return kind
    return _NAMESAKES.setdefault(kind, type(kind.__name__, (), {}))


def attributes_of(thing: Any) -> dict[str, Any]:
    """The builtin `vars` for an object of the program's own classes, as a copy."""
    if not own(type(thing)):
        raise TypeError("vars() works on objects of your own classes only")
    return dict(getattr(thing, "__dict__", {}))


def _underscored(thing: Any, kind: type, name: str) -> Any:
    mine = own(kind) or (isinstance(thing, type) and own(thing))
    if name == "__class__":
        return kind_of(thing)
    if name == "__dict__":
        return attributes_of(thing)
    if name == "__name__" and isinstance(thing, (type, types.FunctionType, types.BuiltinFunctionType)):
        return str(thing.__name__)
    if name in _OF_TUPLES and issubclass(thing if isinstance(thing, type) else kind, tuple):
        return getattr(thing, name)
    if name in _MAGIC and (mine or kind is super or kind in _SHOWN):
        return getattr(thing, name)
    if mine and not name.startswith("__"):
        value = getattr(thing, name)
        if not isinstance(value, _WITHHELD):
            return value
    raise _unavailable(thing, name)


def _unavailable(thing: Any, name: str) -> AttributeError:
    label = thing.__name__ if isinstance(thing, type) else type(thing).__name__
    return AttributeError(f"attribute {name!r} of {label!r} is not available here")


class _Formatter(string.Formatter):
    """Formats as `str.format` does, but reads attributes by the rules of `read`."""

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        first = field_name[: re.search(r"[.\[]|$", field_name).start()]  # type: ignore[union-attr]
        value = self.get_value(int(first) if first.isdecimal() else first, args, kwargs)
        for step in _STEP.finditer(field_name, len(first)):
            attribute, key = step.groups()
            if attribute is not None:
                value = read_named(value, attribute)
            else:
                value = value[int(key) if key.isdecimal() else key]
        return value, first


def _walks(template: str, depth: int = 0) -> bool:
    """True where a field of the template may read an attribute."""
    for _, field, spec, _ in string.Formatter().parse(template):
        if (field and "." in field) or (spec and (depth > 2 or _walks(spec, depth + 1))):
            return True
    return False


def _formatting(method: Any, name: str) -> Any:
    """A safe twin of str.format or str.format_map, bound or not."""
    owner = getattr(method, "__self__", None)

    def format(*args: Any, **kwargs: Any) -> str:
        template, values = (owner, args) if isinstance(owner, str) else (args[0], args[1:])
        text = str.__str__(template)
        if not _walks(text):
            return getattr(str, name)(text, *values, **kwargs)  # type: ignore[no-any-return]
        if name == "format_map":
            return _Formatter().vformat(text, (), values[0])
        return _Formatter().vformat(text, values, kwargs)

    return format
