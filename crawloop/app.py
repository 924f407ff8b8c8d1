"""The composition root: finds the workspace and wires its parts. It is the only place that does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from crawloop.config import FILE, Settings, read_settings
from crawloop.errors import ConfigError

if TYPE_CHECKING:
    from crawloop.contract import Clock, Store


def now() -> str:
    """The time in UTC, to the second: "2026-01-31T12:00:00Z"."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def find_workspace(start: Path) -> Path:
    """The nearest folder upward that holds crawloop.toml, registry.db or schemas/, else `start` itself."""
    for folder in (start, *start.parents):
        if any((folder / name).exists() for name in (FILE, "registry.db", "schemas")):
            return folder
    return start


@dataclass(frozen=True, slots=True)
class Workspace:
    """A folder with its settings and its open registry."""

    folder: Path
    settings: Settings
    store: Store
    clock: Clock = now

    @property
    def schemas(self) -> Path:
        return self.folder / self.settings.places.schemas

    @property
    def fixtures(self) -> Path:
        return self.folder / self.settings.places.fixtures


@contextmanager
def open_workspace(folder: Path | None) -> Iterator[Workspace]:
    """Opens the workspace at `folder`, or the one around the current folder, and closes its registry at the end.

    Raises ConfigError (no such folder, bad crawloop.toml) and RegistryError (corrupt or newer registry).
    """
    from importlib import import_module

    if folder is not None and not folder.is_dir():
        raise ConfigError(f"--workspace {folder}: no such folder; make it, or run `crawloop init {folder}`")
    home = folder.resolve() if folder is not None else find_workspace(Path.cwd())
    settings = read_settings(home)
    place = settings.places.registry
    url = place if "://" in place else f"sqlite:///{home / place}"
    store: Store = import_module("crawloop.registry").SqlStore(url, home / settings.places.fixtures)
    try:
        yield Workspace(home, settings, store)
    finally:
        store.close()
