"""No exception, timeout or limit on any page."""

from __future__ import annotations

from collections.abc import Iterator

from crawloop.contract import Case
from crawloop.gauntlet.wording import few
from crawloop.model.candidate import Failure, Trial
from crawloop.model.policy import Policy
from crawloop.model.verdict import Finding

_WORDS = {
    "exception": "raised {message}",
    "deadline": "did not finish within {deadline:g} s: {message}",
    "memory": "used too much memory: {message}",
    "output": "returned what is not a list of plain records, or too much of it: {message}",
    "syscall": "asked the system for what no program may have: {message}",
    "crash": "ended its process: {message}",
    "page": "could not be tried, for the page is refused: {message}",
}


class Runs:
    """A failure on a page that nobody kept in sight counts like any other: serving will meet such pages."""

    name = "runs"

    def judge(self, trial: Trial, case: Case) -> Iterator[Finding]:
        runs = (*trial.seen, *trial.unseen, *trial.golden)
        yield from few(
            Finding(self.name, _words(run.failure, case.policy), url=run.url, line=run.failure.line)
            for run in runs
            if run.failure is not None and run.failure.kind != "refused"
        )


def _words(failure: Failure, policy: Policy) -> str:
    words = _WORDS.get(failure.kind, "failed: {message}")
    return words.format(message=failure.message, deadline=policy.deadline)
