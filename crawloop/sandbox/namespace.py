"""What a generated program finds when it starts: builtins, importable façades, the transforms. Fresh for each page."""

from __future__ import annotations

import builtins
import decimal
import sys
import types
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from crawloop.extract import transforms
from crawloop.extract.view import Element, JsonNode, PageView
from crawloop.sandbox import access, names
from crawloop.sandbox.access import PROGRAM, Facade
from crawloop.sandbox.facades import facades

READ = "<read>"
WRITE = "<write>"

_SEALED = (LexborHTMLParser, LexborNode, Element, PageView, JsonNode, Facade)
FACADES = facades()
_EMPTY = Facade("module", {})


def _print(*values: Any, **options: Any) -> None:
    """Programs print while they are being written; nobody reads it here."""


def _import(name: str, globals: Any = None, locals: Any = None, fromlist: Any = None, level: int = 0) -> Facade:
    """Import statements were checked before; C code that imports for itself takes no notice of the answer."""
    if name not in FACADES:
        return _EMPTY
    return FACADES[name] if fromlist else FACADES[name.partition(".")[0]]


def _build_class(body: Any, name: str, *bases: Any, **options: Any) -> Any:
    if any(isinstance(base, type) and (issubclass(base, type) or issubclass(base, _SEALED)) for base in bases):
        raise TypeError(f"class {name!r} cannot derive from that")
    if not options.keys() <= {"total"}:
        raise TypeError("keyword arguments of a class are not available here")
    return builtins.__build_class__(body, name, *bases, **options)


def _builtins() -> dict[str, Any]:
    table = {name: getattr(builtins, name) for name in names.BUILTINS}
    for name, value in vars(builtins).items():
        if isinstance(value, type) and issubclass(value, BaseException) and not issubclass(value, BaseExceptionGroup):
            table[name] = value
    table |= {"getattr": access.read_named, "hasattr": access.has, "setattr": access.write_named}
    table |= {"type": access.kind_of, "vars": access.attributes_of, "print": _print}
    table |= {"__import__": _import, "__build_class__": _build_class, READ: access.read, WRITE: access.write}
    return table


BUILTINS = _builtins()
_GLOBALS: dict[str, Any] = {"PageView": PageView, "Element": Element}
_GLOBALS |= {name: getattr(transforms, name) for name in transforms.__all__}


def fresh() -> dict[str, Any]:
    """A new namespace. It is a module's, under the name that classes of the program carry, as dataclasses need it."""
    decimal.setcontext(decimal.Context(prec=28, rounding=decimal.ROUND_HALF_EVEN))
    module = types.ModuleType(PROGRAM)
    sys.modules[PROGRAM] = module
    space = module.__dict__
    space.update(_GLOBALS)
    space["__builtins__"] = dict(BUILTINS)
    return space
