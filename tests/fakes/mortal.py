"""A run in a process of its own that can be killed after any step: `python -m tests.fakes.mortal FOLDER STEP`.

Pages fetched and models asked are written to FOLDER/log, one line each; STEP 0 lets the run live.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

from crawloop.llm.scripted import Asked, ScriptedCompleter
from crawloop.model.page import Page
from crawloop.model.policy import Policy
from crawloop.registry import SqlStore
from crawloop.sandbox import ProcessSandbox
from tests.fakes import shop
from tests.fakes.house import House, Scribe, writer
from tests.fakes.site import Site

WRONG = 'def extract(page):\n    return [{"title": page.text("h1"), "price": 1.0}]\n'
RIGHT = """
def extract(page):
    return [{
        "title": page.text("h1.product-title"),
        "price": number(page.text(".cost")),
        "sku": page.labelled("Article"),
        "material": page.labelled("Material"),
    }]
"""
POLICY = Policy(models=("small", "large"), max_rounds=2)
STEPS = 6


class MortalStore(SqlStore):
    """Kills its process, as kill -9 does, once so many steps were journalled."""

    def __init__(self, url: str, fixtures: Path, steps: int) -> None:
        super().__init__(url, fixtures)
        self._left = steps

    def journal(self, run: str, step: int, name: str, state: str) -> None:
        super().journal(run, step, name, state)
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


class LoggingSite(Site):
    """Writes down each fetch."""

    def __init__(self, log: Path, pages: dict[str, str]) -> None:
        super().__init__(pages)
        self._log = log

    async def fetch(self, url: str) -> Page:
        _write(self._log, f"fetch {url}")
        return await super().fetch(url)


def _write(log: Path, line: str) -> None:
    with log.open("a") as file:
        file.write(line + "\n")


def main(folder: Path, step: int) -> None:
    """One run in `folder`, killed after `step` steps."""
    log = folder / "log"

    def answer(asked: Asked) -> str:
        _write(log, f"ask {asked.model}")
        return RIGHT if asked.model == "large" else WRONG

    jail = ProcessSandbox()
    store: Any = MortalStore(f"sqlite:///{folder / 'registry.db'}", folder / "fixtures", step)
    site = LoggingSite(log, {shop.url(n): shop.old_page(n) for n in range(1, 6)})
    House(folder, site, store, jail, parts=writer(Scribe(ScriptedCompleter(answer)))).run(1, 2, 3, 4, 5, policy=POLICY)
    store.close()
    jail.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
