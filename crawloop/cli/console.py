"""What commands share: the workspace option, tables for people, JSON for machines, progress on a terminal."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from crawloop.shape import shown

if TYPE_CHECKING:
    from crawloop.model.events import Event

_COUNTED = frozenset({"PageFetched", "PageServed"})  # a crawl counts them by itself

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
def progress(title: str) -> Iterator[Progress]:
    """A line on stderr that follows the events of a run, with a bar where the end is known; nothing in a pipe."""
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn
    from rich.progress import Progress as Bars

    console = Console(stderr=True)
    if not console.is_terminal:
        yield Progress(None)
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


class Progress:
    """Turns events into a line for a person. It is an Observer."""

    def __init__(self, show: Callable[[str, int, int | None], None] | None) -> None:
        self._show = show

    def __call__(self, event: Event) -> None:
        if self._show is not None and event.kind not in _COUNTED:
            self._show(shown(_in_words(event)), 0, None)

    def count(self, done: int, total: int, what: str) -> None:
        """Shows how far something with a known end has come."""
        if self._show is not None:
            self._show(f"{done} of {total} {what}", done, total)


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
