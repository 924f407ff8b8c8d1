"""A model that lies, on real pages: what is promoted on its word, and what such programs read from unseen pages.

python benchmarks/adversary.py CORPUS [--runs N] [--first SEED] [--sets a,b] [--behaviours a,b] [--each]

Nobody labels a page: free witnesses and the model alone say what is right. Each run takes the next family, and each
round of the families another behaviour of every one; `truthful` is run beside, to show what honest answers would have
earned. No run may promote a program that reads a wrong value from a page that it has not seen.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from corpus import Family, Labelled, families
from learning import AT, Saved, Tally, judged, read

from crawloop.brief.prompt import load
from crawloop.llm import Asked, ScriptedCompleter
from crawloop.loop.driver import Loop
from crawloop.loop.standard import World, standard_kit
from crawloop.loop.states import Task
from crawloop.model.outcome import Outcome, Promotion
from crawloop.model.page import Record
from crawloop.model.policy import Policy
from crawloop.registry import MemoryStore
from crawloop.sandbox import ProcessSandbox

SAMPLES, UNSEEN = 4, 12
TRUTHFUL = "truthful"
_PAGE = re.compile(r"<<<page (\S+) [0-9a-f]{12}>>>\n(.*?)\n<<<end of page", re.DOTALL)
_LINE = re.compile(r"\[(\d+)\] (.*)")


@dataclass
class Scene:
    """What a liar knows: the family with its right values, the page that it is asked about, and chance."""

    family: Family
    chance: random.Random
    records: dict[str, Record]
    swap: tuple[str, str] | None = None
    decoy: dict[str, int] = field(default_factory=dict)

    def other(self, url: str) -> Record:
        """The right values of another page."""
        return self.records[self.chance.choice([one for one in self.records if one != url])]


Behaviour = Callable[[Scene, str, list[tuple[int, str]]], Record]


def truthful(scene: Scene, url: str, lines: list[tuple[int, str]]) -> Record:
    return scene.records[url]


def at_random(scene: Scene, url: str, lines: list[tuple[int, str]]) -> Record:
    """Words of any line of the page."""
    return {name: _formed(scene, name, scene.chance.choice(lines)[1]) for name in scene.records[url]}


def same_place(scene: Scene, url: str, lines: list[tuple[int, str]]) -> Record:
    """The line at the same wrong place of every page: what is near the top or the end is alike on all of them."""
    for name in scene.records[url]:
        scene.decoy.setdefault(name, scene.chance.randrange(-12, 12))
    return {name: _formed(scene, name, lines[scene.decoy[name] % len(lines)][1]) for name in scene.records[url]}


def stale(scene: Scene, url: str, lines: list[tuple[int, str]]) -> Record:
    """The values of another page."""
    return scene.other(url)


def swapped(scene: Scene, url: str, lines: list[tuple[int, str]]) -> Record:
    """Two fields of one kind changed with each other, another pair on every page."""
    record = dict(scene.records[url])
    alike = [(a, b) for a, b in itertools.combinations(record, 2) if _alike(scene, a, b)]
    if alike:
        one, two = scene.chance.choice(alike)
        record[one], record[two] = record[two], record[one]
    return record


def always_swapped(scene: Scene, url: str, lines: list[tuple[int, str]]) -> Record:
    """The same two fields changed with each other on every page."""
    record = dict(scene.records[url])
    if scene.swap is None:
        names = [one.name for one in scene.family.schema.fields]
        alike = [(a, b) for a, b in itertools.combinations(names, 2) if _alike(scene, a, b)]
        scene.swap = scene.chance.choice(alike) if alike else ("", "")
    one, two = scene.swap
    if one in record and two in record:
        record[one], record[two] = record[two], record[one]
    return record


def hallucinated(scene: Scene, url: str, lines: list[tuple[int, str]]) -> Record:
    """Values that nobody ever saw."""
    word = "".join(scene.chance.choices("abcdefghij", k=9))
    return {name: _changed(value, word, scene.chance) for name, value in scene.records[url].items()}


def partly_right(scene: Scene, url: str, lines: list[tuple[int, str]]) -> Record:
    """Each value right or, at even chances, one of the other lies."""
    lies = [at_random(scene, url, lines), scene.other(url), swapped(scene, url, lines), hallucinated(scene, url, lines)]
    right = scene.records[url]
    return {name: right[name] if scene.chance.random() < 0.5 else scene.chance.choice(lies).get(name) for name in right}


BEHAVIOURS: dict[str, Behaviour] = {
    "random": at_random,
    "same place": same_place,
    "stale": stale,
    "swapped": swapped,
    "always swapped": always_swapped,
    "hallucinated": hallucinated,
    "partly right": partly_right,
}


def _alike(scene: Scene, one: str, two: str) -> bool:
    a, b = scene.family.schema[one], scene.family.schema[two]
    return (a.kind, a.many) == (b.kind, b.many)


def _formed(scene: Scene, name: str, line: str) -> Any:
    number = re.search(r"\d+(?:\.\d+)?", line)
    one = scene.family.schema[name]
    value: Any = float(number[0]) if one.kind.value in ("number", "money", "duration") and number else line[:200]
    return [value] if one.many else value


def _changed(value: Any, word: str, chance: random.Random) -> Any:
    if isinstance(value, list):
        return [_changed(one, word, chance) for one in value]
    return value + chance.randrange(1, 9) if isinstance(value, int | float) else f"{word} {str(value)[:20]}"


class Adversary:
    """Answers every question of a run by one behaviour."""

    def __init__(self, scene: Scene, behave: Behaviour) -> None:
        self._scene = scene
        self._behave = behave
        self._said: dict[str, Record] = {}

    def __call__(self, call: Asked) -> str:
        if call.system == load("direct_extract").system:
            return self._values(call)
        if "def extract(page)" in call.system:
            return self._program()
        if call.system == load("selection").system:
            return self._choice(call)
        if "JSONPath" in call.system:
            return json.dumps({"fields": {name: {"path": "$..name"} for name in self._scene.family.schema.names}})
        return '{"values": []}'

    def _values(self, call: Asked) -> str:
        found = _PAGE.search(call.user)
        assert found is not None
        url, lines = found[1], [(int(n), text) for n, text in _LINE.findall(found[2])]
        record = self._said[url] = self._behave(self._scene, url, lines)
        cited = {name: {"value": value, "line": self._line(value, lines)} for name, value in record.items()}
        return json.dumps({"records": [cited]})

    def _line(self, value: Any, lines: Sequence[tuple[int, str]]) -> list[int]:
        words = [str(one) for one in (value if isinstance(value, list) else [value])]
        return [number for number, text in lines if any(one in text for one in words)][:5] or [lines[0][0]]

    def _choice(self, call: Asked) -> str:
        """Any of the ways that it is offered for each field; the first where it is honest."""
        ways: dict[str, int] = {}
        for line in call.user.splitlines():
            if found := re.match(r"(\w+), on \d+ known pages: ", line):
                ways[found[1]] = 0
            elif ways and re.match(r"  \d+: ", line):
                ways[next(reversed(ways))] += 1
        picks = {name: 1 if self._behave is truthful else self._scene.chance.randint(0, n) for name, n in ways.items()}
        return json.dumps({"choices": picks})

    def _program(self) -> str:
        """What it said, written down by address, with whatever stands first for any other page."""
        known = json.dumps(self._said)
        fields = ", ".join(f'"{name}": page.text("h1")' for name in self._scene.family.schema.names)
        return (
            f"KNOWN = json.loads({known!r})\n\ndef extract(page):\n    return [KNOWN.get(page.url) or {{{fields}}}]\n"
        )


@dataclass
class Sums:
    """By behaviour: runs, promotions, promotions with a wrong value, and the values of unseen pages."""

    runs: Counter[str] = field(default_factory=Counter)
    promoted: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    tallies: dict[str, Tally] = field(default_factory=dict)

    def add(self, behaviour: str, promoted: bool, tally: Tally) -> None:
        self.runs[behaviour] += 1
        self.promoted[behaviour] += promoted
        self.wrong[behaviour] += tally.wrong > 0
        self.tallies[behaviour] = self.tallies.get(behaviour, Tally()) + tally

    def report(self) -> int:
        for name, runs in self.runs.items():
            t = self.tallies[name]
            print(
                f"{name:16} {runs:4} runs, {self.promoted[name]:4} promoted, {self.wrong[name]:4} with a wrong value "
                f"on an unseen page; of {t.fields} values right {t.right}, wrong {t.wrong}"
            )
        lied = sum(self.wrong[name] for name in BEHAVIOURS)
        runs = sum(self.runs[name] for name in BEHAVIOURS)
        print(f"    {'met   ' if not lied else 'MISSED'}  no promotion with a wrong value in {runs} runs: {lied}")
        return int(bool(lied))


def run(family: Family, seen: Sequence[Labelled], adversary: Adversary, sandbox: ProcessSandbox) -> Outcome:
    """One run of the loop on pages that nobody labelled."""
    world = World(
        fetcher=Saved([one.page for one in seen]),
        store=MemoryStore(),
        sandbox=sandbox,
        schemas=Path(),
        clock=lambda: AT,
        completer=ScriptedCompleter(adversary),
    )
    kit = replace(standard_kit(world), schema=lambda ref: family.schema)
    urls = tuple(one.page.url for one in seen)
    policy = Policy(models=("adversary",), samples=len(urls), min_oracles=3, max_rounds=2)
    return asyncio.run(Loop(kit, policy).run(Task(family.name, family.schema.ref, urls, only=urls)))


def plays(
    corpus: Path, sets: Sequence[str], behaviours: Sequence[str], seeds: range
) -> Iterator[tuple[Family, str, int]]:
    """(family, behaviour, seed), each behaviour on each family in turn."""
    every = list(families(corpus, sets, "detail", SAMPLES + 2))
    chance = random.Random(11)
    chance.shuffle(every)
    for number in seeds:
        turn, place = divmod(number, len(every))
        yield every[place], behaviours[(place + turn) % len(behaviours)], number


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first run; those after it count on")
    parser.add_argument("--sets", default="")
    parser.add_argument("--behaviours", default="")
    parser.add_argument("--each", action="store_true", help="print each promotion with a wrong value")
    given = parser.parse_args()
    named = [one for one in given.behaviours.split(",") if one] or list(BEHAVIOURS)
    sums = Sums()
    with ProcessSandbox() as sandbox:
        sets = [one for one in given.sets.split(",") if one]
        seeds = range(given.first, given.first + given.runs)
        for family, behaviour, seed in plays(given.corpus, sets, named, seeds):
            scene = Scene(family, random.Random(seed), {one.page.url: one.records[0] for one in family.pages})
            seen, unseen = family.pages[:SAMPLES], family.pages[SAMPLES : SAMPLES + UNSEEN]
            behave = BEHAVIOURS.get(behaviour, truthful)
            outcome = run(family, seen, Adversary(scene, behave), sandbox)
            tally = Tally()
            if isinstance(outcome, Promotion):
                for page, got in zip(unseen, read(outcome.winner.source, unseen, sandbox), strict=True):
                    one = judged(family, page, got)
                    tally += one
                    if one.wrong and given.each:
                        print(f"{family.name} {behaviour} ({seed}): {page.page.url}")
                        print(f"  want {page.records[0]}\n  got {got[:1]}")
                if tally.wrong and given.each:
                    print(outcome.winner.source)
            sums.add(behaviour, isinstance(outcome, Promotion), tally)
    return sums.report()


if __name__ == "__main__":
    sys.exit(main())
