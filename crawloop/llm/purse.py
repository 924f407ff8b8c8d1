"""The budget of a run, of its family and of a month: the call that would break one is not made."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TypeVar

from crawloop.contract import Clock, Store
from crawloop.errors import BudgetSpent
from crawloop.model.policy import Budget

T = TypeVar("T")
_MONTH = len("2026-01")


class Purse:
    """What a run may still spend. What calls under way can cost at most is set aside until they have ended."""

    def __init__(self, budget: Budget, store: Store, clock: Clock) -> None:
        self._budget = budget
        self._store = store
        self._clock = clock
        self._family, self._run, self._began = "", "", monotonic()
        self._reserved: list[float] = []

    def open(self, family: str, run: str) -> None:
        """Begins a run."""
        self._family, self._run, self._began = family, run, monotonic()

    @property
    def counts_dollars(self) -> bool:
        """Whether any bound is one in dollars."""
        bound = self._budget
        return any(one is not None for one in (bound.dollars, bound.family_dollars, bound.month_dollars))

    @contextmanager
    def reserved(self, model: str, most: float | None) -> Iterator[None]:
        """Sets aside the `most` dollars that a call can cost, None where nobody knows. Raises BudgetSpent."""
        bound = self._budget
        calls, _ = self._store.spend(run=self._run)
        if bound.calls is not None and calls + len(self._reserved) >= bound.calls:
            raise BudgetSpent(f"the budget of {bound.calls} calls is spent")
        if bound.seconds is not None and monotonic() - self._began >= bound.seconds:
            raise BudgetSpent(f"the budget of {bound.seconds:g} seconds is spent")
        for dollars, whose, paid in self._bounds():
            self._check(dollars, whose, paid, model, most)
        self._reserved.append(most or 0.0)
        try:
            yield
        finally:
            self._reserved.remove(most or 0.0)

    async def in_time(self, call: Awaitable[T]) -> T:
        """What is awaited, within the seconds that are left. Raises BudgetSpent."""
        if self._budget.seconds is None:
            return await call
        try:
            async with asyncio.timeout(self._budget.seconds - (monotonic() - self._began)):
                return await call
        except TimeoutError as error:
            raise BudgetSpent(f"the budget of {self._budget.seconds:g} seconds ended during a call") from error

    def _bounds(self) -> Iterator[tuple[float, str, float | None]]:
        """(dollars, whose budget it is, dollars paid of it) for each bound in dollars."""
        bound, month = self._budget, self._clock()[:_MONTH]
        if bound.dollars is not None:
            yield bound.dollars, "", self._store.spend(run=self._run)[1]
        if bound.family_dollars is not None:
            paid = self._store.spend(family=self._family, since=month)[1]
            yield bound.family_dollars, f" a month for {self._family}", paid
        if bound.month_dollars is not None:
            yield bound.month_dollars, " a month for all families", self._store.spend(since=month)[1]

    def _check(self, bound: float, whose: str, paid: float | None, model: str, most: float | None) -> None:
        if most is None or paid is None:
            raise BudgetSpent(
                f"a budget of ${bound:g}{whose} cannot be kept: the price of {model} is unknown; "
                "set it under models.prices, or bound calls instead"
            )
        if paid + sum(self._reserved) + most > bound:
            raise BudgetSpent(
                f"the budget of ${bound:g}{whose} is spent: ${paid:.4f} are paid, and the next call to "
                f"{model} may cost ${most:.4f}"
            )
