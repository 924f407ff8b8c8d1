"""The ledger: no call is paid for twice, and none is made that would break the budget.

Each answer is stored before anybody uses it, under a key of all that was asked. A run that was killed, a stronger
tier and a later run get it from there.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import monotonic

from crawloop.contract import Answer, Clock, Completer, Observer, Store
from crawloop.errors import BudgetSpent
from crawloop.llm.pricing import PricedCompleter, Reply
from crawloop.model.events import ModelCalled, unwatched
from crawloop.model.policy import Budget

_STEADY = 0.0
_LIVELIEST = 1.0


@dataclass(frozen=True, slots=True)
class Call:
    """All that makes one question different from another. `index` tells candidates of one prompt apart."""

    model: str
    system: str
    user: str
    purpose: str
    index: int

    @property
    def key(self) -> str:
        """SHA-256 of the call, by which its answer is kept."""
        whole = json.dumps([self.model, self.system, self.user, self.purpose, self.index])
        return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def temperature(self) -> float:
        """The first answer is the steadiest; each further candidate is asked for more boldly."""
        return min(_LIVELIEST, _STEADY + 0.4 * self.index)


class Metered:
    """A Completer whose calls are kept, counted and bounded; `of` gives one for a purpose.

    Raises BudgetSpent before the call that would break the budget. Where a budget in dollars is set, a model whose
    price nobody knows is not asked at all.
    """

    def __init__(
        self, completer: Completer, store: Store, budget: Budget, clock: Clock, observer: Observer = unwatched
    ) -> None:
        self._completer = completer
        self._store = store
        self._budget = budget
        self._clock = clock
        self._observer = observer
        self._family, self._run, self._began = "", "", monotonic()
        self._reserved: list[float] = []
        self._locks: dict[str, asyncio.Lock] = {}

    def begin(self, family: str, run: str) -> None:
        """Says which run pays from here on."""
        self._family, self._run, self._began = family, run, monotonic()

    def of(self, purpose: str, index: int = 0) -> Completer:
        """A completer for one purpose, and for one of several candidates of the same prompt."""
        return _Purposed(self, purpose, index)

    async def complete(self, *, system: str, user: str, model: str) -> str:
        return await self.answered(Call(model, system, user, "", 0))

    async def answered(self, call: Call) -> str:
        """The answer, from the ledger where it is there. Two who ask the same at once are answered by one call."""
        lock = self._locks.setdefault(call.key, asyncio.Lock())
        async with lock:
            known = self._store.answer(call.key)
            if known is None:
                text = await self._paid(call)
            else:
                text = known.text
                self._tell(call, 0.0, 0.0, cached=True)
        self._locks.pop(call.key, None)
        return text

    async def _paid(self, call: Call) -> str:
        started = monotonic()
        async with self._within_budget(call):
            reply = await self._in_time(call)
            seconds = monotonic() - started
            self._store.save_answer(
                Answer(
                    key=call.key,
                    model=call.model,
                    purpose=call.purpose,
                    text=reply.text,
                    dollars=reply.dollars,
                    seconds=seconds,
                    family=self._family,
                    run=self._run,
                    at=self._clock(),
                )
            )
        self._tell(call, seconds, reply.dollars, cached=False)
        return reply.text

    async def _in_time(self, call: Call) -> Reply:
        if self._budget.seconds is None:
            return await self._asked(call)
        try:
            async with asyncio.timeout(self._budget.seconds - (monotonic() - self._began)):
                return await self._asked(call)
        except TimeoutError as error:
            raise BudgetSpent(f"the budget of {self._budget.seconds:g} seconds ended during a call") from error

    async def _asked(self, call: Call) -> Reply:
        if isinstance(self._completer, PricedCompleter):
            return await self._completer.ask(
                system=call.system, user=call.user, model=call.model, temperature=call.temperature
            )
        return Reply(await self._completer.complete(system=call.system, user=call.user, model=call.model))

    @asynccontextmanager
    async def _within_budget(self, call: Call) -> AsyncIterator[None]:
        """Sets aside what the call can cost at most while it is under way. Raises BudgetSpent."""
        most = self._ceiling(call)
        calls, dollars = self._store.spend(run=self._run)
        bound = self._budget
        if bound.calls is not None and calls + len(self._reserved) >= bound.calls:
            raise BudgetSpent(f"the budget of {bound.calls} calls is spent")
        if bound.seconds is not None and monotonic() - self._began >= bound.seconds:
            raise BudgetSpent(f"the budget of {bound.seconds:g} seconds is spent")
        if bound.dollars is not None:
            if most is None or dollars is None:
                raise BudgetSpent(
                    f"a budget of ${bound.dollars:g} cannot be kept: the price of {call.model} is unknown; "
                    "set it under models.prices, or bound calls instead"
                )
            if dollars + sum(self._reserved) + most > bound.dollars:
                raise BudgetSpent(
                    f"the budget of ${bound.dollars:g} is spent: ${dollars:.4f} are paid, and the next call to "
                    f"{call.model} may cost ${most:.4f}"
                )
        self._reserved.append(most or 0.0)
        try:
            yield
        finally:
            self._reserved.remove(most or 0.0)

    def _ceiling(self, call: Call) -> float | None:
        if self._budget.dollars is None or not isinstance(self._completer, PricedCompleter):
            return None
        return self._completer.ceiling(system=call.system, user=call.user, model=call.model)

    def _tell(self, call: Call, seconds: float, dollars: float | None, *, cached: bool) -> None:
        event = ModelCalled(
            self._family,
            self._clock(),
            self._run,
            purpose=call.purpose,
            model=call.model,
            seconds=round(seconds, 3),
            dollars=dollars,
            cached=cached,
        )
        self._store.audit(event)
        self._observer(event)


@dataclass(frozen=True, slots=True)
class _Purposed:
    """A Completer over `Metered` that says what its calls are for."""

    meter: Metered
    purpose: str
    index: int

    async def complete(self, *, system: str, user: str, model: str) -> str:
        return await self.meter.answered(Call(model, system, user, self.purpose, self.index))
