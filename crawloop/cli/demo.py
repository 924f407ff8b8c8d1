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
    columns = ("the shop's products", "pages", "right", "wrong", "missing")
    print_table("", columns, [(name, str(one), one.right, one.wrong, one.missing) for name, one in rows])
    click.echo(f"\nmodels called: {calls}, seconds: {time.monotonic() - started:.1f}")
    return 0 if rows[-1][1].is_all_right else 1
