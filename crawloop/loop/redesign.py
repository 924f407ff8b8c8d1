"""The active version on today's pages: whether it still fits, and what of it may serve again."""

from __future__ import annotations

from crawloop.contract import Case
from crawloop.loop.contest.trial import judged, known, line
from crawloop.loop.kit import Attempt
from crawloop.loop.truth.doubts import doubted, doubts
from crawloop.model.candidate import Candidate
from crawloop.model.events import DriftNoticed
from crawloop.model.truth import Sample
from crawloop.shape import Layouts, marks

MOST_PROBLEMS = 10


def incumbent(at: Attempt) -> Candidate | None:
    """The active version as a candidate: what still fits of it need not be found anew."""
    active = at.active
    if active is None:
        return None
    return Candidate(
        active.source,
        f"version {active.number}",
        frozenset(active.fields),
        active.plan,
        active.model,
        dict(active.notes),
    )


async def is_redesigned(samples: tuple[Sample, ...], at: Attempt) -> bool:
    """Whether the active version fails on the samples, or a field of it is gone from all of them, or half of
    them are of a layout that it has never seen.

    Then the golden pages of its layout must not block.
    """
    active, program = at.active, incumbent(at)
    if active is None or program is None:
        return False
    case = Case(at.schema, at.policy, samples, history=known(samples, at))
    verdict = await judged(program, case, at)
    doubtful = doubts([(verdict,)], samples, at.schema)
    if doubtful:
        believed = doubted(samples, (one.place for one in doubtful))
        verdict = await judged(program, Case(at.schema, at.policy, believed, history=case.history), at)
    gone = {name for name, tally in verdict.fields.items() if tally.gap and not tally.right} - set(active.residual)
    telling = [one for one in verdict.findings if one.fatal or one.field in gone]
    if telling:
        url = next((one.url for one in telling if one.url), samples[0].page.url)
        problems = tuple(line(one) for one in telling[:MOST_PROBLEMS])
        at.tell(DriftNoticed, version=active.number, url=url, problems=problems)
    return bool(telling or gone) or _is_elsewhere(samples, at)


def _is_elsewhere(samples: tuple[Sample, ...], at: Attempt) -> bool:
    """Whether half of the pages with truth, or more, are of a layout that no golden page has, of whatever epoch.

    One odd page among many is no layout that a site has got.
    """
    pages = [one.page.html for one in samples if one.truth]
    known = Layouts([golden.html for golden in at.kit.store.goldens(at.family.name)])
    return bool(pages) and 2 * sum(known.is_new(marks(html)) for html in pages) >= len(pages)
