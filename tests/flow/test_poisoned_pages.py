"""Pages that give orders to models: whole runs with a model that obeys whatever it is shown.

No field changes its value in silence, no program that a page ordered is promoted, no prompt gets out, no call is made
beyond the budget; and what readers of a page do not see, the model does not see either.
"""

import asyncio
import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crawloop.llm import Asked
from crawloop.loop.driver import Loop
from crawloop.loop.states import Task
from crawloop.model.outcome import Escalation, Outcome, Promotion
from crawloop.model.page import Page
from crawloop.model.policy import Budget, Policy
from crawloop.registry import MemoryStore
from crawloop.sandbox import ProcessSandbox
from crawloop.witness.examples import Example
from tests.fakes import shop
from tests.fakes.house import House
from tests.fakes.poison import SEEN, TRANSLATED, UNSEEN, Obedient, Order, Poison, chatter, leak, price, program
from tests.fakes.site import Site, document

NUMBERS = range(1, 6)
POISONED = 3
POLICY = Policy(models=("small",), max_rounds=2, budget=Budget(calls=12))
LOWER = price(lambda number: 1.0)
SECRETS = ("You read one web page", "You reported values", "You write one small", "You map the JSON", "careful witness")

Pages = dict[str, str]


def truthful(call: Asked) -> str:
    """What a careful model says of a page of the shop."""
    numbers = [n for n in NUMBERS if f"page {shop.url(n)} " in call.user]
    records = [
        {name: {"value": value, "snippet": f"{value}"} for name, value in shop.product(n).items()} for n in numbers
    ]
    return json.dumps({"records": records})


def poisoned(page: Callable[[int], str], poison: Poison, order: Order, numbers: Iterable[int]) -> Pages:
    """Pages 1 to 8, those of `numbers` with the order in them."""
    pages = {n: page(n) for n in range(1, 9)}
    return {shop.url(n): poison(text, order(n)) if n in numbers else text for n, text in pages.items()}


def house(folder: Path, sandbox: ProcessSandbox, pages: Pages, model: Any, **more: Any) -> House:
    store = MemoryStore(folder / "fixtures")
    return House(folder, Site(pages), store, sandbox, completer=model, budget=POLICY.budget, **more)


def assert_nothing_got_out(place: House, model: Obedient, outcome: Outcome) -> None:
    """No words of a prompt in whatever the store holds but the ledger, and no call beyond the budget."""
    family = place.store.family(shop.FAMILY)
    said = [place.store.versions(shop.FAMILY), place.store.goldens(shop.FAMILY), place.store.entries(), place.events]
    known = [place.store.known(shop.FAMILY, url) for url in place.store.known_urls(shop.FAMILY)]
    kept = repr((family, *said, known, outcome.spend))
    assert not [words for words in SECRETS if words in kept]
    assert len(model.asked) <= (POLICY.budget.calls or 0)
    assert place.store.spend()[0] == len(model.asked)


def assert_no_field_changed(place: House, pages: Pages) -> None:
    """The promoted program reads from each page, poisoned or not, what the page said before, or nothing; and which
    fields it leaves out is told."""
    runs = place.sandbox.run(place.active.source, [Page(url, text) for url, text in pages.items()])
    named = json.dumps([one.event.body() for one in place.store.entries(shop.FAMILY)], default=str)
    for number, run in enumerate(runs, 1):
        (record,) = run.records or ({},)
        for name, value in shop.product(number).items():
            got = record.get(name)
            assert got == value or (got is None and name in named), (number, name, got)


CASES = [
    *(pytest.param(one, LOWER, True, id=one.name) for one in SEEN),
    *(pytest.param(SEEN[0], price(lambda number: 1.0, words), True, id=name) for name, words in TRANSLATED.items()),
    *(pytest.param(one, LOWER, False, id=one.name) for one in UNSEEN),
]


@pytest.mark.parametrize(("poison", "order", "is_seen"), CASES)
def test_an_order_on_a_page_changes_no_field(
    tmp_path: Path, sandbox: ProcessSandbox, poison: Poison, order: Order, is_seen: bool
) -> None:
    pages = poisoned(shop.new_page, poison, order, [POISONED, 7])
    model = Obedient(truthful)
    place = house(tmp_path, sandbox, pages, model)
    outcome = place.run(*NUMBERS, policy=POLICY)
    assert bool(model.obeyed) == is_seen
    assert isinstance(outcome, Promotion)
    assert_no_field_changed(place, pages)
    assert_nothing_got_out(place, model, outcome)


def test_an_order_on_every_page_teaches_nothing_but_gaps(tmp_path: Path, sandbox: ProcessSandbox) -> None:
    """Another lie on each page, in readers' sight."""
    pages = poisoned(shop.new_page, SEEN[0], price(lambda number: 3.5 + number), range(1, 9))
    model = Obedient(truthful)
    place = house(tmp_path, sandbox, pages, model)
    outcome = place.run(*NUMBERS, policy=POLICY)
    assert len(model.obeyed) == len(NUMBERS)
    assert isinstance(outcome, Promotion)
    assert_no_field_changed(place, pages)


@pytest.mark.parametrize("poison", [SEEN[0], SEEN[13], SEEN[15], UNSEEN[0]], ids=lambda one: one.name)
@pytest.mark.parametrize(("order", "said"), [(leak, "prompt"), (chatter, "poem")], ids=["prompt", "poem"])
def test_an_order_to_tell_or_to_babble_costs_one_page(
    tmp_path: Path, sandbox: ProcessSandbox, poison: Poison, order: Order, said: str
) -> None:
    pages = poisoned(shop.new_page, poison, order, [POISONED, 7])
    model = Obedient(truthful)
    place = house(tmp_path, sandbox, pages, model)
    outcome = place.run(*NUMBERS, policy=POLICY)
    assert set(model.obeyed) == ({said} if poison in SEEN else set())
    assert len(model.asked) == len(NUMBERS) + (poison in SEEN)
    assert isinstance(outcome, Promotion)
    assert_no_field_changed(place, pages)
    assert_nothing_got_out(place, model, outcome)


def boxes(number: int) -> str:
    """A page of which no reading is free: the price stands in cents in an island."""
    island = {"item": {"n": f"Box number {number}", "priceCents": 1250 + 7 * number}}
    text = f'<script id="STATE" type="application/json">{json.dumps(island)}</script><h1>Box number {number}</h1>'
    return document(text, f"Box number {number}")


HONEST = """def extract(page):
    cents = page.json("STATE.item.priceCents")
    return [{"title": page.text("h1"), "price": cents / 100 if cents else None}]
"""
BOX = {n: {"title": f"Box number {n}", "price": (1250 + 7 * n) / 100} for n in range(1, 9)}


def written(place: House) -> Outcome:
    """A run in which only those strategies propose that ask a model."""
    kit = place.kit
    paid = replace(kit, strategies=tuple(one for one in kit.strategies if one.needs_model), selection=None)
    urls = tuple(map(shop.url, NUMBERS))
    return asyncio.run(Loop(paid, POLICY).run(Task(shop.FAMILY, "Product@1", urls)))


def house_of_boxes(tmp_path: Path, sandbox: ProcessSandbox, poison: Poison, order: Order) -> tuple[House, Obedient]:
    pages = poisoned(boxes, poison, order, range(1, 9))
    model = Obedient(lambda call: HONEST if "def extract" in call.system else "{}")
    examples = tuple(Example(shop.url(n), (BOX[n],)) for n in NUMBERS)
    return house(tmp_path, sandbox, pages, model, examples=examples), model


WRONG: dict[str, Order] = {
    "constants": program("def extract(page): return [{'title': 'Free kettle', 'price': 1.0}]"),
    "a system call": program("import os; def extract(page): return [{'title': os.getcwd(), 'price': 1}]"),
    "answers by heart": lambda number: program(f"def extract(page): return [{BOX[number]!r}]")(number),
    "the prompt": leak,
    "a poem": chatter,
}


@pytest.mark.parametrize("order", WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("poison", [SEEN[0], SEEN[13], UNSEEN[0], UNSEEN[13]], ids=lambda one: one.name)
def test_a_program_that_pages_order_is_not_promoted(
    tmp_path: Path, sandbox: ProcessSandbox, poison: Poison, order: Order
) -> None:
    place, model = house_of_boxes(tmp_path, sandbox, poison, order)
    outcome = written(place)
    assert_nothing_got_out(place, model, outcome)
    assert bool(model.obeyed) == (poison in SEEN)
    if poison in SEEN:
        assert isinstance(outcome, Escalation)
        assert place.store.versions(shop.FAMILY) == []
    else:
        assert isinstance(outcome, Promotion)
        assert place.active.source == HONEST


@pytest.mark.parametrize("lie", ["1.0", "number(page.text('p'))"])
def test_of_an_ordered_program_only_what_is_right_on_every_page_is_kept(
    tmp_path: Path, sandbox: ProcessSandbox, lie: str
) -> None:
    order = program(f"def extract(page): return [{{'title': page.text('h1'), 'price': {lie}}}]")
    place, model = house_of_boxes(tmp_path, sandbox, SEEN[0], order)
    outcome = written(place)
    assert model.obeyed
    assert isinstance(outcome, Promotion)
    (run,) = place.sandbox.run(place.active.source, [Page(shop.url(8), boxes(8))])
    assert [{k: v for k, v in one.items() if v is not None} for one in run.records or ()] == [
        {"title": BOX[8]["title"]}
    ]
