"""demo: the whole story on the bundled shop, printed as a table."""

from __future__ import annotations

import time

import click

from crawloop.cli.console import print_table
from crawloop.demo.run import run


@click.command()
def demo() -> int:
    """The whole story on a bundled shop, with no key: learn, crawl, redesign, notice, heal, crawl."""
    started = time.monotonic()
    rows, calls = run(click.echo)
    click.echo()
    columns = ("", "pages", "right", "wrong", "missing", "noticed")
    cells = [(name, one.pages.total(), one.right, one.wrong, one.missing, one.noticed) for name, one in rows]
    print_table("", columns, cells)
    click.echo(f"\nmodels called: {calls}, seconds: {time.monotonic() - started:.1f}")
    return 0 if rows[-1][1].is_all_right else 1
