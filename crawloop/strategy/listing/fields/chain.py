"""Which readings of a field are believed, and which are fallen back on where the best finds nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crawloop.extract.reading import Apply, Expression, Read, innermost
from crawloop.values.votes import ANY, may_be_outvoted, outvoted

_WRONG = 3.0
_SPURIOUS = 0.5
_UNLIKE = 0.05  # what it costs to be right in other letters: "12-7" where "12–7" stands too
_FALLBACKS = 2
_NEARLY = 0.9


@dataclass(frozen=True, slots=True)
class Judged:
    """An expression with the rows on which it is right, wrong, or says something that truth does not speak of."""

    expression: Expression
    cost: float
    right: frozenset[int]
    wrong: frozenset[int]
    silent: frozenset[int]
    spurious: int
    unlike: int = 0

    def worth(self, known: int) -> float:
        lost = _WRONG * len(self.wrong) + _SPURIOUS * min(self.spurious, known) + _UNLIKE * self.unlike
        return (len(self.right) - lost) / max(known, 1) - 0.04 * self.cost

    def before(self, common: Judged) -> Judged:
        """This reading where it finds something, which is nowhere wrong, and one that is right elsewhere: what a row
        says itself goes before what it shares with others."""
        both = Apply("first", (self.expression, common.expression))
        right, wrong, silent = self.right | common.right, common.wrong - self.right, self.silent & common.silent
        cost, unlike = self.cost + common.cost, self.unlike + common.unlike
        return Judged(both, cost, right, wrong, silent, common.spurious, unlike)


def chained(best: Sequence[Judged], known: int, linked: bool) -> list[Judged]:
    """The reading to believe, of these in their order, with those to fall back on; none where none is believable.

    One that a few values contradict is taken where no other is: whether these are slips is for the loop to say.
    """
    good = [one for one in best if _believable(one, known)]
    if not good and (likely := [one for one in best if _outvotes(one, known)]):
        good = [likely[0], *(one for one in best if not one.wrong)]
    return _chain(_unerring(good), linked) if good else []


def _believable(one: Judged, known: int) -> bool:
    if not one.right or (one.wrong and not outvoted(len(one.right), len(one.wrong), ANY)):
        return False
    return one.spurious <= max(known, 2) and (len(one.right) * 5 >= known or len(one.right) >= 3)


def _outvotes(one: Judged, known: int) -> bool:
    """Whether so many values confirm a reading that the loop may ask whether the few others are slips."""
    votes = len(one.right)
    return may_be_outvoted(votes, len(one.wrong)) and len(one.silent) < votes and one.spurious <= known


def _unerring(good: list[Judged]) -> list[Judged]:
    """Readings that are wrong nowhere before a better one that is: a field that is wrong on any row is not kept."""
    least = _NEARLY * len(good[0].right)
    sure = [one for one in good if not one.wrong and len(one.right) >= least]
    return [*sure, *(one for one in good if one not in sure)] if sure else good


def _chain(good: Sequence[Judged], linked: bool) -> list[Judged]:
    """The best, then those that are right where it is silent and never wrong there.

    What is read by a column's heading is read by its place where a page has other headings, and what every record has,
    `linked`, as addresses and days are, by its place where a page has other names.
    """
    best = good[0]
    placed = [one for one in good[1:] if one.wrong <= best.wrong and one.right >= best.right and not _by_heading(one)]
    if not _by_heading(best):
        placed = [one for one in placed if not _by_name(one)] if linked and _by_name(best) and not best.silent else []
    chosen = [best, *placed[:1]]
    silent = set(good[0].silent)
    for one in good[1:]:
        new = one.right & silent
        if (
            len(chosen) <= _FALLBACKS
            and new
            and not one.wrong & silent
            and (len(new) >= 2 or len(one.right) * 2 > len(silent))
        ):
            chosen.append(one)
            silent -= new
    return chosen


def _by_heading(one: Judged) -> bool:
    read = innermost(one.expression)
    return isinstance(read, Read) and read.method in ("column", "column_link")


def _by_name(one: Judged) -> bool:
    """Whether a reading needs classes, ids or attributes of the page."""
    read = innermost(one.expression)
    return isinstance(read, Read) and not set(".#[").isdisjoint(str((*(read.args or ()), "")[0]))
