"""The source is admitted by the sandbox's static check."""

from __future__ import annotations

from collections.abc import Iterator

from crawloop.contract import Case
from crawloop.model.candidate import Trial
from crawloop.model.verdict import Finding


class Safety:
    """One finding for a refused source: it is refused on every page alike."""

    name = "safety"

    def judge(self, trial: Trial, case: Case) -> Iterator[Finding]:
        for run in trial.seen + trial.unseen + trial.golden:
            if run.failure is not None and run.failure.kind == "refused":
                message = f"the sandbox refuses the program: {run.failure.message}"
                yield Finding(self.name, message, line=run.failure.line)
                return
