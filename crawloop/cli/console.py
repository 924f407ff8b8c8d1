"""What commands share: the workspace option, tables for people, JSON for machines, progress on a terminal."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from crawloop.model.events import PageFetched, PageServed
from crawloop.shape import shown

if TYPE_CHECKING:
    from crawloop.model.events import Event

Show = Callable[[str, int, int | None], None]  # (line, pages done, pages in all)

_PAUSE = 1.0  # seconds between two lines of progress in a pipe
_PAGES = 100  # after which there is one in any case

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")


def print_json(value: Any, *, lines: bool = False) -> None:
    """One JSON document on stdout; with `lines` on one line. In ASCII where stdout knows no other characters."""
    narrow = not (sys.stdout.encoding or "").lower().startswith("utf")
    click.echo(json.dumps(value, ensure_ascii=narrow, indent=None if lines else 2, default=str))


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table on stdout, nothing where it has no rows; plain text without colour where stdout is no terminal."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*columns, title=title or None, title_justify="left", header_style="bold", show_edge=False)
    for row in rows:
        table.add_row(*(Text("" if cell is None else shown(str(cell))) for cell in row))
    if not table.rows:
        return
    console = Console()
    # In a pipe nobody sees the width of a terminal: never cut what another program may read.
    (console if console.is_terminal else Console(width=200, no_color=True, force_terminal=False)).print(table)


@contextmanager
def for_a_reader() -> Iterator[None]:
    """Prints that end where the reader of a pipe has gone away; the exit code is not theirs to change."""
    try:
        yield
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def progress(title: str, *, always: bool = False) -> Iterator[Progress]:
    """A line on stderr that follows the events of a run, with a bar where the end is known.

    In a pipe there is nothing, or with `always` a line now and then.
    """
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn
    from rich.progress import Progress as Bars

    console = Console(stderr=True)
    if not console.is_terminal:
        yield Progress(_now_and_then(title) if always else None)
        return
    with Bars(
        SpinnerColumn(),
        BarColumn(bar_width=24),
        TextColumn("{task.description}", markup=False),
        console=console,
        transient=True,
    ) as bars:
        task = bars.add_task(title, total=None)

        def show(line: str, done: int, total: int | None) -> None:
            bars.update(task, description=f"{title}: {line}", completed=done, total=total)

        yield Progress(show)


def _now_and_then(title: str) -> Show:
    """Lines that do not flood a log: one a second at most, but for every hundred pages."""
    last, at = 0, -_PAUSE

    def show(line: str, done: int, total: int | None) -> None:
        nonlocal last, at
        now = time.monotonic()
        if now - at >= _PAUSE or done - last >= _PAGES:
            click.echo(f"{title}: {line}", err=True)
            last, at = done, now

    return show


class Progress:
    """Turns events into a line for a person. It is an Observer."""

    def __init__(self, show: Show | None) -> None:
        self._show = show
        self._done, self._total, self._fetched = 0, 0, 0

    def __call__(self, event: Event) -> None:
        if self._show is None:
            return
        if event.kind == PageFetched.__name__:
            self._fetched += 1
            self._count(self._show)
        elif event.kind != PageServed.__name__:
            self._show(shown(_in_words(event)), self._done, self._total or None)

    def count(self, done: int, total: int) -> None:
        """Shows how many pages of a crawl are done."""
        self._done, self._total = done, total
        if self._show is not None:
            self._count(self._show)

    def _count(self, show: Show) -> None:
        ahead = f", {self._fetched} fetched" if self._fetched else ""
        show(f"{self._done} of {self._total} pages{ahead}", self._done, self._total)


def _in_words(event: Event) -> str:
    body = event.body()
    known = {
        "StageBegun": "{what}",
        "PageSampled": "sampled {url}",
        "PageDropped": "dropped {url}: {why}",
        "WitnessSpoke": "{witness} knows {url}",
        "WitnessSilent": "{witness} does not know {url}",
        "StrategyProposed": "round {round}: {strategy} proposed {candidates}",
        "StrategySilent": "round {round}: {strategy} has nothing: {why}",
        "CandidateJudged": "round {round}: {origin} judged",
        "ModelCalled": "{model} answered ({purpose})",
        "TierFailed": "{model} did not do: {reason}",
    }
    return known.get(event.kind, event.kind).format(**body)
