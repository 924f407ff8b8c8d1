"""Labelled examples: what a person knows, and every way in which a line can be wrong."""

import asyncio
from pathlib import Path

import pytest
from pydantic import BaseModel

from crawloop.errors import ExampleError
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page
from crawloop.witness.examples import ExamplesWitness, read_examples


class Product(BaseModel):
    title: str
    price: float | None = None
    tags: list[str] | None = None
    badge: str | None = None


SCHEMA = Schema(
    "Product@1",
    (
        Field("title", required=True),
        Field("price", Kind.NUMBER),
        Field("tags", many=True),
        Field("badge"),
    ),
    model=Product,
)


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    return tmp_path / "examples.jsonl"


def test_a_null_asserts_nothing_and_absence_is_asserted_by_name(examples: Path) -> None:
    examples.write_text(
        '{"url": "https://a.example/1", "records": [{"title": "Kettle", "price": null, "absent": ["badge"]}]}\n\n'
        '{"url": "https://a.example/2", "records": []}\n'
    )
    first, second = read_examples(examples, SCHEMA)
    assert first.records == ({"title": "Kettle"},)
    assert first.absent == {(0, "badge")}
    assert second.records == ()


def test_a_required_field_may_be_left_out(examples: Path) -> None:
    examples.write_text('{"url": "https://a.example/1", "records": [{"price": 3}]}')
    assert read_examples(examples, SCHEMA)[0].records == ({"price": 3},)


def test_an_amount_may_be_labelled_as_it_stands_on_the_page(examples: Path) -> None:
    examples.write_text('{"url": "https://a.example/1", "records": [{"price": "1.299,50 €"}]}')
    assert read_examples(examples, SCHEMA)[0].records == ({"price": 1299.5},)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"url": "https://a.example"', "is not JSON"),
        ('{"url": "https://a.example", "records": ' + "[" * 100_000, "is not JSON"),
        ("[1, 2]", "is no JSON object"),
        ('{"url": "https://a.example", "records": [{"price": NaN}]}', "NaN is no JSON value"),
        ('{"records": []}', "url: is missing"),
        ('{"url": "https://a.example", "record": []}', "records: is missing"),
        ('{"url": "https://a.example", "records": ["Kettle"]}', r"records\[0\]: is no object"),
        ('{"url": "https://a.example", "records": [], "absent": ["badge"]}', "absent: stands beside the records"),
        ('{"url": "https://a.example", "records": [{"titel": "x"}]}', r"titel: is no field.*did you mean 'title'"),
        ('{"url": "https://a.example", "records": [{"colour": "x"}]}', "fields are title, price, tags, badge"),
        ('{"url": "https://a.example", "records": [{"price": "soon"}]}', r"records\[0\].price: "),
        ('{"url": "https://a.example", "records": [{}, {"tags": "a, b"}]}', r"records\[1\].tags: expected .*list"),
        ('{"url": "https://a.example", "records": [{"absent": "badge"}]}', "absent: is no list of field names"),
        ('{"url": "https://a.example", "records": [{"absent": ["bage"]}]}', "did you mean 'badge'"),
        ('{"url": "https://a.example", "records": [{"badge": "New", "absent": ["badge"]}]}', "is called absent"),
    ],
)
def test_a_faulty_line_is_named_with_file_line_field_and_remedy(examples: Path, line: str, says: str) -> None:
    examples.write_text('{"url": "https://good.example", "records": []}\n' + line + "\n")
    with pytest.raises(ExampleError, match=says) as error:
        read_examples(examples, SCHEMA)
    assert str(error.value).startswith(f"{examples}:2: ")


def test_two_lines_for_one_page_are_refused_however_its_url_is_spelled(examples: Path) -> None:
    examples.write_text(
        '{"url": "http://a.example/p/", "records": []}\n{"url": "https://a.example/p#top", "records": []}\n'
    )
    with pytest.raises(ExampleError, match="stands on line 1 already"):
        read_examples(examples, SCHEMA)


def test_a_file_without_a_line_and_a_file_that_is_not_there_are_refused(examples: Path) -> None:
    with pytest.raises(ExampleError, match="cannot be read"):
        read_examples(examples, SCHEMA)
    examples.write_text("\n")
    with pytest.raises(ExampleError, match="holds no example"):
        read_examples(examples, SCHEMA)


def test_a_file_in_another_encoding_is_refused(examples: Path) -> None:
    examples.write_bytes('{"url": "https://a.example", "records": [{"title": "Käse"}]}'.encode("latin-1"))
    with pytest.raises(ExampleError, match="is not UTF-8"):
        read_examples(examples, SCHEMA)


def test_the_witness_knows_a_page_by_its_url_or_by_where_it_ended(examples: Path) -> None:
    examples.write_text('{"url": "https://a.example/p/1", "records": [{"title": "Kettle"}]}')
    witness = ExamplesWitness(read_examples(examples, SCHEMA))

    def records(page: Page) -> object:
        said = asyncio.run(witness.testify(page, "shop", SCHEMA, None))
        return said and said.records

    assert records(Page("http://a.example/p/1/", "")) == ({"title": "Kettle"},)
    assert records(Page("https://a.example/old", "", final_url="https://a.example/p/1")) == ({"title": "Kettle"},)
    assert records(Page("https://a.example/p/10", "")) is None
