"""A completer that answers as it was told, for tests of whatever asks a model."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from crawloop.errors import CompletionError


@dataclass(frozen=True, slots=True)
class Asked:
    """One call as it was made."""

    system: str
    user: str
    model: str


class ScriptedCompleter:
    """Gives `answers` in turn, or what a function makes of each call. An exception among them is raised.

    Raises CompletionError where the script has ended. `asked` holds every call. It is its own ledger.
    """

    def __init__(self, answers: Iterable[str | Exception] | Callable[[Asked], str | Exception]) -> None:
        self._make = answers if callable(answers) else None
        self._left = iter(()) if callable(answers) else iter(answers)
        self.asked: list[Asked] = []

    def of(self, purpose: str, index: int = 0) -> ScriptedCompleter:
        return self

    async def complete(self, *, system: str, user: str, model: str) -> str:
        call = Asked(system, user, model)
        self.asked.append(call)
        answer = self._make(call) if self._make else next(self._left, None)
        if answer is None:
            raise CompletionError(f"the script has no answer to call {len(self.asked)}")
        if isinstance(answer, Exception):
            raise answer
        return answer
