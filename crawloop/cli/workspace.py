"""init: setting a workspace up."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import click

from crawloop.cli.console import as_json, print_json
from crawloop.config import FILE
from crawloop.errors import UserError


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path), default=Path("."), metavar="[DIR]")
@as_json
def init(folder: Path, as_json: bool) -> None:
    """Write a workspace into DIR: a commented crawloop.toml, schemas/ with an example, fixtures/."""
    if (folder / FILE).exists():
        raise UserError(f"{folder / FILE} is there already: edit it, or choose another folder")
    try:
        written = _write(folder)
    except OSError as error:
        raise UserError(
            f"{folder}: no workspace can be written there ({error.strerror}): choose another folder"
        ) from error
    if as_json:
        return print_json({"workspace": str(folder.resolve()), "written": written})
    click.echo(f"{folder}: a workspace. Next: describe your pages in {folder / 'schemas'}, then")
    return click.echo("  crawloop bootstrap FAMILY URL… --schema Product@1")


def _write(folder: Path) -> list[str]:
    """Writes what is missing, crawloop.toml last. Returns the files."""
    starter = files("crawloop.cli") / "starter"
    written = []
    for name in ("schemas", "fixtures"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    if not any((folder / "schemas").glob("*.py")):
        (folder / "schemas" / "product.py").write_text((starter / "product.txt").read_text("utf-8"), "utf-8")
        written.append("schemas/product.py")
    (folder / FILE).write_text((starter / FILE).read_text("utf-8"), "utf-8")
    return [*written, FILE]
