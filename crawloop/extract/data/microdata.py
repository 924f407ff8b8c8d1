"""Microdata of a page as objects: {"@type": …, "@id": itemid, property: value or list of values}."""

from __future__ import annotations

from typing import Any

from selectolax.lexbor import LexborNode

from crawloop.extract.dom.nodes import visible_text

_BY_ATTRIBUTE = {
    "meta": "content", "a": "href", "area": "href", "link": "href", "img": "src", "audio": "src", "video": "src",
    "source": "src", "track": "src", "embed": "src", "iframe": "src", "object": "data", "data": "value",
    "meter": "value", "time": "datetime",
}  # fmt: skip
_ITEMS = 5_000


def items(root: LexborNode) -> list[dict[str, Any]]:
    """The items of `root` that are no property of another, in document order; an item is a property of one at most."""
    scopes = root.css("[itemscope]")[:_ITEMS]
    if not scopes:
        return []
    objects = {node.mem_id: _blank(node.attributes) for node in scopes}
    referenced = _referenced(root, scopes)
    parents: dict[int, int] = {}
    around: dict[int, tuple[int, ...]] = {}
    for node in root.css("[itemprop]")[: 10 * _ITEMS]:
        owners = _owners(node, objects, referenced, around)
        attributes = node.attributes
        value: Any = objects.get(node.mem_id)
        if value is None:
            value = _value(node, attributes)
        else:
            owners = [one for one in owners if not _is_within(one, node.mem_id, parents)][:1]
            if owners:
                parents[node.mem_id] = owners[0]
        for owner in owners:
            for name in (attributes.get("itemprop") or "").split():
                _add(objects[owner], name, value)
    return [objects[one.mem_id] for one in scopes if one.mem_id not in parents]


def _is_within(item: int, other: int, parents: dict[int, int]) -> bool:
    """Whether an item is the other or stands in it: items form a tree, whatever their references say."""
    at: int | None = item
    while at is not None and at != other:
        at = parents.get(at)
    return at is not None


def _blank(attributes: dict[str, str | None]) -> dict[str, Any]:
    types = (attributes.get("itemtype") or "").split()
    about: dict[str, Any] = {"@type": types[0] if len(types) == 1 else types} if types else {}
    if attributes.get("itemid"):
        about["@id"] = attributes["itemid"]
    return about


def _referenced(root: LexborNode, scopes: list[LexborNode]) -> dict[int, list[int]]:
    """By element: the items whose `itemref` names it."""
    named: dict[str, list[int]] = {}
    for node in scopes:
        for name in dict.fromkeys((node.attributes.get("itemref") or "").split()):
            named.setdefault(name, []).append(node.mem_id)
    if not named:
        return {}
    found: dict[int, list[int]] = {}
    for node in root.css("[id]"):
        owners = named.pop(node.attributes.get("id") or "", None)
        if owners:
            found[node.mem_id] = owners
    return found


def _owners(
    node: LexborNode, objects: dict[int, Any], referenced: dict[int, list[int]], around: dict[int, tuple[int, ...]]
) -> list[int]:
    """The item in whose scope the property stands, and those that refer to it or to an element around it there.

    `around` keeps, by element, whose the properties in it are.
    """
    path: list[int] = []
    at = node.parent
    while at is not None and at.mem_id not in around:
        path.append(at.mem_id)
        if path[-1] in objects:
            break
        at = at.parent
    owners = around.get(at.mem_id, ()) if at is not None else ()
    for key in reversed(path):
        owners = (key,) if key in objects else (*owners, *referenced.get(key, ()))
        around[key] = owners
    return list(dict.fromkeys(one for one in (*owners, *referenced.get(node.mem_id, ())) if one != node.mem_id))


def _value(node: LexborNode, attributes: dict[str, str | None]) -> str:
    name = "content" if "content" in attributes else _BY_ATTRIBUTE.get(node.tag or "", "")
    said = attributes.get(name)
    return visible_text(node) if said is None else said.strip()


def _add(about: dict[str, Any], name: str, value: Any) -> None:
    if name not in about:
        about[name] = value
    elif isinstance(about[name], list):
        about[name].append(value)
    else:
        about[name] = [about[name], value]
