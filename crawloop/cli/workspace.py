"""init and doctor: setting a workspace up, and what this machine gives."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import platform
from importlib.resources import files
from pathlib import Path

import click

from crawloop.app import find_workspace
from crawloop.cli.console import as_json, print_json, print_table
from crawloop.config import FILE, read_settings
from crawloop.errors import CrawloopError, UserError


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path), default=Path("."), metavar="[DIR]")
def init(folder: Path) -> None:
    """Write a workspace into DIR: a commented crawloop.toml, schemas/ with an example, fixtures/."""
    if (folder / FILE).exists():
        raise UserError(f"{folder / FILE} is there already: edit it, or choose another folder")
    try:
        for name in ("schemas", "fixtures"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        starter = files("crawloop.cli") / "starter"
        if not any((folder / "schemas").glob("*.py")):
            (folder / "schemas" / "product.py").write_text((starter / "product.txt").read_text())
        (folder / FILE).write_text((starter / FILE).read_text())
    except OSError as error:
        raise UserError(f"cannot write a workspace in {folder}: {error.strerror}") from error
    click.echo(f"{folder}: a workspace. Next: describe your pages in {folder / 'schemas'}, then")
    click.echo("  crawloop bootstrap FAMILY URL… --schema Product@1")


@click.command()
@as_json
@click.pass_obj
def doctor(folder: Path | None, as_json: bool) -> None:
    """What this machine gives: Python, sandbox layers, models, database, workspace."""
    rows = [("python", "ok", platform.python_version()), *_sandbox(), *_models(), *_workspace(folder)]
    if as_json:
        print_json([dict(zip(("what", "state", "detail"), row, strict=True)) for row in rows])
    else:
        print_table("", ("what", "state", "detail"), rows)


def _sandbox() -> list[tuple[str, str, str]]:
    from crawloop.sandbox import ProcessSandbox

    sandbox = ProcessSandbox()
    try:
        layers = sandbox.layers()
    except CrawloopError as error:
        return [("sandbox", "broken", str(error))]
    finally:
        sandbox.close()
    return [(f"sandbox: {name}", *_stand(said)) for name, said in layers.items()]


def _stand(said: str) -> tuple[str, str]:
    return ("ok", "") if said == "on" else ("missing", said.removeprefix("off: "))


def _models() -> list[tuple[str, str, str]]:
    if importlib.util.find_spec("litellm") is None:
        return [("models", "off", "litellm is not installed; the extra is `llm`. Everything that needs no model works")]
    return [("models", "ok", f"litellm {importlib.metadata.version('litellm')}")]


def _workspace(folder: Path | None) -> list[tuple[str, str, str]]:
    home = folder or find_workspace(Path.cwd())
    try:
        settings = read_settings(home)
    except CrawloopError as error:
        return [("workspace", "broken", str(error))]
    tiers = ", ".join(settings.models.tiers) or "none set"
    return [("workspace", "ok", str(home)), ("registry", "ok", settings.places.registry), ("model tiers", "ok", tiers)]
