"""Schemas from files: kinds by annotation and format, and errors that name the file and the remedy."""

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from crawloop.errors import SchemaError
from crawloop.model.kind import Field, Kind, Schema
from crawloop.schemas import load, sharpen


def write(folder: Path, name: str, source: str) -> Path:
    path = folder / name
    path.write_text(dedent(source), encoding="utf-8")
    return path


ALL_KINDS = """
    from __future__ import annotations
    from datetime import date, datetime, timedelta
    from decimal import Decimal
    from enum import Enum
    from typing import Annotated, ClassVar, Literal, Optional
    from pydantic import AliasChoices, AnyUrl, BaseModel, Field, HttpUrl, PositiveInt

    class Stock(Enum):
        IN = "in stock"
        OUT = "sold out"

    class Product(BaseModel):
        VERSION: ClassVar[int] = 3
        VOLATILE: ClassVar[set[str]] = {"price", "stock"}

        title: str = Field(description="the product's name")
        price: Decimal
        cents: int = Field(0, json_schema_extra={"format": "cents"})
        count: Optional[PositiveInt] = None
        rating: float | None
        used: bool = False
        sold_on: date | None = None
        seen_at: datetime | None = None
        cook: timedelta | None = None
        prep: int | None = Field(None, json_schema_extra={"format": "minutes"})
        wait: timedelta | None = Field(None, json_schema_extra={"format": "hours"})
        link: HttpUrl | None = None
        other: AnyUrl | None = None
        image: str | None = Field(None, json_schema_extra={"format": "uri-reference"})
        published: str = Field("", json_schema_extra={"format": "date-time"})
        stock: Stock | None = None
        size: Literal["S", "M"] | None = None
        tags: list[str] = []
        images: list[Annotated[str, Field(json_schema_extra={"format": "uri"})]] | None = None
        sku: str = Field("", alias="itemSKU", json_schema_extra={"aliases": ["mpn", "article"]})
        brand: str = Field("", validation_alias=AliasChoices("maker", "vendor"))
        amount: int | float = 0
        email: str = Field("", json_schema_extra={"format": "email"})
"""


@pytest.fixture
def product(tmp_path: Path) -> Schema:
    write(tmp_path, "anything.py", ALL_KINDS)
    return load("Product@3", tmp_path)


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("title", Field("title", required=True, description="the product's name")),
        ("price", Field("price", Kind.MONEY, required=True, volatile=True)),
        ("cents", Field("cents", Kind.MONEY, unit="cents", integer=True)),
        ("count", Field("count", Kind.NUMBER, integer=True)),
        ("rating", Field("rating", Kind.NUMBER)),
        ("used", Field("used", Kind.BOOL)),
        ("sold_on", Field("sold_on", Kind.DATE)),
        ("seen_at", Field("seen_at", Kind.DATETIME)),
        ("cook", Field("cook", Kind.DURATION, unit="seconds")),
        ("prep", Field("prep", Kind.DURATION, unit="minutes", integer=True)),
        ("wait", Field("wait", Kind.DURATION, unit="hours")),
        ("link", Field("link", Kind.URL)),
        ("other", Field("other", Kind.URL)),
        ("image", Field("image", Kind.URL)),
        ("published", Field("published", Kind.DATETIME)),
        ("stock", Field("stock", Kind.ENUM, choices=("in stock", "sold out"), volatile=True)),
        ("size", Field("size", Kind.ENUM, choices=("S", "M"))),
        ("tags", Field("tags", many=True)),
        ("images", Field("images", Kind.URL, many=True)),
        ("sku", Field("sku", aliases=("itemSKU", "mpn", "article"))),
        ("brand", Field("brand", aliases=("maker", "vendor"))),
        ("amount", Field("amount", Kind.NUMBER)),
        ("email", Field("email")),
    ],
)
def test_a_field_follows_from_annotation_and_format(product: Schema, name: str, field: Field) -> None:
    assert product[name] == field


def test_a_word_that_several_names_begin_with_is_that_of_their_group(tmp_path: Path) -> None:
    names = ("per100_fat", "sizeInner", "size_outer", "size_unit", "size", "colour_name", "colour_code")
    lines = "".join(f"    {name}: str\n" for name in names)
    write(tmp_path, "one.py", f"from pydantic import BaseModel\n\nclass Item(BaseModel):\n{lines}")
    assert [one.group for one in load("Item@1", tmp_path).fields] == ["", "size", "size", "size", "", "", ""]


def test_the_name_alone_takes_the_version_that_is_there(tmp_path: Path) -> None:
    write(tmp_path, "one.py", "from pydantic import BaseModel\n\nclass Item(BaseModel):\n    a: str\n")
    assert load("Item", tmp_path).ref == "Item@1"


def test_no_bytecode_is_left_and_a_sibling_may_be_imported(tmp_path: Path) -> None:
    write(tmp_path, "parts.py", "from pydantic import BaseModel\n\nclass Named(BaseModel):\n    name: str\n")
    write(tmp_path, "item.py", "from parts import Named\n\nclass Item(Named):\n    size: int\n")
    assert load("Item@1", tmp_path).names == ("name", "size")
    assert not list(tmp_path.rglob("*.pyc"))


def refusal(ref: str, folder: Path) -> str:
    with pytest.raises(SchemaError) as caught:
        load(ref, folder)
    return str(caught.value)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert str(tmp_path / "schemas") in refusal("Item@1", tmp_path / "schemas")


def test_a_reference_of_another_form_is_refused(tmp_path: Path) -> None:
    assert "Product@1" in refusal("item.py:Item", tmp_path)


def test_an_unknown_name_lists_what_there_is(tmp_path: Path) -> None:
    write(tmp_path, "one.py", "from pydantic import BaseModel\n\nclass Item(BaseModel):\n    a: str\n")
    write(tmp_path, "two.py", "import no_such_module_here\n")
    message = refusal("Itme@1", tmp_path)
    assert "Item@1 (one.py)" in message
    assert "two.py does not import: line 1: ModuleNotFoundError" in message


def test_a_broken_file_is_no_matter_to_another_schema(tmp_path: Path) -> None:
    write(tmp_path, "one.py", "from pydantic import BaseModel\n\nclass Item(BaseModel):\n    a: str\n")
    write(tmp_path, "two.py", "class Other(")
    assert load("Item@1", tmp_path).names == ("a",)


def test_another_version_names_both_remedies(tmp_path: Path) -> None:
    write(tmp_path, "one.py", "from pydantic import BaseModel\n\nclass Item(BaseModel):\n    a: str\n")
    message = refusal("Item@2", tmp_path)
    assert "use Item@1" in message
    assert "VERSION = 2" in message


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("class Item(:\n    a: str\n", "line 1: SyntaxError"),
        ("x = 1\ny = x / 0\nclass Item: ...\n", "line 2: ZeroDivisionError"),
        ("import sys\nsys.exit(3)\nclass Item: ...\n", "line 2: SystemExit"),
        ("from pydantic import BaseModel\nclass Item(BaseModel):\n    VOLATILE = {'a'}\n    a: str\n", "ClassVar"),
        ("from pydantic import BaseModel\nclass Item(BaseModel):\n    VERSION: int = 2\n    a: str\n", "ClassVar"),
        ("from pydantic import BaseModel\nclass Item(BaseModel):\n    a: dict[str, str]\n", "Item.a is dict"),
        ("from pydantic import BaseModel\nclass Item(BaseModel):\n    a: 'Nowhere'\n", "Nowhere"),
        ("from pydantic import BaseModel\nclass Item(BaseModel):\n    pass\n", "has no fields"),
        (
            "from typing import ClassVar\nfrom pydantic import BaseModel\n"
            "class Item(BaseModel):\n    VOLATILE: ClassVar = 5\n    a: str\n",
            "Item.VOLATILE names 5: fields are a",
        ),
        ("class Item:\n    a: str\n", "inherits pydantic.BaseModel"),
    ],
)
def test_what_is_wrong_with_a_file_is_named(tmp_path: Path, source: str, said: str) -> None:
    path = write(tmp_path, "item.py", source)
    message = refusal("Item@1", tmp_path)
    assert said in message
    assert str(path) in message or "there is none" in message


def test_volatile_names_that_are_no_fields_are_refused(tmp_path: Path) -> None:
    source = """
        from typing import ClassVar
        from pydantic import BaseModel
        class Item(BaseModel):
            VOLATILE: ClassVar[tuple[str, ...]] = ("pirce",)
            price: float
    """
    write(tmp_path, "item.py", source)
    assert "VOLATILE names pirce: fields are price" in refusal("Item@1", tmp_path)


def test_two_files_with_one_class_name_are_refused(tmp_path: Path) -> None:
    source = "from pydantic import BaseModel\n\nclass Item(BaseModel):\n    a: str\n"
    write(tmp_path, "one.py", source)
    write(tmp_path, "two.py", source)
    message = refusal("Item@1", tmp_path)
    assert "one.py" in message
    assert "two.py" in message


def test_a_nested_model_is_refused_by_name(tmp_path: Path) -> None:
    source = """
        from pydantic import BaseModel
        class Offer(BaseModel):
            price: float
        class Item(BaseModel):
            offers: list[Offer]
    """
    write(tmp_path, "item.py", source)
    assert "Item.offers is list[" in refusal("Item@1", tmp_path)
    assert load("Offer@1", tmp_path).names == ("price",)


def test_labelled_values_sharpen_plain_texts() -> None:
    schema = Schema(
        "Item@1", (Field("link"), Field("day"), Field("at"), Field("number"), Field("title"), Field("none"))
    )
    rows = [
        {"link": "https://a.example/1", "day": "2026-01-02", "at": "2026-01-02T10:00:00Z", "number": "20260102"},
        {"link": "http://b.example/2", "day": "2026-01-03", "at": "2026-01-03", "number": "12", "title": "2 Jan 2026"},
        {"title": "A day in May"},
    ]
    sharp = sharpen(schema, rows)
    kinds = [one.kind for one in sharp.fields]
    assert kinds == [Kind.URL, Kind.DATE, Kind.DATETIME, Kind.TEXT, Kind.TEXT, Kind.TEXT]


def test_a_day_that_is_not_written_in_iso_keeps_the_form_that_the_labels_have() -> None:
    schema = Schema("Item@1", (Field("day"),))
    assert sharpen(schema, [{"day": "11-23-2010"}, {"day": "12-6-2010"}])["day"].kind is Kind.TEXT


def test_pydantic_waits_until_a_schema_is_loaded() -> None:
    script = "import sys, crawloop.schemas; assert 'pydantic' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
