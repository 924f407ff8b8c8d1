"""Whether a share has risen for good: an e-detector, valid however often it is looked at. A page gives x from 0 to 1.

While all is well, the mean of x is at most the tolerated p. Then x / p is an e-value, for its mean is at most 1, and so
is L = 1 - s + s * x / p, a bet that a share s of the pages has broken. The Shiryaev–Roberts sum R' = (1 + R) * L bets
anew from every page on: at any stopping time T its mean is at most that of T, and so is the mean of R over several s.
To alarm where that reaches A is thus to have A healthy pages or more between two false alarms, on average.
(Shin, Ramdas, Rinaldo: E-detectors, 2024.) The weight w of one stream among several is the bar A / w.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import sqrt

SHARES = (0.02, 0.1, 0.3, 0.95)  # of the pages, that may have broken
_WEIGHTS = (0.15, 0.5, 0.15, 0.2)  # of each of them: a whole break is plain in any case
_SURE = 1.64  # standard deviations by which the tolerated share is above the one that was seen
_LEAST = 0.002  # a share that is tolerated of any stream
_SHORTEST, _LONGEST = 16, 256  # pages of a block
_CHANCE = 0.001  # of a run of good pages while a share is broken; below it the break is over
_SOME = 0.3  # a share of which more is not needed for a run of good pages to tell


@dataclass(frozen=True, slots=True)
class Tally:
    """So many pages, and the sum of their x."""

    pages: float = 0
    bad: float = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.pages + other.pages, self.bad + other.bad)

    @property
    def at_most(self) -> float:
        """The upper end of Wilson's interval for the share; 1 where nothing was seen."""
        n, z = self.pages, _SURE
        spread = self.bad * (n - self.bad) / n if n else 0.0
        return (self.bad + z * z / 2 + z * sqrt(max(spread, 0.0) + z * z / 4)) / (n + z * z)


@dataclass(slots=True)
class Usual:
    """What is usual of one sort of pages.

    `healthy` lags: pages wait in two blocks before they count, so that a break is compared with what was before it, and
    a slow decay with what was long ago.
    """

    healthy: Tally = Tally()
    waiting: Tally = Tally()
    fresh: Tally = Tally()
    tolerated: float = field(init=False)

    def __post_init__(self) -> None:
        self.tolerated = max(self.healthy.at_most, _LEAST)

    def learn(self, x: float) -> None:
        """Takes note of one page more."""
        self.fresh = Tally(self.fresh.pages + 1, self.fresh.bad + x)
        if self.fresh.pages >= min(_LONGEST, max(_SHORTEST, self.healthy.pages)):
            self.healthy += self.waiting
            self.waiting, self.fresh = self.fresh, Tally()
            self.tolerated = max(self.healthy.at_most, _LEAST)

    def numbers(self) -> list[float]:
        """All that it knows."""
        tallies = (self.healthy, self.waiting, self.fresh)
        return [number for tally in tallies for number in (tally.pages, tally.bad)]


@dataclass(slots=True)
class Detector:
    """The detector of one stream.

    `usual` are the baselines, one for each sort of pages. `evidence` is R for each of SHARES. `broken` is the share
    that is broken, 0 where none is; `quiet` is how many pages were good since the last that was not.
    """

    usual: list[Usual] = field(default_factory=lambda: [Usual()])
    evidence: list[float] = field(default_factory=lambda: [0.0] * len(SHARES))
    broken: float = 0.0
    quiet: int = 0

    def tolerated(self, sort: int = 0) -> float:
        """The share that is tolerated of a sort of pages; all of it before any was seen."""
        return self.usual[sort].tolerated if sort < len(self.usual) else 1.0

    def see(self, x: float, bar: float, ceiling: float = 1.0, sort: int = 0) -> bool:
        """Takes note of one page more; whether it alarms with it, which is where the evidence reaches `bar`, in pages.

        After an alarm it learns nothing until the break is over: until so many good pages came in a row as would
        hardly come by chance. Where more than `ceiling` is tolerated it only learns.
        """
        self.usual += (Usual() for _ in range(len(self.usual), sort + 1))
        usual = self.usual[sort]
        self.quiet = self.quiet + 1 if x <= usual.tolerated else 0
        if self.broken:
            if (1 - min(self.broken, _SOME)) ** self.quiet <= _CHANCE:
                self._restart([Usual(one.healthy) for one in self.usual])
            return False
        if usual.tolerated <= ceiling:
            stake = x / usual.tolerated
            self.evidence = [(1 + r) * (1 - s + s * stake) for s, r in zip(SHARES, self.evidence, strict=True)]
            if sum(w * r for w, r in zip(_WEIGHTS, self.evidence, strict=True)) >= bar:
                self.broken = SHARES[self.evidence.index(max(self.evidence))]
                return True
        usual.learn(x)
        return False

    def acquit(self) -> None:
        """Somebody found that nothing is broken: what was seen last is the measure from now on."""
        self._restart([Usual(one.fresh) for one in self.usual])

    def told(self, sort: int = 0) -> str:
        """What is broken, in words."""
        return f"on about {self.broken:.0%} of the pages, where at most {self.tolerated(sort):.1%} are usual"

    def numbers(self) -> list[float]:
        """All that it knows, for `restored`."""
        first, *others = (one.numbers() for one in self.usual)
        return [*first, self.broken, self.quiet, *self.evidence, *(number for one in others for number in one)]

    def _restart(self, usual: list[Usual]) -> None:
        self.usual = usual
        self.evidence = [0.0] * len(SHARES)
        self.broken, self.quiet = 0.0, 0


def restored(numbers: Sequence[float]) -> Detector | None:
    """The detector of which these are the `numbers`; None where they are those of another program."""
    if len(numbers) < 12 or len(numbers) % 6:
        return None
    baselines = (numbers[:6], *(numbers[start : start + 6] for start in range(12, len(numbers), 6)))
    usual = [Usual(*(Tally(*one[n : n + 2]) for n in (0, 2, 4))) for one in baselines]
    return Detector(usual, list(numbers[8:12]), numbers[6], int(numbers[7]))


def of(known: Tally, seen: Iterable[float] = ()) -> Detector:
    """A new detector: what is known of such streams, and the x of pages that were right."""
    shares = list(seen)
    return Detector([Usual(known + Tally(len(shares), sum(shares)))])
