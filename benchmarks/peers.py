"""Peers beside crawloop: the same pages, the same k, the same values, given as they stand on the page.

python benchmarks/peers.py CORPUS [--venvs FOLDER] [--families N] [--limit SECONDS]

Each peer gets an environment of its own in FOLDER, made here with pip where it is missing. Fields are texts and links,
alone or as lists, that stand word by word on every page that is shown or judged; lists of one are given as their item.
"""

from __future__ import annotations

import argparse
import html
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from corpus import Family, Labelled, families
from learning import Tally, judged, learn, read

from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.outcome import Promotion
from crawloop.model.page import Record
from crawloop.sandbox import ProcessSandbox

NEEDS = {
    "autoscraper": ("autoscraper==1.1.14", "beautifulsoup4<4.13"),
    "mlscraper": ("mlscraper==1.0.0rc3",),
    "scrapling": ("scrapling",),
}
RUNS = "swde:1,swde:3,recipes:1,recipes:2"
Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Job:
    """A family as everyone is given it."""

    family: Family
    seen: tuple[Labelled, ...]
    unseen: tuple[Labelled, ...]


@dataclass(frozen=True, slots=True)
class Done:
    """What was read from each unseen page, and how long learning took."""

    values: Sequence[Values]
    seconds: float


def job_of(family: Family, k: int) -> Job | None:
    """The fields that stand as they are on all pages shown, and of the others' values those that do."""
    fields = tuple(one for one in family.schema.fields if one.kind in (Kind.TEXT, Kind.URL))
    pages = [_standing(one, tuple(field.name for field in fields)) for one in family.pages if len(one.records) == 1]
    fields, pages = _unwrapped(fields, pages)
    seen, unseen = pages[:k], pages[k:]
    known = [one for one in fields if all(one.name in page.records[0] for page in seen)]
    names = {one.name for one in known}
    cut = [replace(one, records=({k: v for k, v in one.records[0].items() if k in names},)) for one in (*seen, *unseen)]
    if len(seen) < k or not unseen or not names:
        return None
    schema = Schema(family.schema.ref, tuple(known))
    return Job(replace(family, schema=schema), tuple(cut[:k]), tuple(cut[k:]))


def _unwrapped(fields: tuple[Field, ...], pages: list[Labelled]) -> tuple[tuple[Field, ...], list[Labelled]]:
    """Lists that hold one item on all pages as that item: no peer is told which fields are lists."""
    single = {
        one.name for one in fields if one.many and all(len(page.records[0].get(one.name, [1])) == 1 for page in pages)
    }

    def item(page: Labelled) -> Record:
        return {name: value[0] if name in single else value for name, value in page.records[0].items()}

    return (
        tuple(replace(one, many=one.many and one.name not in single) for one in fields),
        [replace(page, records=(item(page),)) for page in pages],
    )


def _standing(page: Labelled, names: Sequence[str]) -> Labelled:
    text = " ".join(html.unescape(page.page.html).split())

    def shown(value: Any) -> bool:
        return all(" ".join(str(one).split()) in text for one in (value if isinstance(value, list) else [value]))

    plain = {name: page.records[0].get(name) for name in names}
    kept = {name: _collapsed(value) for name, value in plain.items() if value and shown(value)}
    return replace(page, records=(kept,))


def _collapsed(value: Any) -> Any:
    return [_collapsed(one) for one in value] if isinstance(value, list) else " ".join(str(value).split())


def crawloop(sandbox: ProcessSandbox) -> Callable[[Job], Done]:
    def run(job: Job) -> Done:
        began = time.process_time()
        outcome = learn(job.family, job.seen, sandbox)
        spent = time.process_time() - began
        if not isinstance(outcome, Promotion):
            return Done([{}] * len(job.unseen), spent)
        return Done([got[0] if got else {} for got in read(outcome.winner.source, job.unseen, sandbox)], spent)

    return run


def peer(tool: str, python: Path, limit: int) -> Callable[[Job], Done]:
    def run(job: Job) -> Done:
        task = {
            "fields": job.family.schema.names,
            "seen": [{"url": one.page.url, "html": one.page.html, "values": one.records[0]} for one in job.seen],
            "unseen": [{"url": one.page.url, "html": one.page.html} for one in job.unseen],
        }
        command = [str(python), str(Path(__file__).with_name("peer.py")), tool, str(limit)]
        done = subprocess.run(command, input=json.dumps(task), capture_output=True, text=True)
        if done.returncode == -signal.SIGXCPU:
            return Done([{}] * len(job.unseen), limit)
        if done.returncode:
            sys.exit(f"{tool} on {job.family.name}: {done.stderr[-2000:]}")
        told = json.loads(done.stdout)
        return Done(told["values"], told["seconds"])

    return run


def environment(tool: str, folder: Path) -> Path | None:
    """The Python that has the tool; None where pip cannot get it."""
    python = folder / tool / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder / tool)], check=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *NEEDS[tool]]
        if subprocess.run(pip, check=False).returncode:
            return None
    return python


def row(tool: str, run: Callable[[Job], Done], jobs: Sequence[Job], each: bool) -> str:
    """A line of the table: shares of fields as means over families, and the median time to learn one."""
    shares, seconds = [], []
    for job in jobs:
        done, tally = run(job), Tally()
        for page, got in zip(job.unseen, done.values, strict=True):
            tally += judged(job.family, page, [got])
        if tally.fields:
            shares.append((tally.right / tally.fields, tally.wrong / tally.fields))
        seconds.append(done.seconds)
        if each:
            print(f"    {tool} {job.family.name} {tally} {done.seconds:.2f} s", flush=True)
    right, wrong = (sum(column) / len(shares) for column in zip(*shares, strict=True))
    return f"| {tool} | {right:.3f} | {wrong:.3f} | {sorted(seconds)[len(seconds) // 2]:.2f} s |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--venvs", type=Path, default=Path("build/peers"))
    parser.add_argument("--families", type=int, default=12, help="of each set at most")
    parser.add_argument("--limit", type=int, default=60, help="processor seconds for a family; then it is all missing")
    parser.add_argument("--runs", default=RUNS, help="sets with their k")
    parser.add_argument("--each", action="store_true", help="print a line for every family")
    given = parser.parse_args()
    with ProcessSandbox() as sandbox:
        tools = {"crawloop": crawloop(sandbox)}
        for tool in NEEDS:
            python = environment(tool, given.venvs.resolve())
            if python is None:
                print(f"{tool} cannot be had: pip finds no {' '.join(NEEDS[tool])}")
            else:
                tools[tool] = peer(tool, python, given.limit)
        for name, k in ((name, int(k)) for name, _, k in (one.partition(":") for one in given.runs.split(","))):
            found = (job for one in families(given.corpus, [name], least=k + 1) if (job := job_of(one, k)))
            jobs = list(islice(found, given.families))
            print(f"\n| {name}, k={k}, {len(jobs)} families | right | wrong | learning a family |\n|---|---|---|---|")
            for tool, run in tools.items():
                print(row(tool, run, jobs, given.each), flush=True)


if __name__ == "__main__":
    main()
