"""What learning costs: the whole loop from labelled pages to a promotion, in time and memory, and the learnt programs.

python benchmarks/induction.py CORPUS [PART …]     parts: time growth memory programs (none named: all)

Seconds are processor time of this process and its sandbox, which a busy machine does not blur. Ends with code 1 where a
bar is missed.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count, cycle, islice
from pathlib import Path

from corpus import Family, Labelled, families
from learning import learn
from sandbox import processor, told
from selectolax.lexbor import LexborHTMLParser

from crawloop.extract import transforms
from crawloop.extract.view import PageView
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.outcome import Promotion
from crawloop.model.page import Page
from crawloop.sandbox import ProcessSandbox

KB = 1000
GROWTH, MEMORY, PROGRAMS = 1.1, 300, 1.4
_turn = count()


def fresh(page: Labelled, url: str = "") -> Labelled:
    """The same page as nobody has seen it: a space more makes it another one, for whatever remembers pages."""
    html = page.page.html + " " * next(_turn)
    return replace(page, page=replace(page.page, html=html, url=url or page.page.url))


def some(family: Family, number: int) -> list[Labelled]:
    """So many pages of the family, in turn again where it has fewer."""
    pages = islice(cycle(family.pages), number)
    return [fresh(one, f"{one.page.url}#{place}") for place, one in enumerate(pages)]


@contextmanager
def warm(family: Family) -> Iterator[ProcessSandbox]:
    """A sandbox after its first run, which loads what any run needs."""
    with ProcessSandbox() as sandbox:
        learn(family, [fresh(one) for one in family.pages[:1]], sandbox)
        yield sandbox


def seconds(family: Family, pages: Sequence[Labelled], sandbox: ProcessSandbox) -> float:
    began = processor()
    learn(family, pages, sandbox)
    return (processor() - began) / 1000


def times(corpus: Path) -> bool:
    """Five pages of about 200 KB, and three of about 500 KB."""
    met = True
    with warm(next(families(corpus))) as sandbox:
        for label, sizes, number, share, bar in (
            ("five pages of 200 KB, p50", (160, 250), 5, 0.5, 1.0),
            ("three pages of 500 KB, p90", (400, 620), 3, 0.9, 1.5),
        ):
            alike = families(corpus, size=sizes)
            taken = sorted((seconds(one, some(one, number), sandbox), one.name) for one in alike)
            print(*(f"    {name} {one:.2f}" for one, name in taken), sep="\n")
            at, slowest = taken[math.ceil(share * len(taken)) - 1][0], taken[-1]
            print(f"{label}, {len(taken)} families: {at:.2f} s; slowest {slowest[1]}, {slowest[0]:.2f} s")
            told(f"under {bar} s", at < bar)
            met &= at < bar
    return met


def slope(points: Sequence[tuple[float, float]]) -> float:
    """The exponent by which seconds grow: the slope of the line through the points, both axes logarithmic."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    return statistics.linear_regression(xs, ys).slope


def stretched(page: Labelled, length: int) -> Labelled:
    """The page with what stands in its body repeated until it is so long."""
    html = page.page.html
    start = html.find(">", html.find("<body")) + 1
    end = html.rfind("</body>")
    inner = html[start : end if end > start else len(html)]
    more = (inner * (length // max(1, len(inner)) + 1))[: max(0, length - len(html))]
    more = more[: more.rfind("<")]
    return replace(
        page, page=replace(page.page, html=f"{html[:end]}{more}{html[end:]}" if end > start else html + more)
    )


def listing(records: int) -> tuple[Family, Labelled]:
    """A page of invented rows, as the corpus has no listing in all lengths: some values are one row's, some many's."""
    rows = [
        {
            "title": f"Matter of Doe No. {n}",
            "date": f"2024-{n % 12 + 1:02}-{n % 28 + 1:02}",
            "url": f"https://court.example/op/{n}.pdf",
            "judge": f"Judge {'ABCDEFG'[n % 7]}",
        }
        for n in range(records)
    ]
    cells = "".join(
        f'<tr class="row"><td class="on">{one["date"]}</td><td><a href="{one["url"]}">{one["title"]}</a></td>'
        f"<td>{one['judge']}</td></tr>"
        for one in rows
    )
    words = "<p>Opinions are posted in the afternoon of the day on which they are filed with the clerk.</p>" * 5
    html = f"<html><body><h1>Opinions</h1>{words}<table>{cells}</table></body></html>"
    schema = Schema("Item@1", (Field("title"), Field("date", Kind.DATE), Field("url", Kind.URL), Field("judge")))
    page = Labelled(Page("https://court.example/opinions", html), tuple(rows))
    return Family("invented", schema, (page,)), page


def growth(corpus: Path) -> bool:
    """By page size, by number of samples, by number of records."""
    small = list(islice(families(corpus, ("swde", "recipes"), least=2, size=(30, 50)), 4))
    many = list(islice(families(corpus, least=10), 4))
    with warm(small[0]) as sandbox:
        curves = {f"page size in KB, {one.name}": by_size(one, sandbox) for one in small}
        curves |= {f"samples, {one.name}": by_samples(one, sandbox) for one in many}
        curves["records of a page"] = by_records(sandbox)
    met = True
    for label, points in curves.items():
        shown = "  ".join(f"{x:.0f}: {y:.2f} s" for x, y in points)
        print(f"{label}   {shown}")
        told(f"grows by an exponent of at most {GROWTH}: {slope(points):.2f}", slope(points) <= GROWTH)
        met &= slope(points) <= GROWTH
    return met


def by_size(family: Family, sandbox: ProcessSandbox) -> list[tuple[float, float]]:
    sizes = (50, 100, 200, 500, 1000, 2000)
    made = {one: [fresh(stretched(page, one * KB)) for page in family.pages[:2]] for one in sizes}
    return [(one, seconds(family, pages, sandbox)) for one, pages in made.items()]


def by_samples(family: Family, sandbox: ProcessSandbox) -> list[tuple[float, float]]:
    return [(number, seconds(family, some(family, number), sandbox)) for number in (2, 3, 5, 8, 12)]


def by_records(sandbox: ProcessSandbox) -> list[tuple[float, float]]:
    points = []
    for number in (25, 50, 100, 200, 400, 800, 1600, 3200):
        family, page = listing(number)
        points.append((number, seconds(family, [fresh(page)], sandbox)))
    return points


def memory(corpus: Path) -> bool:
    """Peaks of fresh processes that learn from pages of 2 MB, beside one that learns from a small page."""
    met = True
    for name, length, number in (("small", 0, 1), ("stretched", 2000, 1), ("stretched", 2000, 3), ("real", 0, 3)):
        command = [sys.executable, __file__, str(corpus), "peak", name, str(length), str(number)]
        peak = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        print(f"{number} {name} page(s), {peak['family']}, {peak['kb']:.0f} KB: peak {peak['mb']:.0f} MB")
        if peak["kb"] > 1500:
            told(f"under {MEMORY} MB", peak["mb"] < MEMORY)
            met &= peak["mb"] < MEMORY
    return met


def peak(corpus: Path, name: str, length: int, number: int) -> None:
    """Learns, and prints what this process held at most."""
    sizes = (1900, 2500) if name == "real" else (30, 50)
    family = next(families(corpus, () if name == "real" else ("recipes",), size=sizes))
    pages = [replace(one, page=stretched(one, length * KB).page) for one in some(family, number)]
    with ProcessSandbox() as sandbox:
        learn(family, pages, sandbox)
    print(json.dumps({"family": family.name, "kb": len(pages[0].page.html) / KB, "mb": held()}))


def held() -> float:
    """The MB that this program held at most; what getrusage says began with the process that started it."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def programs(corpus: Path) -> bool:
    """Learnt programs beside the bare parse, on the pages that they were not learnt from."""
    spent: list[tuple[float, float]] = []
    found = list(islice(families(corpus, least=3), 40))
    with warm(found[0]) as sandbox:
        for family in found:
            outcome = learn(family, family.pages[:2], sandbox)
            if isinstance(outcome, Promotion):
                spent += [beside(outcome.winner.source, page) for page in family.pages[2:8]]
    parse, program = (sum(column) / len(spent) * 1000 for column in zip(*spent, strict=True))
    middle = statistics.median(two / one for one, two in spent)
    print(f"learnt programs, {len(spent)} pages: {program:.2f} ms a page, the bare parse {parse:.2f} ms; ", end="")
    print(f"{program / parse:.2f} times, by the median page {middle:.2f}")
    told(f"at most {PROGRAMS} times the bare parse", program / parse <= PROGRAMS)
    return program / parse <= PROGRAMS


def beside(source: str, page: Labelled) -> tuple[float, float]:
    """Processor seconds of the bare parse and of the program, the best of several rounds, taken in turn."""
    space = {name: getattr(transforms, name) for name in transforms.__all__}
    exec(compile(source, "program", "exec"), space)
    parse = program = float("inf")
    for _ in range(7):
        began = time.process_time()
        LexborHTMLParser(page.page.html)
        parsed = time.process_time()
        space["extract"](PageView(page.page.html, page.page.base))
        parse, program = min(parse, parsed - began), min(program, time.process_time() - parsed)
    return parse, program


PARTS = {"time": times, "growth": growth, "memory": memory, "programs": programs}


def main() -> int:
    if sys.argv[2:3] == ["peak"]:
        peak(Path(sys.argv[1]), sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="PART")
    given = parser.parse_args()
    met = [PARTS[one](given.corpus) for one in given.parts or PARTS]
    return int(not all(met))


if __name__ == "__main__":
    sys.exit(main())
