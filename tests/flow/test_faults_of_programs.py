"""Faults of programs, judged where programs run: in the sandbox, on a page that nobody has shown to a strategy."""

import asyncio
import json
import os
import time
from typing import Any

import pytest

from crawloop.contract import Brief, Strategy
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page, Record
from crawloop.model.truth import Claim, Sample, Truth
from crawloop.sandbox import ProcessSandbox
from crawloop.strategy.induction import Induction
from crawloop.strategy.value_path import ValuePath
from crawloop.values import normalise

URL = "https://shop.example/p/{}"
STRATEGIES = [pytest.param(ValuePath(), id="value-path"), pytest.param(Induction(), id="induction")]


def sample(number: int, html: str, **values: Any) -> Sample:
    claims = {name: Claim(value, ("examples",)) for name, value in values.items()}
    return Sample(Page(URL.format(number), html), Truth(URL.format(number), (claims,)))


def served(
    strategy: Strategy, fields: tuple[Field, ...], samples: list[Sample], html: str, sandbox: ProcessSandbox
) -> Record:
    """What the first program that is learnt from the samples returns for an unseen page."""
    brief = Brief("shop", Schema("Item@1", fields), tuple(samples))
    candidate = asyncio.run(strategy.propose(brief))[0]
    (run,) = sandbox.run(candidate.source, [Page(URL.format(9), html)])
    assert run.records is not None, run.failure
    return run.records[0]


def script(value: Any, kind: str = "application/json", name: str = "") -> str:
    marked = f' id="{name}"' if name else ""
    return f'<script type="{kind}"{marked}>{json.dumps(value)}</script>'


@pytest.mark.parametrize(
    "source",
    [
        "def extract(page):\n    while True:\n        pass\n",
        "def extract(page):\n    return [{'v': 'x' * 10**9} for _ in range(10**6)]\n",
    ],
)
def test_fault_08_a_promoted_program_can_neither_hang_nor_fill_the_caller(source: str, sandbox: ProcessSandbox) -> None:
    started = time.monotonic()
    (run,) = sandbox.run(source, [Page(URL.format(1), "<p>page</p>")], deadline=0.5)
    assert run.records is None
    assert run.failure is not None
    assert time.monotonic() - started < 20


def test_fault_08_a_promoted_program_sees_no_secret(sandbox: ProcessSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRAWLOOP_TEST_SECRET", "hunter2")
    attempts = (
        "import os\ndef extract(page):\n    return [{'v': os.environ.get('CRAWLOOP_TEST_SECRET')}]\n",
        "def extract(page):\n    return [{'v': open('/proc/self/environ').read()}]\n",
        f"def extract(page):\n    return [{{'v': open('/proc/{os.getpid()}/environ').read()}}]\n",
        "def extract(page):\n    return [{'v': str(page.text.__globals__)}]\n",
    )
    for source in attempts:
        (run,) = sandbox.run(source, [Page(URL.format(1), "<p>page</p>")])
        assert "hunter2" not in repr(run)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_fault_10_the_island_that_holds_the_value_is_found_among_all(
    strategy: Strategy, sandbox: ProcessSandbox
) -> None:
    def page(name: str, price: float) -> str:
        first = script({"page": "product", "consent": True})
        other = script({"@type": "BreadcrumbList", "name": "Shop"}, "application/ld+json")
        return f"<body>{first}{other}{script({'item': {'label': name, 'cost': price}}, name='state')}</body>"

    fields = (Field("name"), Field("price", Kind.MONEY))
    samples = [
        sample(1, page("Copper kettle", 31.5), name="Copper kettle", price=31.5),
        sample(2, page("Steel kettle", 28.25), name="Steel kettle", price=28.25),
    ]
    got = served(strategy, fields, samples, page("Glass kettle", 44.75), sandbox)
    assert got == {"name": "Glass kettle", "price": 44.75}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_fault_11_a_coincidence_is_no_path(strategy: Strategy, sandbox: ProcessSandbox) -> None:
    def page(name: str, rating: float) -> str:
        stars = {"@type": "AggregateRating", "bestRating": 5, "worstRating": 1, "ratingValue": rating}
        return script({"@type": "Product", "name": name, "aggregateRating": stars}, "application/ld+json")

    fields = (Field("name"), Field("rating", Kind.NUMBER))
    samples = [
        sample(1, page("Copper kettle", 5), name="Copper kettle", rating=5),
        sample(2, page("Steel kettle", 4.5), name="Steel kettle", rating=4.5),
    ]
    assert served(strategy, fields, samples, page("Glass kettle", 3.5), sandbox)["rating"] == 3.5


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_fault_11_a_graph_may_be_reordered(strategy: Strategy, sandbox: ProcessSandbox) -> None:
    def page(name: str, turned: bool) -> str:
        graph = [{"@type": "WebSite", "name": "The shop"}, {"@type": "Product", "name": name, "sku": f"{name}-1"}]
        return script({"@graph": graph[::-1] if turned else graph}, "application/ld+json")

    fields = (Field("name"),)
    samples = [
        sample(1, page("Copper kettle", False), name="Copper kettle"),
        sample(2, page("Steel kettle", False), name="Steel kettle"),
    ]
    assert served(strategy, fields, samples, page("Glass kettle", True), sandbox) == {"name": "Glass kettle"}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_fault_15_an_enum_is_told_by_its_whole_label(strategy: Strategy, sandbox: ProcessSandbox) -> None:
    def page(name: str, stock: str) -> str:
        return script({"@type": "Product", "name": name, "stock": stock}, "application/ld+json")

    fields = (Field("name"), Field("stock", Kind.ENUM, choices=("available", "unavailable")))
    samples = [
        sample(1, page("Copper kettle", "available"), name="Copper kettle", stock="available"),
        sample(2, page("Steel kettle", "unavailable"), name="Steel kettle", stock="unavailable"),
        sample(3, page("Tin kettle", "available"), name="Tin kettle", stock="available"),
    ]
    assert served(strategy, fields, samples, page("Glass kettle", "unavailable"), sandbox)["stock"] == "unavailable"
    other = served(strategy, fields, samples, page("Glass kettle", "not available yet"), sandbox)["stock"]
    assert normalise(other, fields[1]) is None  # and so serving leaves it null and names it
