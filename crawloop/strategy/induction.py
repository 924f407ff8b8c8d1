"""Programs that read all carriers of a page at once, each field from the likeliest, with the others to fall back on."""

from __future__ import annotations

from collections.abc import Sequence

from crawloop.contract import Brief
from crawloop.model.candidate import Candidate
from crawloop.strategy.detail.induce import candidate

CARRIERS = frozenset(("json", "dom"))


class Induction:
    """Weighs the readings of JSON and of elements against each other, field by field."""

    name = "induction"
    needs_model = False

    async def propose(self, brief: Brief) -> Sequence[Candidate]:
        """One candidate. Raises StrategyDeclined where no value of the samples is found."""
        return (candidate(brief, self.name, CARRIERS),)
