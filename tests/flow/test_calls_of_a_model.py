"""How often a run asks a model, counted at a server that speaks OpenAI's protocol: as little as it can.

What markup, history or labels know of a page costs nothing. What only a model can read costs a call a page; what only a
model can map or write three more. A careful model is never asked a second time.
"""

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crawloop.brief.prompt import load
from crawloop.llm import LiteLLMCompleter
from crawloop.loop.driver import Loop
from crawloop.loop.states import Task
from crawloop.model.outcome import Outcome, Promotion
from crawloop.model.page import Page
from crawloop.model.policy import Policy
from crawloop.registry import MemoryStore
from crawloop.sandbox import ProcessSandbox
from crawloop.witness.examples import Example
from tests.fakes import shop
from tests.fakes.house import House
from tests.fakes.openai_server import ChatServer, chat_server
from tests.fakes.site import Site, document

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
NUMBERS = range(1, 6)
MODEL = Policy(models=("openai/small",))
OLD = {shop.url(n): shop.old_page(n) for n in range(1, 9)}
NEW = {shop.url(n): shop.new_page(n) for n in range(1, 9)}
PROMPTS = (
    "direct_extract",
    "direct_extract_again",
    "direct_extract_repair",
    "second_reading",
    "selection",
    "path_map",
    "codegen",
)


@contextmanager
def served(
    folder: Path, sandbox: ProcessSandbox, pages: dict[str, str], **more: Any
) -> Iterator[tuple[House, ChatServer]]:
    """A house whose model is behind a server."""
    with chat_server() as server:
        server.answer = answer
        completer = LiteLLMCompleter(base_url=server.url)
        yield House(folder, Site(pages), MemoryStore(folder / "fixtures"), sandbox, completer=completer, **more), server


def messages(body: dict[str, Any]) -> tuple[str, str]:
    system, user = (one["content"] for one in body["messages"])
    return system, user


def prompt_of(body: dict[str, Any]) -> str:
    """The name of the prompt of a call, by the first line of its system part."""
    system, _ = messages(body)
    return next(name for name in PROMPTS if system.startswith(load(name).system.splitlines()[0]))


def answer(body: dict[str, Any]) -> str:
    """What a careful model says: the values of the page that it is shown, with their lines; a program that reads it."""
    if prompt_of(body) == "codegen":
        return f"```python\n{PROGRAM}```"
    if prompt_of(body) != "direct_extract":
        return "{}"
    _, user = messages(body)
    number = next(n for n in NUMBERS if f"page {shop.url(n)} " in user)
    return json.dumps({"records": [{name: cited(value, user) for name, value in known(number, user).items()}]})


def known(number: int, user: str) -> dict[str, Any]:
    return box(number) if "Box number" in user else shop.product(number)


def cited(value: Any, user: str) -> dict[str, Any]:
    said = f"{value:.2f}" if isinstance(value, float) else value
    line = next(line for line in user.splitlines() if line.startswith("[") and said in line)
    return {"value": value, "line": [int(line[1 : line.index("]")])], "snippet": None}


def box(number: int) -> dict[str, Any]:
    return {"title": f"Box number {number}", "price": 12.5 + 7 * number}


def boxed(number: int) -> str:
    one = box(number)
    body = f'<h1 class="title">{one["title"]}</h1><p class="price">{one["price"]:.2f} EUR</p>'
    return document(body, one["title"])


PROGRAM = """def extract(page):
    return [{"title": page.text("h1.title"), "price": number(page.text("p.price"))}]
"""


def prompts(server: ChatServer) -> list[str]:
    return sorted(prompt_of(body) for body, _ in server.asked)


def test_pages_that_only_a_model_can_read_cost_a_call_each(tmp_path: Path, sandbox: ProcessSandbox) -> None:
    with served(tmp_path, sandbox, NEW) as (place, server):
        outcome = place.run(*NUMBERS, policy=MODEL)
    assert isinstance(outcome, Promotion)
    assert prompts(server) == ["direct_extract"] * len(NUMBERS)
    assert outcome.spend.calls == len(NUMBERS)


def paid(place: House) -> Outcome:
    """A run in which no free strategy proposes, nor offers anything to choose from."""
    kit = place.kit
    kit = replace(kit, strategies=tuple(one for one in kit.strategies if one.needs_model), selection=None)
    return asyncio.run(Loop(kit, MODEL).run(Task(shop.FAMILY, "Product@1", tuple(map(shop.url, NUMBERS)))))


@pytest.mark.parametrize("island", ["", '<script id="S" type="application/json">{"build": 7}</script>'])
def test_a_program_that_only_a_model_can_write_costs_three_calls_more_at_most(
    tmp_path: Path, sandbox: ProcessSandbox, island: str
) -> None:
    pages = {shop.url(n): boxed(n).replace("</main>", island + "</main>") for n in range(1, 9)}
    with served(tmp_path, sandbox, pages) as (place, server):
        outcome = paid(place)
    assert isinstance(outcome, Promotion)
    assert outcome.winner.origin == "codegen"
    more = ["path_map"] if island else []
    assert prompts(server) == ["codegen"] * 2 + ["direct_extract"] * len(NUMBERS) + more


def small(number: int) -> dict[str, Any]:
    """A product whose values are so short that where they stand may be chance."""
    marks = "KLMNPQRS"[number % 3]
    return {
        "title": f"Box number {number}",
        "price": float(3 + number % 3),
        "sku": str(6 + number % 3),
        "material": marks,
    }


def smallest(number: int) -> str:
    one = small(number)
    values = f'<p class="x1">{one["price"]:.0f}</p><p class="x2">{one["sku"]}</p><p class="x3">{one["material"]}</p>'
    return document(f'<h1 class="title">{one["title"]}</h1>{values}', one["title"])


@pytest.mark.parametrize("chooses", [True, False])
def test_a_model_selects_before_it_writes(tmp_path: Path, sandbox: ProcessSandbox, chooses: bool) -> None:
    """One small call where a choice will do; where it will not, a program less is written than else."""

    def choosing(body: dict[str, Any]) -> str:
        if prompt_of(body) != "selection":
            return "no idea"
        user = messages(body)[1]
        assert not any(f"{shop.url(n)}:" in user for n in (6, 7, 8))
        return json.dumps({"choices": dict.fromkeys(("price", "sku", "material"), 1 if chooses else 0)})

    pages = {shop.url(n): smallest(n) for n in range(1, 9)}
    examples = tuple(Example(shop.url(n), (small(n),)) for n in NUMBERS)
    with served(tmp_path, sandbox, pages, examples=examples) as (place, server):
        server.answer = choosing
        outcome = place.run(*NUMBERS, policy=replace(MODEL, max_rounds=1))
        assert isinstance(outcome, Promotion) is chooses
        assert prompts(server) == ["selection"] if chooses else ["codegen", "selection"]
    if isinstance(outcome, Promotion):
        assert outcome.winner.origin == "selection"
        run = place.sandbox.run(place.active.source, [Page(shop.url(8), smallest(8))])[0]
        assert run.records == (small(8),)


def test_a_model_that_mends_a_program_is_told_what_has_changed_since(tmp_path: Path, sandbox: ProcessSandbox) -> None:
    examples = tuple(Example(shop.url(n), (shop.product(n),)) for n in NUMBERS)
    with served(tmp_path, sandbox, OLD, examples=examples) as (place, server):
        place.run(*NUMBERS, policy=MODEL)
        place.fetcher = Site(NEW)
        paid(place)
        users = [messages(body)[1] for body, _ in server.asked if prompt_of(body) == "codegen"]
    title = shop.product(1)["title"]
    assert users
    assert all("matches nothing on 4 of 4 pages" in one for one in users), "one page of five is kept"
    assert all(f'h2 ("{title}")' in one for one in users), "where the title stands after the redesign"


def marked(number: int) -> str:
    """A page that prints another price than its linked data have, and whose material only readers see."""
    one = shop.product(number)
    offers = {"@type": "Offer", "price": f"{one['price']:.2f}"}
    data = {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": one["title"],
        "sku": one["sku"],
        "offers": offers,
    }
    island = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    rows = f'<p class="sku">{one["sku"]}</p><p class="material">{one["material"]}</p>'
    return document(f'{island}<h1>{one["title"]}</h1><p class="price">{one["price"] + 10:.2f} EUR</p>{rows}')


def test_a_stronger_model_reads_only_what_is_in_dispute(tmp_path: Path, sandbox: ProcessSandbox) -> None:
    """The cheap one reads the pages and says the price in print; one call to the next tier finds the other right."""

    def says(body: dict[str, Any]) -> str:
        _, user = messages(body)
        if prompt_of(body) == "second_reading":
            assert body["model"] == "large"
            disputes = re.findall(r"dispute (\d+): price on \S+/(\d+)\n  1: ([\d.]+)", user)
            right = {n: 1 if float(first) == shop.product(int(page))["price"] else 2 for n, page, first in disputes}
            return json.dumps({"choices": right})
        assert body["model"] == "small"
        number = next(n for n in NUMBERS if f"page {shop.url(n)} " in user)
        one = shop.product(number)
        return json.dumps(
            {"records": [{name: cited(v, user) for name, v in (one | {"price": one["price"] + 10}).items()}]}
        )

    pages = {shop.url(n): marked(n) for n in range(1, 9)}
    with served(tmp_path, sandbox, pages) as (place, server):
        server.answer = says
        outcome = place.run(*NUMBERS, policy=Policy(models=("openai/small", "openai/large")))
        assert prompts(server) == ["direct_extract"] * len(NUMBERS) + ["second_reading"]
    held = {one.page.url: one.truth.values()[0]["price"] for one in outcome.samples if one.truth}
    assert held == {shop.url(n): shop.product(n)["price"] for n in NUMBERS}


def test_what_markup_says_costs_nothing(tmp_path: Path, sandbox: ProcessSandbox) -> None:
    with served(tmp_path, sandbox, OLD) as (place, server):
        assert isinstance(place.run(*NUMBERS, policy=MODEL), Promotion)
    assert prompts(server) == []


def test_what_history_says_costs_nothing(tmp_path: Path, sandbox: ProcessSandbox) -> None:
    with served(tmp_path, sandbox, OLD) as (place, server):
        place.run(*NUMBERS, policy=MODEL)
        place.fetcher = Site(NEW)
        assert isinstance(place.run(*NUMBERS, policy=MODEL), Promotion)
        assert place.family.active == 2
    assert prompts(server) == []


def test_what_a_person_says_costs_nothing(tmp_path: Path, sandbox: ProcessSandbox) -> None:
    examples = tuple(Example(shop.url(n), (shop.product(n),)) for n in NUMBERS)
    with served(tmp_path, sandbox, NEW, examples=examples) as (place, server):
        assert isinstance(place.run(*NUMBERS, policy=MODEL), Promotion)
    assert prompts(server) == []
