"""Labels that a promotion could not use, so that whoever gave them can look again.

They stand nowhere on their page, though the field's others do; or the winner reads another value, or reads theirs for
another field; or a reading that is right on most others does, and they cost the field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from crawloop.loop.truth.twins import twins
from crawloop.model.kind import Kind, Schema
from crawloop.model.outcome import Promotion
from crawloop.model.truth import Claim, Place, claims
from crawloop.model.verdict import Contradiction, Tally, Verdict
from crawloop.values import fold
from crawloop.values.votes import may_be_outvoted


def slips(outcome: Promotion, verdicts: Iterable[Verdict], schema: Schema) -> Iterator[Contradiction]:
    """Each such label that is not told yet, once, with what the page shows instead where that is known.

    `verdicts` are all of the run.
    """
    said = claims(outcome.samples)
    undecided = frozenset(_undecided(outcome, said, schema))
    conflicts = (conflict for sample in outcome.samples if sample.truth for conflict in sample.truth.conflicts)
    told = {(one.url, one.record, one.field) for one in conflicts}
    told |= {place for place, claim in said.items() if claim.evidence and not claim.supported} - undecided
    against = [one for one in outcome.verdict.contradictions if not one.carried or one.place in undecided]
    for one in (*against, *_of_another(outcome, said, schema), *_costly(outcome, verdicts), *_nowhere(said)):
        if one.place not in told:
            told.add(one.place)
            yield one


def _undecided(outcome: Promotion, said: Mapping[Place, Claim], schema: Schema) -> Iterator[Place]:
    """The places of twins of which neither could decide anything."""
    for pair in twins(outcome.samples, schema):
        if not any(said[place].supported for place in pair):
            yield from pair


def _of_another(outcome: Promotion, said: Mapping[Place, Claim], schema: Schema) -> Iterator[Contradiction]:
    """Texts that the winner reads for another field of their record, and not for their own."""
    got = {one.place: one.got for one in outcome.verdict.contradictions}
    gaps = {(one.url, one.record, one.field) for one in outcome.verdict.findings if one.got is None}
    unread = {place for place in said if place[2] not in outcome.winner.fields or place in gaps}
    values = {place: fold(str(claim.value)) for place, claim in said.items()}
    read = {(*place[:2], fold(str(got.get(place, values[place])))) for place in said if place not in unread}
    for place in sorted(unread):
        if schema[place[2]].kind is Kind.TEXT and (*place[:2], values[place]) in read:
            yield Contradiction(*place, said[place].value, None)


def _costly(outcome: Promotion, verdicts: Iterable[Verdict]) -> Iterator[Contradiction]:
    """What contradicts a reading of a field that the winner lacks for that reason."""
    for verdict in verdicts:
        for one in verdict.contradictions:
            tally = verdict.fields.get(one.field, Tally())
            if one.field not in outcome.winner.fields and may_be_outvoted(tally.right, tally.wrong):
                yield one


def _nowhere(said: Mapping[Place, Claim]) -> Iterator[Contradiction]:
    """Labels that no page carries, in fields of which most are carried: else they are another sort of value."""
    missed = {place: claim for place, claim in said.items() if not claim.evidence}
    lost, known = (Counter(name for _, _, name in places) for places in (missed, said))
    for place, claim in missed.items():
        if 2 * lost[place[2]] < known[place[2]]:
            yield Contradiction(*place, claim.value, None, carried=False)
