"""Labels that a promotion could not use, so that whoever gave them can look again.

They stand nowhere on their page, though the field's others do; or the winner reads another value; or a reading that is
right on most others does, and they cost the field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from crawloop.model.outcome import Promotion
from crawloop.model.verdict import Contradiction, Tally, Verdict

_MOST = 4  # values that are right or carried for each that is not: more of those are no slips but another sort of value


def slips(outcome: Promotion, verdicts: Iterable[Verdict]) -> Iterator[Contradiction]:
    """Each such label that no witness contradicts, once, with what the page shows instead where that is known.

    `verdicts` are all of the run.
    """
    known = (conflict for sample in outcome.samples if sample.truth for conflict in sample.truth.conflicts)
    told = {(one.url, one.record, one.field) for one in known}
    against = [one for one in outcome.verdict.contradictions if not one.carried]
    for one in (*against, *_costly(outcome, verdicts), *_nowhere(outcome)):
        place = one.url, one.record, one.field
        if place not in told:
            told.add(place)
            yield one


def _costly(outcome: Promotion, verdicts: Iterable[Verdict]) -> Iterator[Contradiction]:
    """What contradicts a reading of a field that the winner lacks for that reason."""
    for verdict in verdicts:
        for one in verdict.contradictions:
            tally = verdict.fields.get(one.field, Tally())
            if one.field not in outcome.winner.fields and tally.right >= _MOST * tally.wrong:
                yield one


def _nowhere(outcome: Promotion) -> Iterator[Contradiction]:
    """Labels that no page carries, in fields whose others are carried."""
    carried: Counter[str] = Counter()
    missed: list[Contradiction] = []
    for sample in outcome.samples:
        for number, record in enumerate(sample.truth.records if sample.truth else ()):
            for name, claim in record.items():
                if claim.evidence:
                    carried[name] += 1
                else:
                    missed.append(Contradiction(sample.page.url, number, name, claim.value, None, carried=False))
    lost = Counter(one.field for one in missed)
    yield from (one for one in missed if carried[one.field] >= _MOST * lost[one.field])
