"""What wrong labels do: a tenth of the right values of k pages is corrupted, the rest of their family's pages judged.

python benchmarks/noise.py CORPUS [--k 5] [--rounds N] [--sets recipes,swde] [--each]

Prints accuracy on unseen pages without and with noise, and which labels the run named: as outvoted, as contradicted, as
standing nowhere on their page. Ends with code 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from corpus import Family, Labelled, families
from learning import Tally, judged, learn, read

from crawloop.contract import Sandbox
from crawloop.model.events import Event, WitnessesDisagreed
from crawloop.model.outcome import Promotion
from crawloop.sandbox import ProcessSandbox
from crawloop.values import equal

SHARE = 0.1
MOST_LOST, LEAST_NAMED, MOST_FALSE = 0.01, 0.95, 0.05
Label = tuple[str, str]
"""A page's URL and a field."""


def of_another_page(value: Any, label: Label, pages: Sequence[Labelled], chance: random.Random) -> Any:
    url, name = label
    return _any([one.records[0].get(name) for one in pages if one.page.url != url], chance)


def of_the_same_page(value: Any, label: Label, pages: Sequence[Labelled], chance: random.Random) -> Any:
    url, name = label
    (record,) = [one.records[0] for one in pages if one.page.url == url]
    return _any([one for other, one in record.items() if other != name and type(one) is type(value)], chance)


def with_other_digits(value: Any, label: Label, pages: Sequence[Labelled], chance: random.Random) -> Any:
    """Another last digit: of a number, of a text with a figure, of one item of a list."""
    if isinstance(value, list):
        place = chance.randrange(len(value))
        other = with_other_digits(value[place], label, pages, chance)
        return None if other is None else [*value[:place], other, *value[place + 1 :]]
    if isinstance(value, float):
        return value + chance.choice((1, 2, 3, 10))
    digits = list(re.finditer(r"\d", str(value)))
    if not digits:
        return None
    at = digits[-1].start()
    return f"{value[:at]}{(int(value[at]) + chance.randint(1, 8)) % 9 + 1}{value[at + 1 :]}"


def cut(value: Any, label: Label, pages: Sequence[Labelled], chance: random.Random) -> Any:
    """Without the last words, or the last items."""
    if isinstance(value, list):
        return value[: len(value) // 2]
    words = str(value).split() if isinstance(value, str) else []
    return " ".join(words[: -max(1, len(words) // 3)])


Corruption = Callable[[Any, Label, Sequence[Labelled], random.Random], Any]
WAYS: dict[str, Corruption] = {
    "of another page": of_another_page,
    "of the same page": of_the_same_page,
    "other digits": with_other_digits,
    "cut": cut,
}


def _any(values: Sequence[Any], chance: random.Random) -> Any:
    found = [one for one in values if one is not None]
    return chance.choice(found) if found else None


@dataclass(frozen=True, slots=True)
class Noise:
    """Labels with some of them corrupted, and how."""

    pages: tuple[Labelled, ...]
    ways: dict[Label, str]


def corrupted(family: Family, pages: Sequence[Labelled], chance: random.Random) -> Noise:
    """A tenth of the labels, each in a way that makes another value of it."""
    labels = [(one.page.url, name) for one in pages for name in one.records[0]]
    chance.shuffle(labels)
    ways: dict[Label, str] = {}
    wrong: dict[str, dict[str, Any]] = defaultdict(dict)
    for url, name in labels:
        if len(ways) == max(1, round(SHARE * len(labels))):
            break
        (page,) = [one for one in pages if one.page.url == url]
        right = page.records[0][name]
        for way in chance.sample(list(WAYS), len(WAYS)):
            value = WAYS[way](right, (url, name), pages, chance)
            if value in (None, "", []) or equal(right, value, family.schema[name], base=page.page.base):
                continue
            ways[url, name] = way
            wrong[url][name] = value
            break
    noisy = [replace(one, records=({**one.records[0], **wrong[one.page.url]},)) for one in pages]
    return Noise(tuple(noisy), ways)


def named(told: Sequence[Event]) -> set[Label]:
    """Labels of which the run's table of disagreements says that something is wrong with them."""
    return {(one.url, one.field) for one in told if isinstance(one, WitnessesDisagreed) and "examples" in one.said}


@dataclass(frozen=True, slots=True)
class Learnt:
    """A run: how its program did on unseen pages, and the labels that it named."""

    tally: Tally
    named: frozenset[Label]


def learnt(family: Family, seen: Sequence[Labelled], unseen: Sequence[Labelled], sandbox: Sandbox) -> Learnt:
    told: list[Event] = []
    outcome = learn(family, seen, sandbox, told.append)
    tally = Tally()
    runs = read(outcome.winner.source, unseen, sandbox) if isinstance(outcome, Promotion) else [()] * len(unseen)
    for page, got in zip(unseen, runs, strict=True):
        tally += judged(family, page, got)
    return Learnt(tally, frozenset(named(told)))


@dataclass
class Sums:
    """Over all families and rounds: accuracy without and with noise, and labels by way: how many, how many named."""

    clean: list[tuple[float, float]]
    noisy: list[tuple[float, float]]
    ways: Counter[str]
    found: Counter[str]
    good: int = 0
    false: int = 0
    false_anyway: int = 0

    def add(self, plain: Learnt, noise: Noise, after: Learnt, labels: int) -> None:
        self.clean.append(_shares(plain.tally))
        self.noisy.append(_shares(after.tally))
        for label, way in noise.ways.items():
            self.ways[way] += 1
            self.found[way] += label in after.named
        self.good += labels - len(noise.ways)
        self.false += len(after.named - noise.ways.keys())
        self.false_anyway += len(plain.named - noise.ways.keys())

    def report(self) -> int:
        """Prints the sums; 1 where a bar is missed."""
        right, wrong = _mean(self.clean)
        noisy, wrong_too = _mean(self.noisy)
        print(f"unseen pages, mean over families   right {right:.3f} wrong {wrong:.3f}")
        print(f"with {SHARE:.0%} of the labels corrupted   right {noisy:.3f} wrong {wrong_too:.3f}")
        for way in WAYS:
            print(f"    {way:20}{self.ways[way]:6} corrupted{self.found[way] / max(1, self.ways[way]):8.3f} named")
        share = self.found.total() / max(1, self.ways.total())
        false, anyway = self.false / self.good, self.false_anyway / self.good
        print(f"good labels named {false:.3f}; {anyway:.3f} where none is corrupted")
        bars = {
            f"at most one point lost: {right - noisy:.3f}": right - noisy <= MOST_LOST,
            f"95 % of the corrupted labels named: {share:.3f}": share >= LEAST_NAMED,
            f"at most 5 % of the good ones named: {false:.3f}": false <= MOST_FALSE,
        }
        for bar, holds in bars.items():
            print(f"    {'met   ' if holds else 'MISSED'}  {bar}")
        return int(not all(bars.values()))


def _shares(tally: Tally) -> tuple[float, float]:
    return tally.right / max(1, tally.fields), tally.wrong / max(1, tally.fields)


def _mean(shares: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return tuple(sum(column) / max(1, len(shares)) for column in zip(*shares, strict=True))  # type: ignore[return-value]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3, help="times that each family is corrupted anew")
    parser.add_argument("--sets", default="", help="all that have enough pages, unless named")
    parser.add_argument("--each", action="store_true", help="print each label that is corrupted or named")
    given = parser.parse_args()
    sums = Sums([], [], Counter(), Counter())
    with ProcessSandbox() as sandbox:
        for family in families(given.corpus, [one for one in given.sets.split(",") if one], least=given.k + 1):
            pages = [one for one in family.pages if len(one.records) == 1]
            seen, unseen = pages[: given.k], pages[given.k :]
            plain = learnt(family, seen, unseen, sandbox)
            for turn in range(given.rounds):
                noise = corrupted(family, seen, random.Random(f"{family.name} {turn}"))
                after = learnt(family, noise.pages, unseen, sandbox)
                sums.add(plain, noise, after, sum(len(one.records[0]) for one in seen))
                print(
                    f"{family.name:40} right {_shares(plain.tally)[0]:.2f} -> {_shares(after.tally)[0]:.2f}, named "
                    f"{len(after.named & noise.ways.keys())} of {len(noise.ways)} corrupted and "
                    f"{len(after.named - noise.ways.keys())} good ones",
                    flush=True,
                )
                if given.each:
                    tell(noise, after.named)
    return sums.report()


def tell(noise: Noise, named: frozenset[Label]) -> None:
    for page in noise.pages:
        for name, value in page.records[0].items():
            way, label = noise.ways.get((page.page.url, name)), (page.page.url, name)
            if way or label in named:
                says = ("named " if label in named else "MISSED") if way else "FALSE "
                print(f"    {says} {name} {way or 'good'}: {str(value)[:70]!r} {page.page.url[-40:]}")


if __name__ == "__main__":
    sys.exit(main())
