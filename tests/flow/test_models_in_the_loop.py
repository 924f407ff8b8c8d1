"""The loop with the package's own model parts: a model as witness, a map of paths, programs; each paid for once."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crawloop.llm import Asked, LiteLLMCompleter, ScriptedCompleter
from crawloop.loop.driver import Loop
from crawloop.loop.states import Task
from crawloop.model.outcome import Escalation, Promotion, Reason
from crawloop.model.page import Page
from crawloop.model.policy import Budget, Policy
from crawloop.registry import MemoryStore
from crawloop.sandbox import ProcessSandbox
from crawloop.witness.examples import Example
from tests.fakes import shop
from tests.fakes.house import House
from tests.fakes.openai_server import chat_server
from tests.fakes.site import Site, document

NUMBERS = range(1, 6)
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
MODEL = Policy(models=("small",))


def house(tmp_path: Path, sandbox: ProcessSandbox, pages: dict[str, str], completer: Any, **more: Any) -> House:
    return House(tmp_path, Site(pages), MemoryStore(tmp_path / "fixtures"), sandbox, completer=completer, **more)


def purpose(asked: Asked) -> str:
    begins = {
        "You are given an answer": "repair",
        "You read one web page": "oracle",
        "You map the JSON": "path_map",
        "You write one small": "codegen",
    }
    return next(name for words, name in begins.items() if asked.system.startswith(words))


def labelled(asked: Asked) -> str:
    """What a careful model says of a page of the redesign that it is shown."""
    number = next(n for n in NUMBERS if f"page {shop.url(n)} " in asked.user)
    one = shop.product(number)
    cells = {name: {"value": value, "snippet": f"{value}"} for name, value in one.items()}
    return json.dumps({"records": [cells]})


def test_values_of_a_model_become_a_program_that_needs_none(tmp_path: Path, sandbox: ProcessSandbox) -> None:
    completer = ScriptedCompleter(labelled)
    place = house(tmp_path, sandbox, {shop.url(n): shop.new_page(n) for n in range(1, 9)}, completer)
    ending = place.run(*NUMBERS, policy=MODEL)
    assert isinstance(ending, Promotion)
    assert {purpose(asked) for asked in completer.asked} == {"oracle"}
    assert ending.winner.model is None
    assert ending.spend.calls == len(NUMBERS)
    assert [one["cached"] for one in place.told("ModelCalled")] == [False] * len(NUMBERS)
    place.run(*NUMBERS, policy=MODEL)
    assert len(completer.asked) == len(NUMBERS), "answers that were paid for are not paid for again"


def in_cents(number: int) -> str:
    """A page whose price stands in cents in an island, and in a picture for readers."""
    island = {"item": {"n": f"Box number {number}", "priceCents": 1250 + 7 * number}}
    body = f'<script id="STATE" type="application/json">{json.dumps(island)}</script><h1>Box number {number}</h1>'
    return document(body, f"Box number {number}")


def boxes(tmp_path: Path, sandbox: ProcessSandbox, answers: dict[str, str]) -> House:
    examples = tuple(
        Example(shop.url(n), ({"title": f"Box number {n}", "price": (1250 + 7 * n) / 100},)) for n in NUMBERS
    )
    completer = ScriptedCompleter(lambda asked: answers.get(purpose(asked), "no idea"))
    return house(tmp_path, sandbox, {shop.url(n): in_cents(n) for n in range(1, 9)}, completer, examples=examples)


MAP = json.dumps(
    {
        "fields": {
            "title": {"path": "$.STATE.item.n"},
            "price": {"path": "$.STATE.item.priceCents", "transform": [["scaled", 0.01]]},
        }
    }
)
PROGRAM = """```python
def extract(page):
    cents = page.json("STATE.item.priceCents")
    return [{"title": page.text("h1"), "price": cents / 100 if cents else None}]
```"""


@pytest.mark.parametrize(
    ("answers", "origin"), [({"path_map": MAP, "codegen": PROGRAM}, "path-map"), ({"codegen": PROGRAM}, "codegen")]
)
def test_a_map_is_asked_for_before_programs_and_either_is_judged_like_any_other(
    tmp_path: Path, sandbox: ProcessSandbox, answers: dict[str, str], origin: str
) -> None:
    place = boxes(tmp_path, sandbox, answers)
    kit = place.kit
    paid = replace(kit, strategies=tuple(one for one in kit.strategies if one.needs_model), selection=None)
    ending = asyncio.run(Loop(paid, MODEL).run(Task(shop.FAMILY, "Product@1", tuple(map(shop.url, NUMBERS)))))
    assert isinstance(ending, Promotion)
    assert ending.winner.fields == {"title", "price"}
    assert ending.winner.origin == origin
    run = place.sandbox.run(place.active.source, [Page(shop.url(8), in_cents(8))])[0]
    assert run.records == ({"title": "Box number 8", "price": 13.06},)


def test_a_budget_of_calls_ends_the_run_and_is_told(tmp_path: Path, sandbox: ProcessSandbox) -> None:
    completer = ScriptedCompleter(labelled)
    place = house(tmp_path, sandbox, {shop.url(n): shop.new_page(n) for n in range(1, 9)}, completer)
    place.budget = Budget(calls=2)
    ending = place.run(*NUMBERS, policy=Policy(models=("small",), budget=Budget(calls=2)))
    assert isinstance(ending, Escalation)
    assert ending.reason is Reason.BUDGET_SPENT
    assert len(completer.asked) == 2


def test_the_whole_way_over_http(tmp_path: Path, sandbox: ProcessSandbox) -> None:
    """litellm, a server that speaks OpenAI's protocol, the ledger with prices, induction, gauntlet, promotion."""
    pages = {shop.url(n): shop.new_page(n) for n in range(1, 9)}
    with chat_server() as server:
        server.answer = lambda body: labelled(Asked("", body["messages"][1]["content"], body["model"]))
        completer = LiteLLMCompleter(base_url=server.url, prices={"openai/small": {"input": 1.0, "output": 1.0}})
        place = house(tmp_path, sandbox, pages, completer)
        ending = place.run(*NUMBERS, policy=Policy(models=("openai/small",), budget=Budget(dollars=1.0)))
    assert isinstance(ending, Promotion)
    assert ending.spend.calls == len(server.asked) == len(NUMBERS)
    assert ending.spend.dollars is not None
    assert 0 < ending.spend.dollars < 0.01
