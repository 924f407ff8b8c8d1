"""What a call may cost at most, and what it did cost. A price that nobody knows is None, never zero."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from crawloop.model.question import Question

_MILLION = 1_000_000
# Tokenizers give three to four bytes of prose a token, and fewer of code and markup: two is a safe bound.
_LEAST_BYTES_A_TOKEN = 2


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars per million tokens."""

    input: float
    output: float

    def cost(self, asked: int, answered: int) -> float:
        """Dollars for so many tokens in and out."""
        return (asked * self.input + answered * self.output) / _MILLION

    def ceiling(self, prompt: str, max_tokens: int) -> float:
        """More than a call with this prompt can cost."""
        return self.cost(len(prompt.encode("utf-8", "surrogatepass")) // _LEAST_BYTES_A_TOKEN + 1, max_tokens)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered. `dollars` is None where the price is unknown, tokens where nobody counted.

    `flaw` says why the text is no answer though it was paid for; `is_cut`, that with more tokens it might be one.
    """

    text: str
    dollars: float | None = None
    asked: int | None = None
    answered: int | None = None
    flaw: str = ""
    is_cut: bool = False


@runtime_checkable
class PricedCompleter(Protocol):
    """A completer that knows what its calls cost, and that can vary its answers. None is longer than `max_tokens`."""

    max_tokens: int

    def ceiling(self, question: Question) -> float | None:
        """The most that the call can cost in dollars, None where the price is unknown."""
        ...

    async def ask(self, question: Question, temperature: float) -> Reply:
        """Raises CompletionError."""
        ...


def price_list(prices: Mapping[str, Mapping[str, float]]) -> dict[str, Price]:
    """Prices by model from configuration: {name: {"input": …, "output": …}}; what is not named costs nothing."""
    return {name: Price(each.get("input", 0.0), each.get("output", 0.0)) for name, each in prices.items()}
