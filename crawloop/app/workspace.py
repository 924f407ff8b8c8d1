"""A folder with its settings and its registry."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crawloop.config import Settings, reachable, read_settings, registry_url, workspace_folder
from crawloop.model import moment
from crawloop.model.policy import Policy
from crawloop.shape import shown

if TYPE_CHECKING:
    from crawloop.contract import Clock, Completer, Observer, Store
    from crawloop.model.family import Family
    from crawloop.model.kind import Schema
    from crawloop.notify import Signals


def to_stderr(warning: str) -> None:
    """Where warnings go unless somebody else wants them."""
    print(f"warning: {shown(warning)}", file=sys.stderr)


@dataclass(frozen=True, slots=True)
class Workspace:
    """A folder with its settings and its open registry. `warn` is told what a person should know of the input."""

    folder: Path
    settings: Settings
    store: Store
    clock: Clock = moment.now
    warn: Callable[[str], None] = to_stderr

    @property
    def schemas(self) -> Path:
        return self.folder / self.settings.places.schemas

    def schema(self, ref: str) -> Schema:
        """The schema "Name@1" of this workspace. Raises SchemaError."""
        from crawloop.schemas import load

        return load(ref, self.schemas)

    def family(self, name: str) -> Family | None:
        """The family as the registry knows it, else as its golden pages in fixtures/ tell of it."""
        from crawloop.registry.adoption import adopt

        fixtures = self.folder / self.settings.places.fixtures
        return self.store.family(name) or adopt(self.store, fixtures, name, self.clock())

    def urls(self, family: str) -> list[str]:
        """The URLs of history and the family's own."""
        row = self.store.family(family)
        return list(dict.fromkeys([*self.store.known_urls(family), *(row.urls if row else ())]))

    def completer(self, policy: Policy) -> Completer | None:
        """Whoever asks the models of the policy, None where it names none. It is the first call that needs litellm."""
        if not policy.models:
            return None
        from crawloop.llm.litellm import LiteLLMCompleter

        rules = self.settings.models
        return LiteLLMCompleter(
            base_url=rules.base_url, timeout=rules.timeout, max_tokens=rules.max_tokens, prices=rules.prices
        )

    def signals(self, *others: Observer, metrics: str | None = None) -> Signals:
        """What is told outside while a command runs; `metrics` is an address said on the command line."""
        from crawloop.notify import Signals

        said = reachable(self.settings.notify, os.environ, self.warn)
        files = {"textfile": said.textfile, "log": said.log if said.log != "stderr" else None}
        places: dict[str, Any] = {name: str(self.folder / file) for name, file in files.items() if file}
        return Signals(replace(said, metrics=metrics or said.metrics, **places), self.warn, *others)


@contextmanager
def open_workspace(folder: Path | None) -> Iterator[Workspace]:
    """Opens the workspace at `folder`, or the one around the current folder, and closes its registry at the end.

    Raises ConfigError (no such folder, bad crawloop.toml) and RegistryError (corrupt or newer registry).
    """
    from crawloop.registry import SqlStore

    home = workspace_folder(folder)
    settings = read_settings(home)
    store = SqlStore(registry_url(home, settings), home / settings.places.fixtures)
    try:
        yield Workspace(home, settings, store)
    finally:
        store.close()
