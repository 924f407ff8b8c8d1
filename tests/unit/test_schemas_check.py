"""Records against their schema: plain JSON values, problems by field."""

from pathlib import Path
from typing import Any

import pytest

from crawloop.model.kind import Schema
from crawloop.schemas import check, contradictions, load, readable

SOURCE = """
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import IntEnum
from typing import Literal
from pydantic import BaseModel, ConfigDict, Field, HttpUrl, field_validator

class Grade(IntEnum):
    A = 1
    B = 2

class Item(BaseModel):
    model_config = ConfigDict(frozen=True)

    title: str
    price: Decimal | None = Field(None, ge=0)
    count: int | None = None
    rating: float | None = None
    day: date | None = None
    at: datetime | None = None
    cook: timedelta | None = Field(None, json_schema_extra={"format": "minutes"})
    wait: str | None = Field(None, json_schema_extra={"format": "minutes"})
    link: HttpUrl | None = None
    image: str | None = Field(None, json_schema_extra={"format": "uri-reference"})
    grade: Grade | None = None
    stock: Literal["available", "unavailable"] | None = None
    size: int = Field(0, alias="itemSize")
    tags: list[str] | None = None

    @field_validator("title")
    @classmethod
    def _no_shouting(cls, title: str) -> str:
        if title.isupper():
            raise ValueError("is all in capitals")
        return title
"""
VALID: dict[str, Any] = {
    "title": "Pan",
    "price": 12.5,
    "count": 3,
    "rating": 4,
    "day": "2026-01-02",
    "at": "2026-01-02T10:00:00Z",
    "cook": 90,
    "wait": 15,
    "link": "https://shop.example/p",
    "image": "/i.png",
    "grade": "2",
    "stock": "available",
    "size": 4,
    "tags": ["a", "b"],
}


@pytest.fixture(scope="module")
def item(tmp_path_factory: pytest.TempPathFactory) -> Schema:
    folder: Path = tmp_path_factory.mktemp("schemas")
    (folder / "item.py").write_text(SOURCE, encoding="utf-8")
    return load("Item@1", folder)


def test_plain_json_values_are_valid(item: Schema) -> None:
    assert check(item, VALID) == {}
    assert check(item, {"title": "Pan", "price": None}) == {}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"title": None}, "required and missing: expected a text"),
        ({"title": "PAN"}, "is all in capitals"),
        ({"title": ["Pan"]}, "expected a text, got ['Pan']"),
        ({"title": 5}, "valid string"),
        ({"price": "cheap"}, "expected an amount"),
        ({"price": -1}, "greater than or equal to 0"),
        ({"count": 2.5}, "valid integer"),
        ({"rating": "3.5 stars"}, "expected a number, got '3.5 stars'"),
        ({"day": "soon"}, "expected a date such as"),
        ({"cook": "overnight"}, "expected minutes as a number"),
        ({"link": "/p"}, "relative URL without a base"),
        ({"image": "javascript:void(0)"}, "expected a URL"),
        ({"grade": "3"}, "expected one of: 1, 2"),
        ({"stock": "temporarily unavailable"}, "expected one of: available, unavailable"),
        ({"size": "big"}, "expected a whole number"),
        ({"tags": "a"}, "expected a list of texts, got 'a'"),
        ({"tags": ["a", None]}, "expected a list of texts"),
        ({"colour": "red"}, "is no field of Item@1"),
    ],
)
def test_a_problem_is_named_under_its_field(item: Schema, change: dict[str, Any], said: str) -> None:
    problems = check(item, VALID | change)
    assert list(problems) == list(change)
    assert said in problems[next(iter(change))]


def test_several_problems_are_all_named(item: Schema) -> None:
    assert set(check(item, {"price": "cheap", "day": "soon", "count": 2.5})) == {"title", "price", "day", "count"}


def test_relative_links_are_valid_against_a_base(item: Schema) -> None:
    assert check(item, VALID | {"link": "/p"}, base="https://shop.example/") == {}
    assert "link" in check(item, VALID | {"link": "http://["}, base="https://shop.example/")


def test_a_label_may_stand_as_on_the_page(item: Schema) -> None:
    label = {"price": "12,50 €", "cook": "1 hr 30 min", "count": "3", "day": "2 January 2026", "stock": "Available"}
    assert contradictions(item, label) == {}
    assert contradictions(item, {"image": "placeholder url"}) == {}


def test_a_label_asserts_nothing_by_what_is_missing(item: Schema) -> None:
    assert contradictions(item, {"title": None, "tags": [], "price": ""}) == {}


def test_a_label_that_contradicts_the_schema_is_named(item: Schema) -> None:
    problems = contradictions(
        item, {"price": "2 pairs", "tags": "a", "colour": "red", "cook": "overnight", "title": {}}
    )
    assert set(problems) == {"price", "tags", "colour", "cook", "title"}
    assert "minutes" in problems["cook"]


def test_typed_values_become_plain_and_texts_keep_their_form(item: Schema) -> None:
    label = {"price": "12,50 €", "count": "3", "day": "2 January 2026", "cook": "1 hr 30 min", "stock": "Available"}
    assert readable(item, label) == {"price": 12.5, "count": 3, "day": "2026-01-02", "cook": 90, "stock": "available"}
    assert readable(item, {"wait": "1 hr", "title": "3", "tags": ["1"]}) == {
        "wait": "1 hr",
        "title": "3",
        "tags": ["1"],
    }
