"""Microdata of a page as objects: {"@type": …, "@id": itemid, property: value or list of values}."""

from __future__ import annotations

from typing import Any

from selectolax.lexbor import LexborNode

from crawloop.extract.nodes import visible_text

_BY_ATTRIBUTE = {
    "meta": "content", "a": "href", "area": "href", "link": "href", "img": "src", "audio": "src", "video": "src",
    "source": "src", "track": "src", "embed": "src", "iframe": "src", "object": "data", "data": "value",
    "meter": "value", "time": "datetime",
}  # fmt: skip
_ITEMS = 5_000


def items(root: LexborNode) -> list[dict[str, Any]]:
    """The items of `root` that are no property of another, in document order."""
    scopes = root.css("[itemscope]")[:_ITEMS]
    if not scopes:
        return []
    objects = {node.mem_id: _blank(node) for node in scopes}
    referenced = _referenced(root, scopes)
    for node in root.css("[itemprop]")[: 10 * _ITEMS]:
        value: Any = objects.get(node.mem_id)
        if value is None:
            value = _value(node)
        for owner in _owners(node, objects, referenced):
            for name in (node.attributes.get("itemprop") or "").split():
                _add(objects[owner], name, value)
    return [objects[n.mem_id] for n in scopes if "itemprop" not in n.attributes]


def _blank(node: LexborNode) -> dict[str, Any]:
    types = (node.attributes.get("itemtype") or "").split()
    about: dict[str, Any] = {"@type": types[0] if len(types) == 1 else types} if types else {}
    if node.attributes.get("itemid"):
        about["@id"] = node.attributes["itemid"]
    return about


def _referenced(root: LexborNode, scopes: list[LexborNode]) -> dict[int, list[int]]:
    """By element: the items whose `itemref` names it."""
    named: dict[str, list[int]] = {}
    for node in scopes:
        for name in (node.attributes.get("itemref") or "").split():
            named.setdefault(name, []).append(node.mem_id)
    if not named:
        return {}
    found: dict[int, list[int]] = {}
    for node in root.css("[id]"):
        owners = named.pop(node.attributes.get("id") or "", None)
        if owners:
            found[node.mem_id] = owners
    return found


def _owners(node: LexborNode, objects: dict[int, Any], referenced: dict[int, list[int]]) -> list[int]:
    """The item in whose scope the property stands, and those that refer to an element around it in that scope."""
    owners: list[int] = []
    at: LexborNode | None = node
    while at is not None:
        key = at.mem_id
        owners.extend(one for one in referenced.get(key, ()) if one != node.mem_id)
        if key in objects and key != node.mem_id:
            return [*owners, key] if key not in owners else owners
        at = at.parent
    return owners


def _value(node: LexborNode) -> str:
    attribute = "content" if "content" in node.attributes else _BY_ATTRIBUTE.get(node.tag or "")
    if attribute and node.attributes.get(attribute) is not None:
        return (node.attributes[attribute] or "").strip()
    return visible_text(node)


def _add(about: dict[str, Any], name: str, value: Any) -> None:
    if name not in about:
        about[name] = value
    elif isinstance(about[name], list):
        about[name].append(value)
    else:
        about[name] = [about[name], value]
