"""demo: the whole story on the bundled shop, printed as a table."""

from __future__ import annotations

import time

import click

from crawloop.cli.console import as_json, print_json, print_table
from crawloop.demo.run import run


@click.command()
@as_json
def demo(as_json: bool) -> int:
    """The whole story on a bundled shop, with no key: learn, crawl, redesign, notice, heal, crawl."""
    started = time.monotonic()
    rows, calls = run(lambda line: click.echo(line, err=as_json))
    columns = ("pages", "right", "wrong", "missing", "noticed")
    cells = [(name, one.pages.total(), one.right, one.wrong, one.missing, one.noticed) for name, one in rows]
    seconds = round(time.monotonic() - started, 1)
    if as_json:
        told = [{"when": name, **dict(zip(columns, counts, strict=True))} for name, *counts in cells]
        print_json({"rows": told, "calls": calls, "seconds": seconds})
    else:
        click.echo()
        print_table("", ("", *columns), cells)
        click.echo(f"\nmodels called: {calls}, seconds: {seconds}")
    return 0 if rows[-1][1].is_all_right else 1
