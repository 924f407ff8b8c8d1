"""The standing score: the seven runs of a scorer on a corpus of real pages, the kept figures beside the new ones.

python benchmarks/score.py CORPUS SCORER             all families; keeps the figures in scores.tsv      (make score)
python benchmarks/score.py CORPUS SCORER --sample    a fixed few; ends with code 1 where a figure fell  (.ci/run)

`--sample --keep` keeps the sample's figures, in sample.tsv, as the ones to hold. docs/measure.md says what a scorer is.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, fields
from datetime import date
from pathlib import Path

HERE = Path(__file__).resolve().parent
RUNS = {
    "learn --sets swde --k 3": 8,
    "learn --sets recipes,news --k 2": 8,
    "learn --sets recipes,news --k 1": 8,
    "learn --sets dockets --k 2": 8,
    "learn --sets courts --k 1": 8,
    "learn --sets apidocs --k 2": 4,
    "heal --sets recipes,news": 12,
}
SLACK = 0.02
TOLD = re.compile(r"fields right ([\d.]+), wrong ([\d.]+);.* families (\d+)")


@dataclass(frozen=True, slots=True)
class Score:
    """One line of a table: shares of fields as means over families, and of what they are."""

    run: str
    right: float
    wrong: float
    families: int
    date: str
    commit: str
    corpus: str


def load(table: Path) -> dict[str, Score]:
    """The kept scores by run; none where nothing was kept yet."""
    if not table.exists():
        return {}
    lines = [line.split("\t") for line in table.read_text().splitlines()[1:]]
    return {run: Score(run, float(right), float(wrong), int(many), *rest) for run, right, wrong, many, *rest in lines}


def keep(table: Path, scores: Sequence[Score]) -> None:
    lines = [[one.name for one in fields(Score)], *(list(asdict(score).values()) for score in scores)]
    table.write_text("".join("\t".join(map(str, line)) + "\n" for line in lines))


def fallen(old: Mapping[str, Score], new: Sequence[Score]) -> list[str]:
    """What got worse by more than the slack, in words; scores of other families are not compared."""
    faults = []
    for now in new:
        was = old.get(now.run)
        if was is None or (was.corpus, was.families) != (now.corpus, now.families):
            continue
        if was.right - now.right > SLACK + 1e-9:
            faults.append(f"{now.run}: right fell from {was.right:.3f} to {now.right:.3f}")
        if now.wrong - was.wrong > SLACK + 1e-9:
            faults.append(f"{now.run}: wrong rose from {was.wrong:.3f} to {now.wrong:.3f}")
    return faults


def measured(scorer: Path, corpus: Path, run: str, sample: bool, commit: str) -> Score:
    """One run of the scorer, with the crawloop of this very Python; of all families, or of the sample's few."""
    what, *options = run.split()
    few = ["--families", str(RUNS[run]), "--seed", "1"] if sample else []
    by = [sys.executable] if scorer.suffix == ".py" else []
    crawloop = f"{sys.executable} -m crawloop"
    command = [*by, str(scorer), what, str(corpus), *options, *few, "--cmd", crawloop]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    told = TOLD.search(done.stdout)
    if told is None:
        sys.exit(f"{scorer} tells no figures for {run!r}:\n{(done.stdout + done.stderr)[-2000:]}")
    mark = hashlib.sha256((corpus / "INDEX.tsv").read_bytes()).hexdigest()[:8]
    return Score(run, float(told[1]), float(told[2]), int(told[3]), date.today().isoformat(), commit, mark)


def show(old: Mapping[str, Score], new: Score) -> None:
    was = old.get(new.run)
    before = f"{was.right:.3f} / {was.wrong:.3f}  {was.date} {was.commit}" if was else "–"
    print(f"{new.run:34}{new.families:9}{new.right:10.3f} / {new.wrong:.3f}     {before}", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("scorer", type=Path)
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--tables", type=Path, default=HERE)
    given = parser.parse_args(arguments)
    corpus, scorer = given.corpus.resolve(), given.scorer.resolve()
    if not (corpus / "INDEX.tsv").is_file() or not scorer.is_file():
        parser.error("name a corpus, a folder with an INDEX.tsv, and a scorer, a program: CORPUS=… SCORER=…")
    table = given.tables / ("sample.tsv" if given.sample else "scores.tsv")
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=HERE, capture_output=True, text=True, check=False
    ).stdout.strip()
    old, new = load(table), []
    print(f"{'run':34}{'families':>9}{'right / wrong':>18}     {'before':13}  kept", flush=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for score in pool.map(lambda run: measured(scorer, corpus, run, given.sample, commit), RUNS):
            show(old, score)
            new.append(score)
    faults = fallen(old, new) if given.sample and not given.keep else []
    if given.keep or not given.sample:
        keep(table, new)
    elif not any(score.corpus == old[score.run].corpus for score in new if score.run in old):
        print(f"{table.name} holds no figures of this corpus: nothing to compare with")
    print(*(f"FELL  {fault}" for fault in faults), sep="\n")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
