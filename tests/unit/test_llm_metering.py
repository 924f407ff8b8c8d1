"""The ledger: no call is paid twice, and the one that would break the budget is not made."""

import asyncio
from typing import Any

import pytest

from crawloop.contract import Accountable, Answer
from crawloop.errors import BudgetSpent, CompletionError, ConfigError, NoAnswer
from crawloop.llm import Metered, Reply, ScriptedCompleter
from crawloop.llm.redaction import redaction
from crawloop.model.events import Event
from crawloop.model.policy import Budget
from crawloop.model.question import Question
from crawloop.registry import MemoryStore

FAMILY, RUN, AT = "shop/product", "run-1", "2026-01-01T00:00:00Z"


class Shop:
    """A completer with prices: every call costs `cost` and at most `most`."""

    def __init__(self, cost: float | None = 0.25, most: float | None = 0.5, delay: float = 0.0) -> None:
        self.cost, self.most, self.delay = cost, most, delay
        self.asked: list[tuple[str, float]] = []

    max_tokens = 1_000

    def ceiling(self, question: Question) -> float | None:
        return self.most

    async def ask(self, question: Question, temperature: float) -> Reply:
        self.asked.append((question.user, temperature))
        await asyncio.sleep(self.delay)
        if question.user == "fail":
            raise CompletionError("down")
        if question.user == "refuse":
            return Reply("no", self.cost, 10, 3, "m refused")
        if question.user == "cut":
            return Reply("hal", self.cost, 10, 3, "m was cut off", is_cut=True)
        return Reply(f"answer to {question.user}", self.cost, 10, 3)

    async def complete(self, *, system: str, user: str, model: str) -> str:
        raise AssertionError("a priced completer is asked by price")


def meter(shop: Any, store: MemoryStore, told: list[Event] | None = None, **budget: Any) -> Metered:
    made = Metered(shop, store, Budget(**budget), lambda: AT, (told if told is not None else []).append)
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


def test_the_ledger_keeps_question_prompt_tokens_and_what_became_of_the_answer_without_secrets() -> None:
    store = MemoryStore()
    metered = Metered(Shop(), store, Budget(), lambda: AT, redacted=redaction([r"key-\d+", "secret"]))
    metered.begin(FAMILY, RUN)
    completer = metered.of("oracle")
    assert isinstance(completer, Accountable)
    told = asyncio.run(completer.told(Question("be brief", "my secret is key-123", "m", "direct_extract@2")))
    assert told.text == "answer to my [redacted] is [redacted]"
    store.conclude(told.key, "passed")
    kept = store.answer(told.key)
    assert kept is not None
    assert kept.question == "be brief\n\nmy [redacted] is [redacted]"
    assert (kept.prompt, kept.asked, kept.answered, kept.verdict) == ("direct_extract@2", 10, 3, "passed")
    assert store.answers(FAMILY) == [kept]


def test_a_rule_that_is_no_regular_expression_is_named() -> None:
    with pytest.raises(ConfigError, match=r"models.redact holds '\('"):
        redaction(["("])


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


def paid(store: MemoryStore, key: str, family: str, at: str, dollars: float | None = 1.0) -> None:
    store.save_answer(Answer(key, "m", "oracle", "x", dollars, 1.0, family, "earlier", at))


def test_a_month_s_budget_counts_what_other_runs_and_families_paid_in_it() -> None:
    store = MemoryStore()
    paid(store, "a", FAMILY, "2025-12-31T23:59:59Z", 9.0)
    paid(store, "b", FAMILY, "2026-01-01T00:00:00Z")
    paid(store, "c", "other", "2026-01-02T00:00:00Z")
    assert ask(meter(Shop(), store, family_dollars=1.5, month_dollars=2.5), "fits") == ["answer to fits"]
    with pytest.raises(BudgetSpent, match=r"\$1.5 a month for shop/product is spent: \$1.2500 are paid"):
        ask(meter(Shop(), store, family_dollars=1.5), "more")
    with pytest.raises(BudgetSpent, match=r"\$2.5 a month for all families is spent: \$2.2500 are paid"):
        ask(meter(Shop(), store, month_dollars=2.5), "more")
    paid(store, "d", "other", "2026-01-03T00:00:00Z", None)
    with pytest.raises(BudgetSpent, match="price of m is unknown"):
        ask(meter(Shop(), store, month_dollars=100.0), "unpriced")


def test_a_budget_below_nothing_is_refused() -> None:
    with pytest.raises(ConfigError, match="policy.budget.month_dollars is -1"):
        Budget(month_dollars=-1.0)


def test_an_answer_that_does_not_count_is_paid_for_once_and_one_that_was_cut_again_with_more_room() -> None:
    store, shop = MemoryStore(), Shop()
    for _ in range(2):
        with pytest.raises(NoAnswer, match="m refused"):
            ask(meter(shop, store), "refuse")
        with pytest.raises(NoAnswer, match="m was cut off"):
            ask(meter(shop, store), "cut")
    assert [user for user, _ in shop.asked] == ["refuse", "cut"]
    assert store.spend(run=RUN) == (2, 0.5)
    assert {one.flaw for one in store.answers(FAMILY)} == {"m refused", "m was cut off"}
    shop.max_tokens *= 2
    with pytest.raises(NoAnswer):
        ask(meter(shop, store), "cut")
    with pytest.raises(NoAnswer):
        ask(meter(shop, store), "refuse")
    assert [user for user, _ in shop.asked] == ["refuse", "cut", "cut"]
