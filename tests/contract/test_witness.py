"""What every witness promises: plain values of the schema's fields, or silence; and no fault for any page."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from crawloop.contract import Witness
from crawloop.llm import ScriptedCompleter
from crawloop.model import truth
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page
from crawloop.registry import MemoryStore
from crawloop.witness.examples import Example, ExamplesWitness
from crawloop.witness.history import HistoryWitness
from crawloop.witness.llm import LLMWitness
from crawloop.witness.markup import MarkupWitness

FAMILY = "shop.example/product"
SCHEMA = Schema("Product@1", (Field("title", required=True), Field("price", Kind.MONEY), Field("tags", many=True)))
RECORD = {"title": "Kettle", "price": 19.9, "tags": ["steel", "loud"]}
ISLAND = {"@type": "Product", "name": "Kettle", "offers": {"price": "19.90"}, "keywords": "steel, loud"}
HTML = (
    f'<html><body><script type="application/ld+json">{json.dumps(ISLAND)}</script><h1>Kettle</h1><p>19.90 €</p>'
    "<ul><li>steel</li><li>loud</li></ul></body></html>"
)
KNOWN = Page("https://shop.example/p/1", HTML)
PLAIN = (str, int, float, bool)


def examples() -> Witness:
    return ExamplesWitness([Example(KNOWN.url, (RECORD,))])


def history() -> Witness:
    store = MemoryStore()
    store.remember(FAMILY, KNOWN.url, [RECORD], "2026-01-01T00:00:00Z")
    return HistoryWitness(store)


def llm() -> Witness:
    answer = json.dumps({"records": [RECORD]})
    return LLMWitness(ScriptedCompleter(lambda call: answer if "Kettle" in call.user else '{"records": []}'))


@pytest.fixture(params=[examples, history, MarkupWitness, llm], ids=["examples", "history", "markup", "llm"])
def witness(request: pytest.FixtureRequest) -> Witness:
    make: Callable[[], Witness] = request.param
    return make()


def said(witness: Witness, page: Page, schema: Schema = SCHEMA) -> truth.Testimony | None:
    return asyncio.run(witness.testify(page, FAMILY, schema, "small"))


def test_what_is_known_is_said_in_plain_values_under_its_own_name(witness: Witness) -> None:
    heard = said(witness, KNOWN)
    assert heard is not None
    assert heard.witness == witness.name
    assert heard.records == (RECORD,)
    assert all(_is_plain(value) for record in heard.records for value in record.values())


def test_evidence_belongs_to_values_that_are_said(witness: Witness) -> None:
    heard = said(witness, KNOWN)
    assert heard is not None
    assert all(name in heard.records[number] for number, name in heard.evidence)


@pytest.mark.parametrize("html", ["", "<p>Tea</p>", "<<<", "\0", "<script type='application/ld+json'>{</script>"])
def test_of_a_page_that_nobody_knows_nothing_is_said(witness: Witness, html: str) -> None:
    assert said(witness, Page("https://shop.example/p/2", html)) is None


@pytest.mark.parametrize("make", [history, MarkupWitness, llm], ids=["history", "markup", "llm"])
def test_a_field_that_the_schema_does_not_have_is_never_said(make: Callable[[], Witness]) -> None:
    heard = said(make(), KNOWN, Schema("Product@2", (Field("title"),)))
    assert heard is not None
    assert heard.records == ({"title": "Kettle"},)


def _is_plain(value: Any) -> bool:
    return all(_is_plain(one) for one in value) if isinstance(value, list) else isinstance(value, PLAIN)
