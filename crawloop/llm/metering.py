"""The ledger: no call is paid for twice, and none is made that would break the budget.

Each answer is stored before anybody uses it, under a key of all that was asked. A run that was killed, a stronger
tier and a later run get it from there. One that does not count is kept as well, for it was paid for too.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from crawloop.contract import Answer, Clock, Completer, Observer, Store
from crawloop.errors import NoAnswer
from crawloop.llm.pricing import PricedCompleter, Reply
from crawloop.llm.purse import Purse
from crawloop.model.events import ModelCalled, unwatched
from crawloop.model.policy import Budget
from crawloop.model.question import Question, Told

_STEADY = 0.0
_LIVELIEST = 1.0


@dataclass(frozen=True, slots=True)
class Call:
    """A question with what makes it different from the same one. `index` tells candidates of one prompt apart."""

    question: Question
    purpose: str = ""
    index: int = 0

    @property
    def key(self) -> str:
        """SHA-256 of the call, by which its answer is kept."""
        asked = self.question
        whole = json.dumps([asked.model, asked.system, asked.user, self.purpose, self.index])
        return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()

    def key_of_cut(self, most: int) -> str:
        """By which an answer is kept that was cut off at so many tokens: with more of them it is asked for again."""
        return hashlib.sha256(f"{self.key} {most}".encode()).hexdigest()

    @property
    def temperature(self) -> float:
        """The first answer is the steadiest; each further candidate is asked for more boldly."""
        return min(_LIVELIEST, _STEADY + 0.4 * self.index)


class Metered:
    """A Completer whose calls are kept, counted and bounded; `of` gives one for a purpose.

    Raises BudgetSpent before the call that would break the budget. Where a budget in dollars is set, a model whose
    price nobody knows is not asked at all. `redacted` takes out of a text what must not be kept.
    """

    def __init__(
        self,
        completer: Completer,
        store: Store,
        budget: Budget,
        clock: Clock,
        observer: Observer = unwatched,
        *,
        redacted: Callable[[str], str] = str,
    ) -> None:
        self._completer = completer
        self._store = store
        self._purse = Purse(budget, store, clock)
        self._clock = clock
        self._observer = observer
        self._redacted = redacted
        self._family, self._run = "", ""
        self._locks: dict[str, asyncio.Lock] = {}

    def begin(self, family: str, run: str) -> None:
        """Says which run pays from here on."""
        self._family, self._run = family, run
        self._purse.open(family, run)

    def of(self, purpose: str, index: int = 0) -> Completer:
        """A completer for one purpose, and for one of several candidates of the same prompt."""
        return _Purposed(self, purpose, index)

    async def complete(self, *, system: str, user: str, model: str) -> str:
        return await self.answered(Call(Question(system, user, model)))

    async def answered(self, call: Call) -> str:
        """The answer, from the ledger where it is there. Two who ask the same at once are answered by one call.

        Raises NoAnswer where what the model said does not count, CompletionError where it cannot be asked.
        """
        lock = self._locks.setdefault(call.key, asyncio.Lock())
        async with lock:
            answer = self._known(call)
            if answer is None:
                answer = await self._paid(call)
            else:
                self._tell(call, 0.0, 0.0, cached=True)
        self._locks.pop(call.key, None)
        if answer.flaw:
            raise NoAnswer(answer.flaw)
        return answer.text

    def _known(self, call: Call) -> Answer | None:
        return self._store.answer(call.key) or self._store.answer(call.key_of_cut(self._most))

    @property
    def _most(self) -> int:
        """How many tokens an answer may have, 0 where that is not known."""
        return self._completer.max_tokens if isinstance(self._completer, PricedCompleter) else 0

    async def _paid(self, call: Call) -> Answer:
        started = monotonic()
        asked = call.question
        with self._purse.reserved(asked.model, self._ceiling(call)):
            reply = await self._purse.in_time(self._asked(call))
            seconds = monotonic() - started
            answer = self._kept(call, reply, seconds)
            self._store.save_answer(answer)
        self._tell(call, seconds, reply.dollars, cached=False)
        return answer

    def _kept(self, call: Call, reply: Reply, seconds: float) -> Answer:
        """The reply as the ledger is to keep it."""
        asked = call.question
        return Answer(
            key=call.key_of_cut(self._most) if reply.is_cut else call.key,
            model=asked.model,
            purpose=call.purpose,
            text=self._redacted(reply.text),
            dollars=reply.dollars,
            seconds=seconds,
            family=self._family,
            run=self._run,
            at=self._clock(),
            prompt=asked.prompt,
            question=self._redacted(f"{asked.system}\n\n{asked.user}"),
            asked=reply.asked,
            answered=reply.answered,
            flaw=self._redacted(reply.flaw),
        )

    async def _asked(self, call: Call) -> Reply:
        asked = call.question
        if isinstance(self._completer, PricedCompleter):
            return await self._completer.ask(asked, call.temperature)
        return Reply(await self._completer.complete(system=asked.system, user=asked.user, model=asked.model))

    def _ceiling(self, call: Call) -> float | None:
        if not self._purse.counts_dollars or not isinstance(self._completer, PricedCompleter):
            return None
        return self._completer.ceiling(call.question)

    def _tell(self, call: Call, seconds: float, dollars: float | None, *, cached: bool) -> None:
        event = ModelCalled(
            self._family,
            self._clock(),
            self._run,
            purpose=call.purpose,
            model=call.question.model,
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
        return (await self.told(Question(system, user, model))).text

    async def told(self, question: Question) -> Told:
        call = Call(question, self.purpose, self.index)
        return Told(await self.meter.answered(call), call.key)
