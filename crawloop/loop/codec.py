"""Frozen dataclasses as plain JSON and back, by their annotations.

Pages are stored once: a state holds a page's digest and where it came from, never its text.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from crawloop.contract import Store
from crawloop.errors import RegistryError
from crawloop.model.page import Page

_LEFT_OUT = ("html", "body")  # the text is kept once, by its digest; the bytes are the archive's


def pack(value: Any, store: Store) -> Any:
    """`value` as plain JSON values; each page in it is saved in the store."""
    if isinstance(value, Page):
        rest = {one.name: getattr(value, one.name) for one in fields(value) if one.name not in _LEFT_OUT}
        return rest | {"digest": store.save_page(value)}
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: pack(getattr(value, one.name), store) for one in fields(value)}
    if isinstance(value, frozenset):
        return sorted((pack(one, store) for one in value), key=repr)
    if isinstance(value, tuple | list):
        return [pack(one, store) for one in value]
    if isinstance(value, dict):
        return {key: pack(one, store) for key, one in value.items()}
    return value


def unpack(kind: Any, packed: Any, store: Store) -> Any:
    """What `pack` made of a value of `kind`. Raises RegistryError where the store has lost a page of it."""
    if packed is None or kind is Any:
        return packed
    if kind is Page:
        return _page(packed, store)
    if isinstance(kind, type) and is_dataclass(kind):
        hints = _hints(kind)
        return kind(**{name: unpack(hints[name], one, store) for name, one in packed.items()})
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(packed)
    return _container(kind, packed, store)


def _container(kind: Any, packed: Any, store: Store) -> Any:
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return unpack(next(one for one in args if one is not type(None)), packed, store)
    if origin is tuple and args[-1] is not ...:
        return tuple(unpack(one, item, store) for one, item in zip(args, packed, strict=True))
    if origin in (tuple, frozenset):
        return origin(unpack(args[0], item, store) for item in packed)
    if origin is dict:
        return {key: unpack(args[1], item, store) for key, item in packed.items()}
    return packed


def _page(packed: dict[str, Any], store: Store) -> Page:
    rest = dict(packed)
    digest = rest.pop("digest")
    kept = store.page(digest)
    if kept is None:
        raise RegistryError(f"the registry has lost the page {digest[:12]} of {rest['url']} that a journal refers to")
    return Page(html=kept.html, **rest)


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)
