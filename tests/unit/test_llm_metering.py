"""The ledger: no call is paid twice, and the one that would break the budget is not made."""

import asyncio
from typing import Any

import pytest

from crawloop.errors import BudgetSpent, CompletionError
from crawloop.llm import Metered, Reply, ScriptedCompleter
from crawloop.model.events import Event
from crawloop.model.policy import Budget
from crawloop.registry import MemoryStore

FAMILY, RUN = "shop/product", "run-1"


class Shop:
    """A completer with prices: every call costs `cost` and at most `most`."""

    def __init__(self, cost: float | None = 0.25, most: float | None = 0.5, delay: float = 0.0) -> None:
        self.cost, self.most, self.delay = cost, most, delay
        self.asked: list[tuple[str, float]] = []

    def ceiling(self, *, system: str, user: str, model: str) -> float | None:
        return self.most

    async def ask(self, *, system: str, user: str, model: str, temperature: float) -> Reply:
        self.asked.append((user, temperature))
        await asyncio.sleep(self.delay)
        if user == "fail":
            raise CompletionError("down")
        return Reply(f"answer to {user}", self.cost)

    async def complete(self, *, system: str, user: str, model: str) -> str:
        raise AssertionError("a priced completer is asked by price")


def meter(shop: Any, store: MemoryStore, told: list[Event] | None = None, **budget: Any) -> Metered:
    made = Metered(
        shop, store, Budget(**budget), lambda: "2026-01-01T00:00:00Z", (told if told is not None else []).append
    )
    made.begin(FAMILY, RUN)
    return made


def ask(metered: Metered, *users: str, purpose: str = "oracle", index: int = 0, model: str = "m") -> list[str]:
    async def all_at_once() -> list[str]:
        completer = metered.of(purpose, index)
        return list(await asyncio.gather(*(completer.complete(system="s", user=u, model=model) for u in users)))

    return asyncio.run(all_at_once())


def test_the_same_call_is_paid_once_across_runs_and_at_once() -> None:
    shop, store, told = Shop(delay=0.01), MemoryStore(), []
    assert ask(meter(shop, store, told), "a", "a") == ["answer to a"] * 2
    later = meter(shop, store, told)
    later.begin(FAMILY, "run-2")
    assert ask(later, "a") == ["answer to a"]
    assert len(shop.asked) == 1
    assert [event.cached for event in told] == [False, True, True]  # type: ignore[attr-defined]
    assert store.spend(run=RUN) == (1, 0.25)
    assert store.spend(run="run-2") == (0, 0.0)


def test_purpose_candidate_and_model_make_a_call_another_one() -> None:
    shop = Shop()
    metered = meter(shop, MemoryStore())
    ask(metered, "a")
    ask(metered, "a", purpose="codegen")
    ask(metered, "a", purpose="codegen", index=1)
    ask(metered, "a", model="n")
    assert [temperature for _, temperature in shop.asked] == [0.0, 0.0, 0.4, 0.0]


def test_an_answer_is_in_the_ledger_and_the_audit_before_it_is_used() -> None:
    store, told = MemoryStore(), []
    ask(meter(Shop(), store, told), "a")
    (event,) = told
    assert (event.purpose, event.model, event.dollars) == ("oracle", "m", 0.25)  # type: ignore[attr-defined]
    assert [entry.event.kind for entry in store.entries(FAMILY)] == ["ModelCalled"]


def test_a_failed_call_costs_nothing_and_frees_what_was_set_aside() -> None:
    store = MemoryStore()
    metered = meter(Shop(), store, dollars=0.5)
    with pytest.raises(CompletionError, match="down"):
        ask(metered, "fail")
    assert ask(metered, "a") == ["answer to a"]
    assert store.spend(run=RUN) == (1, 0.25)


def test_the_call_that_would_break_a_budget_of_dollars_is_not_made() -> None:
    shop = Shop()
    metered = meter(shop, MemoryStore(), dollars=0.8)
    ask(metered, "a", "a")
    ask(metered, "b")
    with pytest.raises(
        BudgetSpent, match=r"\$0.8 is spent: \$0.5000 are paid, and the next call to m may cost \$0.5000"
    ):
        ask(metered, "c")
    assert len(shop.asked) == 2
    assert ask(metered, "a") == ["answer to a"]


def test_calls_under_way_count_against_the_budget() -> None:
    shop = Shop(delay=0.01)
    with pytest.raises(BudgetSpent):
        ask(meter(shop, MemoryStore(), dollars=0.9), "a", "b")
    assert len(shop.asked) == 1
    shop = Shop(delay=0.01)
    with pytest.raises(BudgetSpent, match="2 calls"):
        ask(meter(shop, MemoryStore(), calls=2), "a", "b", "c")
    assert len(shop.asked) == 2


@pytest.mark.parametrize("shop", [Shop(most=None), ScriptedCompleter(["x"])], ids=["no price", "no prices"])
def test_with_a_budget_of_dollars_a_model_of_unknown_price_is_not_asked(shop: Any) -> None:
    with pytest.raises(BudgetSpent, match="price of m is unknown.*models.prices"):
        ask(meter(shop, MemoryStore(), dollars=5), "a")
    assert shop.asked == []


def test_an_unknown_price_is_kept_as_unknown() -> None:
    store = MemoryStore()
    ask(meter(ScriptedCompleter(["x"]), store), "a")
    assert store.spend(run=RUN) == (1, None)


def test_a_budget_of_seconds_ends_a_call_that_takes_longer() -> None:
    with pytest.raises(BudgetSpent, match="ended during a call"):
        ask(meter(Shop(delay=5), MemoryStore(), seconds=0.05), "a")
    with pytest.raises(BudgetSpent, match="0 seconds is spent"):
        ask(meter(Shop(), MemoryStore(), seconds=0), "a")
