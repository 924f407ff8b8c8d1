"""A chain of transforms from what stands on a page to what is wanted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from crawloop.extract.reading import Apply, Expression

Step = tuple[str, tuple[Any, ...], tuple[tuple[str, Any], ...]]


@dataclass(frozen=True, slots=True)
class Shape:
    """A chain of transforms, applied in order, with what it costs to believe in it."""

    steps: tuple[Step, ...] = ()
    cost: float = 0.0

    def on(self, expression: Expression) -> Expression:
        """The expression with the chain around it."""
        for name, args, named in self.steps:
            expression = Apply(name, (expression,), args, named)
        return expression


def step(name: str, *args: Any, **named: Any) -> Step:
    """One transform with its literal arguments."""
    return name, args, tuple(named.items())
