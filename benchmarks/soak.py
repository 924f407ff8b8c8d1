"""Ten thousand runs in a row, a tenth of them hostile: what the caller and its template process hold as it goes on.

python benchmarks/soak.py [--runs N]     prints a line for each tenth; ends with code 1 where anything has grown
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
import time
from collections import Counter
from dataclasses import astuple, dataclass
from pathlib import Path

from crawloop.model.page import Page
from crawloop.sandbox import ProcessSandbox

HONEST = "def extract(page):\n    return [{'title': page.text('h1'), 'url': page.url}]\n"
HOSTILE = {
    "deadline": "def extract(page):\n    while True:\n        pass\n",
    "memory": "def extract(page):\n    return [{'n': len('x' * 10 ** 10)}]\n",
    "output": "def extract(page):\n    return [{'text': 'x' * 5_000_000}]\n",
    "refused": "import os\ndef extract(page):\n    return [{'names': os.listdir('/')}]\n",
    "exception": "def extract(page):\n    return [{'x': getattr(page, '__glo' + 'bals__')}]\n",
}
SLACK = 4_000
SETTLE = 2.0


@dataclass(frozen=True, slots=True)
class Held:
    """Memory in KB, and counts."""

    caller: int
    template: int
    descriptors: int
    jobs: int
    threads: int
    processes: int


def resident(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def children(process: int) -> list[int]:
    listed = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    found = [int(one) for one in listed]
    return found + [grandchild for one in found for grandchild in children(one)]


def held(template: int) -> Held:
    """As soon as the last job is gone and the next one is forked ahead."""
    until = time.monotonic() + SETTLE
    while len(children(os.getpid())) != 2 and time.monotonic() < until:
        time.sleep(0.02)
    return Held(
        resident(os.getpid()),
        resident(template),
        len(os.listdir("/proc/self/fd")),
        len(children(template)),
        threading.active_count(),
        len(children(os.getpid())),
    )


def stretch(sandbox: ProcessSandbox, first: int, count: int, ends: Counter[str]) -> None:
    """Some runs, each on its own page. Raises AssertionError where an honest one is not right."""
    names = list(HOSTILE)
    for number in range(first, first + count):
        url = f"https://shop.example/p/{number}"
        page = Page(url, f"<h1>Thing {number}</h1>" + "<p>words</p>" * (number % 200))
        if number % 10:
            (run,) = sandbox.run(HONEST, [page])
            assert run.records == ({"title": f"Thing {number}", "url": url},), run
            ends["rows"] += 1
            continue
        name = names[number // 10 % len(names)]
        (run,) = sandbox.run(HOSTILE[name], [page], deadline=0.1 if name == "deadline" else 5.0)
        assert run.failure is not None, name
        ends[run.failure.kind] += 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10_000)
    runs = parser.parse_args().runs
    ends: Counter[str] = Counter()
    with ProcessSandbox() as sandbox:
        stretch(sandbox, 0, 100, Counter())
        (template, *_) = children(os.getpid())
        before = after = held(template)
        print("runs   seconds   caller KB   template KB   descriptors   jobs   threads   processes")
        start = time.monotonic()
        for first in range(0, runs, max(1, runs // 10)):
            stretch(sandbox, first, min(max(1, runs // 10), runs - first), ends)
            after = held(template)
            print(sum(ends.values()), f"{time.monotonic() - start:.0f}", *astuple(after), sep="\t", flush=True)
    print("ended by", dict(ends))
    grown = after.caller - before.caller > SLACK or after.template - before.template > SLACK
    grown = grown or astuple(after)[2:] != astuple(before)[2:]
    print("GROWN" if grown else "nothing has grown", before, after)
    return int(grown)


if __name__ == "__main__":
    sys.exit(main())
