"""The modules that generated programs may import, each as a façade of names that read and compute, nothing else.

Models write imports whatever they are told; an import of anything else is refused with the list of these.
A module object is never handed out: many lead to `sys` or `os` without a single underscore.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import types
from collections.abc import Callable
from typing import Any

from crawloop.sandbox.access import PROGRAM, Facade, own, read_named
from crawloop.sandbox.names import MODULES
from crawloop.values import urljoin


def _wraps(wrapped: Any) -> Callable[[Any], Any]:
    """functools.wraps without its attribute lists, which reach any object."""

    def decorate(wrapper: Any) -> Any:
        if isinstance(wrapper, types.FunctionType) and wrapper.__module__ == PROGRAM:
            wrapper.__name__ = read_named(wrapped, "__name__", "wrapper")
        return wrapper

    return decorate


def _dataclass(kind: Any = None, /, **options: Any) -> Any:
    """dataclasses.dataclass for the program's own classes. It makes source from field names, which must be names."""

    def decorate(kind: Any) -> Any:
        fields = getattr(_own(kind), "__annotations__", {})
        if not all(type(name) is str and name.isidentifier() and name[:2] != "__" for name in fields):
            raise TypeError("the fields of a dataclass must be named by identifiers")
        return dataclasses.dataclass(**options)(kind)

    return decorate if kind is None else decorate(kind)


def _own(kind: Any) -> type:
    if not isinstance(kind, type) or not own(kind):
        raise TypeError("only a class of your own can be decorated")
    return kind


def _attrgetter(*names: str) -> Callable[[Any], Any]:
    """operator.attrgetter by the rules of generated code."""

    def follow(thing: Any, name: str) -> Any:
        for step in name.split("."):
            thing = read_named(thing, step)
        return thing

    return lambda thing: follow(thing, names[0]) if len(names) == 1 else tuple(follow(thing, name) for name in names)


def facades() -> dict[str, Facade]:
    """Every module that may be imported, by its full name; `urllib.parse` is also `parse` of `urllib`."""
    tables = {name: _names(name, chosen) for name, chosen in MODULES.items()}
    tables["dataclasses"]["dataclass"] = _dataclass
    tables["functools"]["total_ordering"] = lambda kind: functools.total_ordering(_own(kind))
    tables["functools"]["wraps"] = _wraps
    tables["operator"]["attrgetter"] = _attrgetter
    tables["urllib.parse"]["urljoin"] = urljoin
    lexbor = tables["selectolax.lexbor"]
    tables["selectolax.parser"] = {"HTMLParser": lexbor["LexborHTMLParser"], "Node": lexbor["LexborNode"]}
    made: dict[str, Facade] = {}
    for name in sorted(_with_parents(tables), key=lambda name: -name.count(".")):
        parent, _, child = name.rpartition(".")
        made[name] = Facade(name, tables.get(name, {}))
        if parent:
            tables.setdefault(parent, {})[child] = made[name]
    return made


def _names(module_name: str, chosen: tuple[str, ...]) -> dict[str, Any]:
    module = importlib.import_module(module_name)
    public = chosen or getattr(module, "__all__", None) or [name for name in dir(module) if name[0] != "_"]
    found = {name: getattr(module, name) for name in public if hasattr(module, name)}
    return {name: value for name, value in found.items() if not isinstance(value, types.ModuleType)}


def _with_parents(names: dict[str, Any]) -> set[str]:
    return {name.rsplit(".", depth)[0] for name in names for depth in range(name.count(".") + 1)}
