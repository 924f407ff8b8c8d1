"""Programs that read the elements of a page: texts, labels, attributes, meta."""

from __future__ import annotations

from collections.abc import Sequence

from crawloop.contract import Brief
from crawloop.model.candidate import Candidate
from crawloop.strategy.detail.induce import candidate

_CARRIERS = frozenset(("dom",))


class DomInduction:
    """Finds where known values stand in the elements, and reads them by selector or label."""

    name = "dom"
    needs_model = False

    async def propose(self, brief: Brief) -> Sequence[Candidate]:
        """One candidate. Raises StrategyDeclined where no value of the samples is found."""
        return (candidate(brief, self.name, _CARRIERS),)
