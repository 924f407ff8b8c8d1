"""What commands share: the workspace option, tables for people, JSON for machines, progress on a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from crawloop.model.events import Event

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")


def print_json(value: Any) -> None:
    """One JSON document on stdout."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table on stdout; plain text without colour where stdout is no terminal."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*columns, title=title or None, title_justify="left", header_style="bold", show_edge=False)
    for row in rows:
        table.add_row(*(Text("" if cell is None else str(cell)) for cell in row))
    console = Console()
    # In a pipe nobody sees the width of a terminal: never cut what another program may read.
    (console if console.is_terminal else Console(width=200, no_color=True, force_terminal=False)).print(table)


@contextmanager
def progress(title: str) -> Iterator[Progress]:
    """A line on stderr that follows the events of a run; nothing at all in a pipe."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield Progress(None)
        return
    with console.status(title) as status:
        yield Progress(lambda line: status.update(f"{title}: {line}"))


class Progress:
    """Turns events into a line for a person. It is an Observer."""

    def __init__(self, show: Any) -> None:
        self._show = show

    def __call__(self, event: Event) -> None:
        if self._show is not None:
            self._show(_in_words(event))

    def say(self, line: str) -> None:
        """Shows a line that is no event."""
        if self._show is not None:
            self._show(line)


def _in_words(event: Event) -> str:
    body = event.body()
    known = {
        "PageSampled": "sampled {url}",
        "PageDropped": "dropped {url}: {why}",
        "WitnessSpoke": "{witness} knows {url}",
        "StrategyProposed": "round {round}: {strategy} proposed {candidates}",
        "StrategySilent": "round {round}: {strategy} has nothing: {why}",
        "CandidateJudged": "round {round}: {origin} judged",
        "ModelCalled": "{model} answered ({purpose})",
        "TierFailed": "{model} did not do: {reason}",
    }
    return known.get(event.kind, event.kind).format(**body).replace("[", "\\[")
