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


def split(state: Round, *, by_model: bool) -> Split | None:
    """The split for free strategies or for those that ask a model; None where these cannot be judged at all."""
    count = len(state.samples)
    if by_model and count < 2:
        return None
    spared = max(1, count // ENOUGH_TO_SPARE) if by_model or count >= ENOUGH_TO_SPARE else 0
    cut = count - spared
    unknown = tuple(Sample(page) for page in state.others[::2])
    folds = not by_model and 2 <= count < ENOUGH_TO_SPARE
    return Split(state.samples[:cut], state.samples[cut:] + unknown, state.others[1::2], folds)
