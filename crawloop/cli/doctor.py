"""doctor: what this machine gives, each line with its state: ok, off, missing or broken. It changes nothing."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import subprocess
from pathlib import Path

import click

from crawloop.app import open_workspace
from crawloop.cli.console import as_json, print_json, print_table
from crawloop.config import Settings, read_settings, registry_url, workspace_folder
from crawloop.errors import CrawloopError, UserError, how_to_install
from crawloop.model.policy import RenderRules, SandboxRules

Row = tuple[str, str, str]


@click.command()
@as_json
@click.pass_obj
def doctor(folder: Path | None, as_json: bool) -> None:
    """What this machine gives: Python, sandbox layers, keys, models, browser, workspace, database."""
    rows = [
        ("python", "ok", platform.python_version()),
        *_sandbox(folder),
        _keys(),
        _models(),
        _browser(_settings(folder).render),
        *_workspace(folder),
    ]
    if as_json:
        print_json([dict(zip(("what", "state", "detail"), row, strict=True)) for row in rows])
    else:
        print_table("", ("what", "state", "detail"), rows)


def _sandbox(folder: Path | None) -> list[Row]:
    from crawloop.sandbox import ProcessSandbox

    required = _settings(folder).sandbox.require
    sandbox = ProcessSandbox(rules=SandboxRules(require=()))  # it looks at all layers, whatever is missing
    try:
        layers = sandbox.layers()
    except CrawloopError as error:
        return [("sandbox", "broken", str(error))]
    finally:
        sandbox.close()
    return [(f"sandbox: {name}", *_stand(said, name in required)) for name, said in layers.items()]


def _settings(folder: Path | None) -> Settings:
    try:
        return read_settings(workspace_folder(folder))
    except CrawloopError:  # the line of the workspace tells it
        return Settings()


def _stand(said: str, is_required: bool) -> tuple[str, str]:
    if said == "on":
        return "ok", "required" if is_required else ""
    reason = said.removeprefix("off: ")
    return ("broken", f"required, and missing: {reason}") if is_required else ("missing", reason)


def _keys() -> Row:
    """The names of the keys that are set, never their values."""
    names = sorted(name for name, value in os.environ.items() if name.endswith("_API_KEY") and value)
    return (
        ("keys", "ok", ", ".join(names))
        if names
        else ("keys", "off", "no …_API_KEY is set: hosted models cannot be asked")
    )


def _models() -> Row:
    from crawloop.llm.litellm import is_installed

    if not is_installed():
        return "models", "off", f"without the extra: {how_to_install('llm')}; all that asks no model works"
    return "models", "ok", f"litellm {importlib.metadata.version('litellm')}"


def _browser(rules: RenderRules) -> Row:
    from crawloop.crawl.fetch.chromium import find_browser

    try:
        path = find_browser(rules)
        said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=20, check=True).stdout
    except UserError as error:
        needed = ", ".join(rules.families)
        return ("browser", "broken", f"{needed}: {error}") if needed else ("browser", "off", str(error))
    except (OSError, subprocess.SubprocessError) as error:
        return "browser", "broken", f"{path}: {error}"
    bare = "; as root it runs without its own sandbox" if os.geteuid() == 0 else ""
    return "browser", "ok", f"{said.strip()} at {path}{bare}"


def _workspace(folder: Path | None) -> list[Row]:
    try:
        home = workspace_folder(folder)
        settings = read_settings(home)
    except CrawloopError as error:
        return [("workspace", "broken", str(error))]
    tiers = ", ".join(settings.models.tiers)
    model_row: Row = (
        ("model tiers", "off", "none in crawloop.toml: no model is asked")
        if not tiers
        else ("model tiers", "ok", tiers)
        if importlib.util.find_spec("litellm")
        else ("model tiers", "broken", f"{tiers}: see models; what would ask one of them ends there")
    )
    return [("workspace", "ok", str(home)), model_row, _database(home, registry_url(home, settings))]


def _database(home: Path, url: str) -> Row:
    file = Path(url.removeprefix("sqlite:///"))
    if url.startswith("sqlite:///") and not file.exists():
        return "database", "ok", f"{file} is made on first use"
    try:
        with open_workspace(home) as workspace:
            count = len(workspace.store.families())
    except CrawloopError as error:
        return "database", "broken", str(error)
    return "database", "ok", f"{file if url.startswith('sqlite:///') else 'Postgres'}, {count} families"
