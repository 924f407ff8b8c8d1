"""A map of fields to JSON paths: used where the truth bears it out, declined cleanly where it does not."""

import asyncio
import json
from typing import Any

import pytest

from crawloop.contract import Brief
from crawloop.errors import StrategyDeclined
from crawloop.extract.plan import Plan
from crawloop.extract.view import PageView
from crawloop.llm import ScriptedCompleter
from crawloop.model.candidate import Candidate
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page
from crawloop.model.truth import Claim, Sample, Truth
from crawloop.strategy.path_map import PathMap

SCHEMA = Schema(
    "Product@1",
    (
        Field("title"),
        Field("price", Kind.MONEY),
        Field("state", Kind.ENUM, choices=("available", "sold")),
        Field("tags", many=True),
        Field("size"),
    ),
)


def sample(
    number: int, island: Any, *records: dict[str, Any], absent: frozenset[tuple[int, str]] = frozenset()
) -> Sample:
    url = f"https://shop.example/p/{number}"
    html = f'<html><body><script id="STATE" type="application/json">{json.dumps(island)}</script></body></html>'
    claims = tuple({name: Claim(value, ("examples",)) for name, value in record.items()} for record in records)
    return Sample(Page(url, html), Truth(url, claims, frozenset(absent)))


def product(number: int, code: int, **more: Any) -> dict[str, Any]:
    return {
        "p": {
            "n": f"Kettle {number}",
            "cents": number * 100 + 50,
            "code": code,
            "w": number,
            "h": 9,
            "tags": ["a", "b"],
        }
        | more
    }


SAMPLES = (
    sample(
        1, product(1, 0), {"title": "Kettle 1", "price": 1.5, "state": "available", "size": "1 x 9", "tags": ["a", "b"]}
    ),
    sample(2, product(2, 7), {"title": "Kettle 2", "price": 2.5, "state": "sold", "size": "2 x 9", "tags": ["a", "b"]}),
)
GOOD = {
    "title": {"path": "$.STATE.p.n"},
    "price": {"path": "$.STATE.p.cents", "transform": [["scaled", 0.01]]},
    "state": {"path": "$.STATE.p.code", "transform": [["labels", {"0": "available", "7": "sold"}]]},
    "tags": {"path": "$.STATE.p.tags"},
    "size": {"paths": ["$.STATE.p.w", "$.STATE.p.h"], "transform": [["join", " x "]]},
}


def propose(answer: Any, samples: tuple[Sample, ...] = SAMPLES, **brief: Any) -> Candidate:
    completer = ScriptedCompleter([answer if isinstance(answer, str) else json.dumps(answer)])
    given = Brief("shop/product", SCHEMA, samples, model="m", **brief)
    (candidate,) = asyncio.run(PathMap(completer).propose(given))
    return candidate


def test_scaled_coded_and_joined_values_become_a_program_that_needs_no_model() -> None:
    candidate = propose("Here is the map:\n```json\n" + json.dumps({"fields": GOOD}) + "\n```")
    assert candidate.fields == frozenset(SCHEMA.names)
    assert candidate.origin == "path-map"
    assert "scaled(page.json(" in candidate.source
    unseen = sample(3, product(3, 7)).page
    assert candidate.plan is not None
    assert Plan.loads(candidate.plan).read(PageView(unseen.html, unseen.url)) == [
        {"title": "Kettle 3", "price": 3.5, "state": "sold", "tags": ["a", "b"], "size": "3 x 9"}
    ]


def test_fields_that_are_wrong_somewhere_are_left_out() -> None:
    wrong = GOOD | {"price": {"path": "$.STATE.p.cents"}, "size": {"path": "$.STATE.p.h"}}
    assert propose({"fields": wrong}).fields == {"title", "state", "tags"}


def test_a_field_that_a_person_calls_absent_may_not_be_read() -> None:
    lacking = sample(4, product(4, 0), {"title": "Kettle 4"}, absent=((0, "tags"),))
    assert propose({"fields": GOOD}, (*SAMPLES, lacking)).fields == {"title", "price", "state", "size"}


@pytest.mark.parametrize(
    "entry",
    [
        {"path": "$.STATE.p[1:2]"},
        {"path": "$.STATE.p.n", "transform": [["eval", "1"]]},
        {"path": "$.STATE.p.n", "transform": [["reference"]]},
        {"path": "$.STATE.p.n", "transform": [["after"]]},
        {"path": "$.STATE.p.n", "transform": [["labels", {"a": {"b": 1}}]]},
        {"path": "$.STATE.p.n", "transform": "upper"},
        {"path": 3},
        {},
        "title",
    ],
)
def test_an_entry_that_makes_no_sense_costs_only_its_own_field(entry: Any) -> None:
    assert propose({"fields": GOOD | {"title": entry, "colour": {"path": "$.x"}}}).fields == set(SCHEMA.names) - {
        "title"
    }


def test_rows_of_a_listing_are_read_relative_to_themselves() -> None:
    island = {"items": [{"n": "Kettle", "c": 100}, {"n": "Mug", "c": 250}]}
    listing = sample(1, island, {"title": "Kettle", "price": 1}, {"title": "Mug", "price": 2.5})
    fields = {"title": {"path": "$.n"}, "price": {"path": "$.c", "transform": [["scaled", 0.01]]}}
    candidate = propose({"rows": "$.STATE.items[*]", "fields": fields}, (listing,))
    assert candidate.fields == {"title", "price"}
    assert "for row in page.json_rows(" in candidate.source
    with pytest.raises(StrategyDeclined, match="another number of records"):
        propose({"rows": "$.STATE.items[0]", "fields": fields}, (listing,))


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("I cannot help with that.", 'no JSON object with "fields"'),
        ({"fields": {}}, "names no field of the schema"),
        ({"fields": {"title": {"path": "$["}}}, "title: not usable"),
        ({"fields": {"title": {"path": "$.STATE.p.w"}}}, r"no field of the map holds.*wrong: title"),
        ({"fields": {"title": {"path": "$.STATE.q"}}}, "nothing read"),
        ({"rows": "$[", "fields": {"title": {"path": "$.n"}}}, "path of the rows"),
    ],
)
def test_a_map_that_does_not_hold_is_declined_with_its_reason(answer: Any, why: str) -> None:
    with pytest.raises(StrategyDeclined, match=why):
        propose(answer)


def test_it_asks_once_and_only_where_there_is_json_and_a_model() -> None:
    with pytest.raises(StrategyDeclined, match="once"):
        propose({"fields": GOOD}, number=2)
    bare = Sample(Page("https://shop.example/p/9", "<p>Kettle</p>"), SAMPLES[0].truth)
    with pytest.raises(StrategyDeclined, match="carry no JSON"):
        propose({"fields": GOOD}, (bare,))
    with pytest.raises(StrategyDeclined, match="no model"):
        asyncio.run(PathMap(ScriptedCompleter([])).propose(Brief("shop/product", SCHEMA, SAMPLES)))


def test_the_model_sees_islands_by_the_names_that_paths_use_and_the_right_values() -> None:
    completer = ScriptedCompleter([json.dumps({"fields": GOOD})])
    asyncio.run(PathMap(completer).propose(Brief("shop/product", SCHEMA, SAMPLES, model="m")))
    (call,) = completer.asked
    assert 'STATE: {"p":{"n":"Kettle 1","cents":150' in call.user
    assert '{"title": "Kettle 1", "price": 1.5' in call.user
    assert "scaled(" in call.system
