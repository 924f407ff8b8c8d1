"""Programs that read the JSON of a page: ld+json, microdata, and what scripts and attributes hold."""

from __future__ import annotations

from collections.abc import Sequence

from crawloop.contract import Brief
from crawloop.model.candidate import Candidate
from crawloop.strategy.detail.induce import candidate

_CARRIERS = frozenset(("json",))


class ValuePath:
    """Finds where known values stand in the JSON islands, and reads those paths."""

    name = "value-path"
    needs_model = False

    async def propose(self, brief: Brief) -> Sequence[Candidate]:
        """One candidate. Raises StrategyDeclined where no value of the samples is found."""
        return (candidate(brief, self.name, _CARRIERS),)
