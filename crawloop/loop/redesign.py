"""Whether the active version still fits: if it does not, this is a new layout."""

from __future__ import annotations

from crawloop.contract import Case
from crawloop.loop.kit import Attempt
from crawloop.loop.stale import doubted, stale
from crawloop.loop.trial import judged, known, line
from crawloop.model.candidate import Candidate
from crawloop.model.events import DriftNoticed
from crawloop.model.truth import Sample

MOST_PROBLEMS = 10


async def is_redesigned(samples: tuple[Sample, ...], at: Attempt) -> bool:
    """Whether the active version fails on the samples: then the golden pages of its layout must not block."""
    active = at.active
    if active is None:
        return False
    program = Candidate(active.source, active.origin, frozenset(active.fields), active.plan, active.model)
    case = Case(at.schema, at.policy, samples, history=known(samples, at))
    verdict = await judged(program, case, at)
    doubts = stale([(verdict,)], samples, at.schema)
    if doubts:
        verdict = await judged(program, Case(at.schema, at.policy, doubted(samples, doubts), history=case.history), at)
    fatal = [one for one in verdict.findings if one.fatal]
    if fatal:
        url = next((one.url for one in fatal if one.url), samples[0].page.url)
        problems = tuple(line(one) for one in fatal[:MOST_PROBLEMS])
        at.tell(DriftNoticed, version=active.number, url=url, problems=problems)
    return bool(fatal)
