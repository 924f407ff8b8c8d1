"""Every knob of a run, validated once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from crawloop.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Budget:
    """Hard bounds on one run. None means no bound."""

    dollars: float | None = None
    calls: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Policy:
    """How a run is made. `models` go from cheap to strong; none means that no model is asked."""

    models: tuple[str, ...] = ()
    candidates: int = 2
    max_rounds: int = 3
    samples: int = 5
    min_oracles: int = 3
    agreement_bar: float = 0.98
    deadline: float = 5.0
    cooldown_hours: float = 24.0
    budget: Budget = Budget()

    def __post_init__(self) -> None:
        for name, low in (("candidates", 1), ("max_rounds", 1), ("samples", 1), ("min_oracles", 1)):
            if getattr(self, name) < low:
                raise ConfigError(f"policy.{name} is {getattr(self, name)}: use {low} or more")
        if not 0 < self.agreement_bar <= 1:
            raise ConfigError(f"policy.agreement_bar is {self.agreement_bar}: use a share above 0 and at most 1")
        if self.deadline <= 0:
            raise ConfigError(f"policy.deadline is {self.deadline}: use seconds above 0")
        if self.min_oracles > self.samples:
            raise ConfigError(
                f"policy.min_oracles is {self.min_oracles} but policy.samples is {self.samples}: "
                "lower min_oracles or raise samples"
            )

    def evolve(self, **changes: Any) -> Policy:
        """A copy with `changes`, validated again."""
        return replace(self, **changes)
