"""The form of an answer says no more than the field can have."""

from typing import Any

from crawloop.brief.form import records
from crawloop.model.kind import Field, Kind, Schema

SCHEMA = Schema(
    "Item@1", (Field("price", Kind.MONEY), Field("tags", many=True), Field("state", Kind.ENUM, choices=("a", "b")))
)


def cell(name: str) -> dict[str, Any]:
    row = records(SCHEMA)["properties"]["records"]["items"]["properties"]
    value, nothing = row[name]["anyOf"]
    assert nothing == {"type": "null"}
    properties: dict[str, Any] = value["properties"]
    return properties


def test_a_value_is_of_its_kind_and_stands_in_one_line() -> None:
    assert cell("price")["value"] == {"type": "number"}
    assert cell("price")["line"] == {"type": "integer"}


def test_a_list_may_stand_in_several_lines() -> None:
    assert cell("tags")["value"] == {"type": "array", "items": {"type": "string"}}
    assert cell("tags")["line"] == {"type": "array", "items": {"type": "integer"}}


def test_choices_are_all_that_can_be_said() -> None:
    assert cell("state")["value"]["enum"] == ["a", "b"]


def test_only_what_may_be_worded_otherwise_has_a_snippet() -> None:
    assert [name for name in SCHEMA.names if "snippet" in cell(name)] == ["state"]


def test_every_object_is_closed_and_whole_as_strict_forms_are() -> None:
    form = records(SCHEMA)
    for one in (form, form["properties"]["records"]["items"]):
        assert one["additionalProperties"] is False
        assert one["required"] == list(one["properties"])
