"""What pruning keeps of real pages, and at what price in tokens; and the bars it must meet.

python benchmarks/pruning.py CORPUS [--pages N] [--sets a,b] [--each]     a fixed sample, evenly over the sets

A value counts where the page carries it, and is kept where what a model is shown carries it, by the same search.
Tokens are those of o200k_base, which comes with litellm.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from corpus import Family, Labelled, families

from crawloop.brief.prune import Window, pruned
from crawloop.carriers import support
from crawloop.errors import PageRefused
from crawloop.extract.view import PageView
from crawloop.model.page import Page
from crawloop.model.truth import Evidence
from crawloop.values import squash

LEAST_KEPT, MOST_TOKENS, WIDEST_WINDOW = 0.99, 0.15, 12_000
BESIDE = 3  # pages of the same template that are at hand, as in a run
_LINK = re.compile(r"&lt;(.+?)&gt;")
_TELLING = 3  # letters and digits of a text that does not stand just anywhere
_NUMBERED = re.compile(r"^\[\d+\] ", re.MULTILINE)
_JSON = re.compile(r"(\S[^:]*): ([\[{].*)")


@dataclass(frozen=True, slots=True)
class Shown:
    """A page after pruning: asserted values that are on it, those that are lost, and tokens."""

    name: str
    kind: str
    values: int
    lost: tuple[str, ...]
    whole: int
    windows: tuple[int, ...]

    @property
    def share(self) -> float:
        return sum(self.windows) / max(1, self.whole)


def sample(corpus: Path, sets: Sequence[str], pages: int) -> Iterator[tuple[Family, str, Labelled]]:
    """So many pages, drawn evenly from sets and then from their families, always the same."""
    chance = random.Random(7)
    by_set: dict[str, list[tuple[Family, str, Labelled]]] = {}
    for kind in ("detail", "listing"):
        for family in families(corpus, sets, kind):
            page = chance.choice(family.pages)
            by_set.setdefault(family.name.split("/")[0] + kind, []).append((family, kind, page))
    for drawn in by_set.values():
        chance.shuffle(drawn)
    while pages and any(by_set.values()):
        for drawn in by_set.values():
            if drawn and pages:
                pages -= 1
                yield drawn.pop()


def stand_in(page: Page, shown: str) -> Page:
    """A page that carries what was shown, and nothing else."""
    lines = []
    for line in shown.splitlines():
        found = _JSON.fullmatch(line.partition(" ")[2])
        if found and _is_json(found[2]):
            lines.append(f'<script type="application/json" id="{escape(found[1])}">{found[2]}</script>')
        else:
            text = _LINK.sub(lambda link: f'<a href="{link[1]}">-</a>', escape(line, quote=False))
            lines.append(f"<p>{text}</p>")
    return Page(page.url, f'<base href="{escape(page.base)}"><body>' + "\n".join(lines))


def _stands(value: Any, places: Sequence[Evidence], loose: str) -> bool:
    """Whether the words of a value, or of a place where it stood, are there one after another."""
    said = [squash(str(one)) for one in (value if isinstance(value, list) else [value])]
    if all(one in loose for one in said) and min(map(len, said)) >= _TELLING:
        return True
    around = [squash(one.snippet) for one in places if one.carrier == "text"]
    return not isinstance(value, list) and any(len(one) >= _TELLING and one in loose for one in around)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def judged(
    family: Family, kind: str, labelled: Labelled, windows: Sequence[Window], count: Callable[[str], int]
) -> Shown:
    """What the windows hold of a page's values."""
    page = labelled.page
    text = "\n".join(one.text for one in windows)
    before, after = PageView(page.html, page.url), PageView(stand_in(page, text).html, page.url)
    loose = squash(_NUMBERED.sub("", text))
    there, lost = 0, []
    for record in labelled.records:
        for name, value in record.items():
            places = support(before, value, family.schema[name])
            there += bool(places)
            if places and not (support(after, value, family.schema[name]) or _stands(value, places, loose)):
                lost.append(f"{name}: {str(value)[:100]!r}")
    return Shown(family.name, kind, there, tuple(lost), count(page.html), tuple(count(one.text) for one in windows))


def counter() -> Callable[[str], int]:
    """Counts tokens, without the network."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    import litellm

    os.environ["TIKTOKEN_CACHE_DIR"] = str(Path(litellm.__file__).parent / "litellm_core_utils" / "tokenizers")
    import tiktoken

    encoding = tiktoken.get_encoding("o200k_base")
    return lambda text: len(encoding.encode(text, disallowed_special=()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--sets", default="")
    parser.add_argument("--each", action="store_true", help="print each page, and what it lost")
    given = parser.parse_args()
    count = counter()
    results = []
    chance = random.Random(7)
    for family, kind, labelled in sample(given.corpus, [one for one in given.sets.split(",") if one], given.pages):
        try:
            others = [one.page for one in family.pages if one is not labelled]
            beside = chance.sample(others, min(BESIDE, len(others)))
            windows = pruned(labelled.page, family.schema, beside)
        except PageRefused as refusal:
            print(f"{family.name}: {refusal}")
            continue
        one = judged(family, kind, labelled, windows, count)
        results.append(one)
        if given.each:
            tell(one)
    return report(results)


def tell(one: Shown) -> None:
    now = sum(one.windows)
    print(f"{one.name:48} {one.whole:7} tokens -> {now:6} {one.share:5.2f}, lost {len(one.lost)} of {one.values}")
    for lost in one.lost[:4]:
        print("      ", lost)


def report(results: Sequence[Shown]) -> int:
    values, lost = sum(one.values for one in results), sum(len(one.lost) for one in results)
    kept = 1 - lost / max(1, values)
    by_page = statistics.mean(1 - len(one.lost) / one.values for one in results if one.values)
    details = [one for one in results if one.kind == "detail"]
    share = statistics.median(one.share for one in details) if details else 0.0
    widest = max(max(one.windows) for one in results)
    print(f"{len(results)} pages, {len(details)} of them details; {values} values on them")
    print(f"kept {kept:.4f} of the values, {by_page:.4f} as a mean over pages")
    before, after = (statistics.median(one) for one in zip(*((d.whole, sum(d.windows)) for d in details), strict=True))
    print(f"tokens of the median detail page: {before:.0f} -> {after:.0f}")
    bars = {
        f"99 % of the values kept: {min(kept, by_page):.4f}": min(kept, by_page) >= LEAST_KEPT,
        f"at most 15 % of a detail page's tokens, median: {share:.3f}": share <= MOST_TOKENS,
        f"no window above 12,000 tokens: {widest}": widest <= WIDEST_WINDOW,
    }
    for said, met in bars.items():
        print(f"    {'met   ' if met else 'MISSED'}  {said}")
    return 0 if all(bars.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
