"""What a person should do after an escalation, as commands that can be pasted."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from crawloop.loop.kit import Attempt
from crawloop.model.events import PageSampled
from crawloop.model.outcome import Escalation, Reason


def remedies(outcome: Escalation, at: Attempt) -> Iterator[str]:
    """One line each: a command, then what it is for."""
    from_archive = f" --archive {shlex.quote(at.task.archive)}" if at.task.archive else ""
    again = f"crawloop regen {shlex.quote(at.family.name)}{from_archive}"
    match outcome.reason:
        case Reason.NO_SAMPLES:
            yield f"{again} URL…    # give pages that open in a browser; `pages` says why each one here was none"
            if not from_archive:
                yield f"{again} --archive FOLDER    # pages that you saved yourself, where the site blocks robots"
        case Reason.TOO_FEW_ORACLES:
            yield from _more_oracles(again, outcome, at)
        case Reason.BUDGET_SPENT:
            budget = at.policy.budget.dollars
            more = f"{budget * 2:g}" if budget else "USD"
            yield f"{again} --budget {more}    # answers that were paid for are not paid for again"
        case _:
            yield from _better_programs(again, outcome, at)
    yield f"crawloop audit {shlex.quote(at.family.name)} --escalated    # what waits for a person in this family"


def _more_oracles(again: str, outcome: Escalation, at: Attempt) -> Iterator[str]:
    got = sum(one.truth is not None for one in outcome.samples)
    yield f'{again} --examples right.jsonl    # label pages: one line {{"url": …, "records": […]}} each'
    if got:
        yield f"{again} --min-oracles {got}    # where {got} known page{'s are' if got > 1 else ' is'} enough for you"
    if not at.policy.models:
        yield f"{again} --model NAME    # let a model read the pages"
    yield _more_pages(again, at)


def _more_pages(again: str, at: Attempt) -> str:
    """How more pages come in: by a larger number only where the sample was full, for else there were no more."""
    found = len(at.kit.store.entries(at.family.name, run=at.run, kinds=(PageSampled.__name__,)))
    if found >= at.policy.samples:
        return f"{again} --samples {at.policy.samples * 2}    # look at more pages"
    more = f"# more pages of this kind: no more than {found} could be found"
    return f"{again}    {more}; save them there first" if at.task.archive else f"{again} URL…    {more}"


def _better_programs(again: str, outcome: Escalation, at: Attempt) -> Iterator[str]:
    wrong = sorted({name for one in outcome.verdicts for name, tally in one.fields.items() if tally.wrong})
    says = f"check what is held to be true of {', '.join(wrong)}" if wrong else "check what is held to be true"
    yield f"{again} --examples right.jsonl    # {says}, and label it right"
    if at.policy.models:
        yield f"{again} --model STRONGER    # a stronger model than {at.policy.models[-1]}"
        yield f"{again} --rounds {at.policy.max_rounds * 2}    # more rounds of feedback"
    else:
        yield f"{again} --model NAME    # let a model write the program"
