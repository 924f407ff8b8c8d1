"""kill -9 at any moment of a crawl: after a restart the feed has no gap and no duplicate, the registry opens clean."""

from __future__ import annotations

import csv
import json
import shutil
import sqlite3
from pathlib import Path
from random import Random
from typing import Any

import pytest

from crawloop.app import open_workspace
from tests.fakes import kettles
from tests.fakes.mortal_crawl import command
from tests.fakes.server import Reply, Server
from tests.fakes.workspace import promote, workspace

PAGES = range(1, 25)
Row = dict[str, Any]


def jsonl(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def commas(path: Path) -> list[Row]:
    with path.open(newline="") as file:
        rows = [{name: value or None for name, value in row.items()} for row in csv.DictReader(file)]
    return [row | {"price": float(row["price"] or 0)} for row in rows]


def parquet(path: Path) -> list[Row]:
    return list(pytest.importorskip("pyarrow.parquet").read_table(path).to_pylist())


READERS = {".jsonl": jsonl, ".csv": commas, ".parquet": parquet}


class Mortal:
    """A crawl that is killed again and again, at moments spread over what is left of it; `known` is its history."""

    def __init__(
        self, folder: Path, feed: str, urls: list[str], *more: str, known: dict[str, Row] | None = None
    ) -> None:
        self.folder = folder
        self.feed = folder / feed
        self.read = READERS[self.feed.suffix]
        self.urls = urls
        self.known = known or {}
        self.words = ["crawl", kettles.NAME, "-o", feed, *more, *urls]

    def die(self, times: int, rows: list[Row]) -> None:
        """Is killed so many times; whenever a crawl lives to its end, and at last, the feed must be right."""
        chance, kills = Random(7), 0
        self._begin()
        whole = self._live(rows)
        while kills < times:
            left = max(len(self.urls) - self._kept(), 4) / len(self.urls)
            code, _ = command(self.folder, self.words, chance.randrange(1, int(whole * left)))
            if code == -9:
                kills += 1
                self._registry_is_whole()
            else:
                self._is_right(code, rows)
        self._live(rows)

    def _begin(self) -> None:
        workspace(self.folder)
        promote(self.folder)
        with open_workspace(self.folder) as home:
            for url, row in self.known.items():
                home.store.remember(kettles.NAME, url, [row], kettles.AT)

    def _live(self, rows: list[Row]) -> int:
        """One crawl to its end. Returns how many moments it had."""
        code, moments = command(self.folder, self.words)
        self._is_right(code, rows)
        return moments

    def _is_right(self, code: int, rows: list[Row]) -> None:
        assert (code, (self.folder / "out").read_text()) == (0, ""), (self.folder / "err").read_text()
        assert self.read(self.feed) == rows
        assert not [path.name for path in self.folder.iterdir() if path.name.startswith(".")]
        shutil.rmtree(self.folder)
        self._begin()

    def _kept(self) -> int:
        """How many pages a crawl that was killed has left to the next one."""
        kept = self.feed.with_name(f".{self.feed.name}.part")
        return max(kept.read_text().count("\n") - 1, 0) if kept.exists() else 0

    def _registry_is_whole(self) -> None:
        with open_workspace(self.folder) as home:
            family = home.store.family(kettles.NAME)
            assert family
            assert family.active
        connection = sqlite3.connect(self.folder / "registry.db")
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.close()


@pytest.mark.slow
@pytest.mark.parametrize(("feed", "times"), [("items.jsonl", 20), ("items.csv", 3), ("items.parquet", 3)])
def test_killed_at_any_moment(tmp_path: Path, feed: str, times: int) -> None:
    with Server({f"/p/{n}": Reply(kettles.old_page(n).encode()) for n in PAGES}) as server:
        urls = [f"{server.url}/p/{n}" for n in PAGES]
        Mortal(tmp_path / "w", feed, urls).die(times, [kettles.record(n) for n in PAGES])


@pytest.mark.slow
def test_killed_at_any_moment_of_a_crawl_that_heals(tmp_path: Path) -> None:
    rows = [kettles.record(n, badge=None, link=None) for n in PAGES]
    with Server({f"/p/{n}": Reply(kettles.new_page(n).encode()) for n in PAGES}) as server:
        urls = [f"{server.url}/p/{n}" for n in PAGES]
        known = dict(zip(urls, rows, strict=True))
        Mortal(tmp_path / "w", "items.jsonl", urls, "--heal", known=known).die(4, rows)
