"""Which samples a strategy may learn from, and which are kept from it to be judged on.

    samples with truth   free strategies                     programs that a model wrote
    1                    all, nothing kept                   not asked: nothing would judge them
    2 – 3                all, then folds leave one out       one kept
    4 and more           a quarter kept, at least one        the same

Pages that nobody knows are shared: half may be looked at, half stay unseen.
"""

from __future__ import annotations

from dataclasses import dataclass

from crawloop.loop.states import Round
from crawloop.model.page import Page
from crawloop.model.truth import Sample

ENOUGH_TO_SPARE = 4


@dataclass(frozen=True, slots=True)
class Split:
    """`learn` is what a strategy is shown, `unseen` what it is judged on besides, `look` pages without truth.

    `folds` says that each program is also to be induced without each page of `learn` in turn.
    """

    learn: tuple[Sample, ...]
    unseen: tuple[Sample, ...]
    look: tuple[Page, ...]
    folds: bool = False


def for_free(state: Round) -> Split:
    """The split for strategies that ask no model."""
    count = len(state.samples)
    spared = max(1, count // ENOUGH_TO_SPARE) if count >= ENOUGH_TO_SPARE else 0
    return _cut(state, spared, folds=2 <= count < ENOUGH_TO_SPARE)


def for_model(state: Round) -> Split | None:
    """The split for programs that a model writes; None where nothing would judge them."""
    count = len(state.samples)
    return _cut(state, max(1, count // ENOUGH_TO_SPARE), folds=False) if count > 1 else None


def _cut(state: Round, spared: int, *, folds: bool) -> Split:
    cut = len(state.samples) - spared
    unknown = tuple(Sample(page) for page in state.others[::2])
    return Split(state.samples[:cut], state.samples[cut:] + unknown, state.others[1::2], folds)
