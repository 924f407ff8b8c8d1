"""Why a model said less than it was asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from crawloop.errors import BudgetSpent, CompletionError, NoAnswer


@dataclass(frozen=True, slots=True)
class Silence:
    """`dead` says why its provider cannot be asked, `flaw` why what it said does not count: "" where neither is so.

    A dead provider tells nothing of the family; a model that refuses, or has no room for its answer, is one that does
    not do. `is_spent` says that the budget ran out.
    """

    dead: str = ""
    flaw: str = ""
    is_spent: bool = False


def silence(failures: Iterable[object]) -> Silence:
    """What these failures come to; the first of each kind is told. Errors of another kind than CompletionError are
    passed over."""
    dead, flaw, is_spent = "", "", False
    for one in failures:
        match one:
            case BudgetSpent():
                is_spent = True
            case NoAnswer():
                flaw = flaw or str(one)
            case CompletionError():
                dead = dead or str(one)
    return Silence(dead, flaw, is_spent)
