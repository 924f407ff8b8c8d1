"""How soon a break is noticed, and how seldom a healthy family is called broken: a simulation of nightly crawls.

python benchmarks/drift.py [--healthy PAGES] [--breaks N] [--seed S]

A family of eight fields, 50 pages a night; what detectors know goes through the registry's form between two nights.
Healthy pages lack values, have faults, change and repeat at rates of their own; families live in several ways: which
pages are known from the night before, and whether values are sorted, come round, or come with a new brand.
Prints the pages between false alarms, and for each sort of break the delay in pages and the stream that noticed it
first; ends with code 1 where a must is missed: 40,000 pages, and 100 for each break of one page in ten.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from random import Random
from statistics import median

from crawloop.crawl.drift import HEALTHY_RUN, Watch
from crawloop.crawl.report import PageStatus
from crawloop.crawl.verdict.expect import Expectation
from crawloop.crawl.verdict.judge import Judgement
from crawloop.crawl.verdict.moved import Beside
from crawloop.crawl.verdict.symptoms import PAGE, Symptom, stream
from crawloop.model.family import Golden, Version
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Record

NIGHT = 50
TRAINED = 2_000  # pages before a break
WITHIN = 100
HALF = "one page in ten"  # how the names of those breaks begin that are to be noticed within so many pages
# The share of healthy pages that lack a field, and how many values it has.
LACKING = {
    "title": 0.0,
    "price": 0.002,
    "sku": 0.0,
    "brand": 0.01,
    "badge": 0.7,
    "rating": 0.3,
    "stock": 0.0,
    "image": 0.02,
}
VALUES = {
    "title": 10_000,
    "price": 300,
    "sku": 10_000,
    "brand": 25,
    "badge": 3,
    "rating": 40,
    "stock": 2,
    "image": 10_000,
}
RATES = {Symptom.FAULT: 0.0005, Symptom.CHANGED: 0.01, Symptom.STRAY: 0.01, Symptom.MARKUP: 0.0005}
SCHEMA = Schema("Product@1", tuple(Field(name, Kind.TEXT) for name in LACKING))

Said = dict[str, float]
# What a break does to a page: its record, what it says beside, how many pages ago it began.
Break = Callable[[Random, Record, Said, int], tuple[Record, Said]]


@dataclass(frozen=True, slots=True)
class Habits:
    """How a healthy family lives: the share of a night's pages that the night before had, and what its values do."""

    known: Sequence[float] = (0.5,)  # night by night
    values: Mapping[str, int] = field(default_factory=dict)  # how many, where not VALUES
    launch: tuple[int, int, float] | None = None  # every so many pages so many ones of a new brand; so densely
    is_sorted: bool = False  # each night, by brand
    rounds: Mapping[str, int] = field(default_factory=dict)  # fields whose values come round after so many pages


_BRANDS = {"brand": 200}
_ROUNDS = {"price": 40, "rating": 25, "brand": 33, "sku": 70}
HALF_KNOWN, ALL_NEW = "half of the pages are known", "all pages are new"
HABITS = {
    HALF_KNOWN: Habits(),
    ALL_NEW: Habits((0.0,)),
    "all pages are known": Habits((1.0,)),
    "new pages after nights of known ones": Habits((*[1.0] * 10, 0.0, 0.0)),
    "new brands, twenty products in a row": Habits(values=_BRANDS, launch=(700, 20, 1.0)),
    "new brands in a row, all pages are new": Habits((0.0,), values=_BRANDS, launch=(700, 20, 1.0)),
    "new brands among other new pages": Habits(values=_BRANDS, launch=(700, 20, 0.5)),
    "sorted by brand": Habits(values=_BRANDS, is_sorted=True),
    "sorted by brand, all pages are new": Habits((0.0,), values={"brand": 12}, is_sorted=True),
    "values come round": Habits((0.3,), rounds=_ROUNDS),
    "values come round, all pages are new": Habits((0.0,), rounds=_ROUNDS),
}


class Family:
    """A simulated family. `dice` decides all."""

    def __init__(self, dice: Random, habits: Habits) -> None:
        self.dice = dice
        self._habits = habits
        self._values = VALUES | habits.values
        self._made = 0
        self._brands = 0
        self._launching = 0
        self._before: list[tuple[str, Record]] = []
        self._night = 0

    def expectation(self) -> Expectation:
        version = Version("f", 1, "", "dom", SCHEMA.ref, 0, "", fields=SCHEMA.names)
        goldens = [Golden("f", str(n), f"https://shop.example/g/{n}", "", (self.record(),), 0, 1) for n in range(5)]
        return Expectation(version, SCHEMA, goldens)

    def record(self) -> Record:
        self._made += 1
        made = {name: None if self.dice.random() < lacking else self._value(name) for name, lacking in LACKING.items()}
        if self._habits.launch is not None:
            every, products, density = self._habits.launch
            if self._made % every == 0:
                self._brands, self._launching = self._brands + 1, products
            if self._launching and self.dice.random() < density:
                self._launching -= 1
                made["brand"] = f"New brand {self._brands}"
        return made

    def _value(self, name: str) -> str:
        after = self._habits.rounds.get(name)
        return f"{name} {self._made % after if after else self.dice.randrange(self._values[name])}"

    def night(self) -> list[tuple[str, Record | None, Record]]:
        """(URL, what was known of it, what it has now)"""
        share = self._habits.known[self._night % len(self._habits.known)]
        self._night += 1
        count = min(round(share * NIGHT), len(self._before))
        again = [(url, was, self._later(was)) for url, was in self.dice.sample(self._before, count)]
        pages = [*again, *((f"https://shop.example/p/{self._made}", None, self.record()) for _ in range(NIGHT - count))]
        fresh = iter(pages[count:])  # new pages keep their order among the others
        places = sorted(range(NIGHT), key=lambda _: self.dice.random())[:count]
        shuffled = dict(zip(places, again, strict=True))
        pages = [shuffled.get(place) or next(fresh) for place in range(NIGHT)]
        if self._habits.is_sorted:
            pages.sort(key=lambda page: str(page[2]["brand"]))
        self._before = [(url, now) for url, _, now in pages]
        return pages

    def _later(self, was: Record) -> Record:
        """A known page a night later: few values are others, fewer are gone."""
        now = dict(was)
        for name, value in was.items():
            if value is not None and self.dice.random() < LACKING[name] / 10:
                now[name] = None
            elif value is not None and self.dice.random() < RATES[Symptom.CHANGED]:
                now[name] = self._value(name)
        return now

    def pages(self, broken: Break | None = None) -> Iterator[Judgement]:
        ago = 0
        while True:
            for url, was, record in self.night():
                said: Said = {stream(PAGE, Symptom.DRIFT): float(self.dice.random() < 0.0002)}
                if broken:
                    record, said = broken(self.dice, record, said, ago)
                    ago += 1
                yield self._judged(url, was, record, said)

    def _judged(self, url: str, was: Record | None, record: Record, said: Said) -> Judgement:
        if said[stream(PAGE, Symptom.DRIFT)]:
            return Judgement(PageStatus.DRIFT, (record,), (), symptoms=((stream(PAGE, Symptom.DRIFT), 1.0),))
        told: Said = {stream(PAGE, Symptom.COUNT): 0.0}
        besides = []
        for name, value in record.items():
            for symptom, rate in RATES.items():
                if symptom is not Symptom.CHANGED:
                    told[stream(name, symptom)] = float(self.dice.random() < rate)
            if was is None:
                told[stream(name, Symptom.MISSING)] = float(value is None)
            elif was[name] is not None:
                told[stream(name, Symptom.LOST)] = float(value is None)
            if was is not None and was[name] is not None and value is not None:
                told[stream(name, Symptom.CHANGED)] = float(value != was[name])
                besides.append(Beside(name, value != was[name]))
        symptoms = tuple((told | said).items())
        return Judgement(PageStatus.OK, (record,), (), beside=tuple(besides), symptoms=symptoms, url=url)


def nights(
    expected: Expectation, kept: Mapping[str, list[float]], pages: Iterator[Judgement], most: int
) -> Iterator[tuple[Watch, int, tuple[str, ...]]]:
    """(the watch, pages so far, what they showed to be broken) after every page."""
    dice, done = Random(most), 0
    while done < most:
        watch = Watch(expected, kept)
        for _ in range(NIGHT):
            done += 1
            page = next(pages)
            if not watch.is_wary and dice.random() > 1 / 3:  # markup is asked on one page in three
                page = replace(page, symptoms=tuple(one for one in page.symptoms if not one[0].endswith("markup")))
            (verdict,) = watch.together([page])
            yield watch, done, verdict.news
        kept = watch.numbers()


def full(dice: Random, record: Record, said: Said, ago: int) -> tuple[Record, Said]:
    """A redesign: no page fits."""
    return record, said | {stream(PAGE, Symptom.DRIFT): 1.0}


def lost(dice: Random, record: Record, said: Said, ago: int) -> tuple[Record, Said]:
    """The stock, which no healthy page is without, is lost on one page in ten."""
    return record | ({"stock": None} if dice.random() < 0.1 else {}), said


def thinned(dice: Random, record: Record, said: Said, ago: int) -> tuple[Record, Said]:
    """The image is lost on one page in ten; one healthy page in fifty is without, too."""
    return record | ({"image": None} if dice.random() < 0.1 else {}), said


def decaying(dice: Random, record: Record, said: Said, ago: int) -> tuple[Record, Said]:
    """Of every 200 pages one more in a hundred loses its stock."""
    return record | ({"stock": None} if dice.random() < ago / 20_000 else {}), said


def misread(dice: Random, record: Record, said: Said, ago: int) -> tuple[Record, Said]:
    """The title of one page in ten is the shop's name; it fits all that is known of titles."""
    return record | ({"title": "Welcome to our shop"} if dice.random() < 0.1 else {}), said


def contradicted(dice: Random, record: Record, said: Said, ago: int) -> tuple[Record, Said]:
    """The price of one page in ten is the one that is struck out, and the page's markup knows better."""
    return record, said | ({stream("price", Symptom.MARKUP): 1.0} if dice.random() < 0.1 else {})


BREAKS: dict[str, tuple[Break, str]] = {
    "every page, all of it": (full, HALF_KNOWN),
    "one page in ten, one field of eight: lost": (lost, HALF_KNOWN),
    "one page in ten, a field that one in fifty lacks anyway": (thinned, HALF_KNOWN),
    "one page in ten, one field is misread": (misread, HALF_KNOWN),
    "one page in ten, one field is misread, all pages are new": (misread, ALL_NEW),
    "one page in ten, not what the markup says": (contradicted, HALF_KNOWN),
    "slow decay of one field, 1 % in 200 pages": (decaying, HALF_KNOWN),
}


def healthy(seed: int, pages: int) -> tuple[int, int]:
    """(pages, false alarms) of families of 20,000 pages each, which start from their five golden pages."""
    total, alarms = 0, Counter[str]()
    for number, (habit, habits) in enumerate(HABITS.items()):
        done, its = 0, Counter[str]()
        while done < pages / len(HABITS):
            family = Family(Random(1_000_000 * number + seed + done), habits)
            for _, _, news in nights(family.expectation(), {}, family.pages(), 20_000):
                done += 1
                its.update(news)
                if news or done >= pages / len(HABITS):
                    break
        print(f"  {habit:40} {done:8,} pages, false alarms: {dict(its) or 0}", flush=True)
        total, alarms = total + done, alarms + its
    return total, alarms.total()


@dataclass(frozen=True, slots=True)
class Trained:
    """A family whose pages were healthy for a while, and what is known of it."""

    family: Family
    expected: Expectation
    numbers: Mapping[str, list[float]]


def trained(seed: int, habits: Habits) -> Trained:
    family = Family(Random(seed), habits)
    expected = family.expectation()
    *_, (watch, _, _) = nights(expected, {}, family.pages(), TRAINED)
    return Trained(family, expected, watch.numbers())


def delays(families: Sequence[Trained], seed: int, broken: Break, count: int) -> tuple[list[int], Counter[str]]:
    """How many pages after each break it was noticed, and which stream did."""
    found, streams = [], Counter[str]()
    for number in range(count):
        one = families[number % len(families)]
        family = deepcopy(one.family)
        family.dice = Random(1_000 + seed + number)
        for _, done, news in nights(one.expected, one.numbers, family.pages(broken), 10_000):
            if news:
                found.append(done)
                streams[news[0]] += 1
                break
        else:
            found.append(10_000)
    return sorted(found), streams


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--healthy", type=int, default=100_000, help="healthy pages")
    parser.add_argument("--breaks", type=int, default=20, help="breaks of each sort")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    start = time.process_time()
    pages, alarms = healthy(asked.seed, asked.healthy)
    print(f"{alarms} false alarms in {pages:,} healthy pages", flush=True)
    print(f"{'break, after ' + format(TRAINED, ',') + ' healthy pages':64} median    p90   noticed by")
    half: dict[str, float] = {}
    families = {
        habit: [trained(asked.seed + number, HABITS[habit]) for number in range(10)] for habit in (HALF_KNOWN, ALL_NEW)
    }
    for name, (broken, habit) in BREAKS.items():
        found, streams = delays(families[habit], asked.seed, broken, asked.breaks)
        late = found[int(0.9 * len(found))]
        first = ", ".join(f"{one} ({count})" for one, count in streams.most_common(2))
        print(f"{name:64} {median(found):6.0f} {late:6}   {first}", flush=True)
        if name.startswith(HALF):
            half[name] = median(found)
    bars = {f"at most one false alarm in {HEALTHY_RUN:,} healthy pages": alarms * HEALTHY_RUN <= pages} | {
        f"{name}: within {WITHIN} pages in the median": delay <= WITHIN for name, delay in half.items()
    }
    for bar, is_met in bars.items():
        print("met    " if is_met else "MISSED ", bar)
    print(f"{(time.process_time() - start):.0f} s of processor time")
    return int(not all(bars.values()))


if __name__ == "__main__":
    sys.exit(main())
