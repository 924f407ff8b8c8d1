"""What a crawl failed on and what a regeneration learnt from is kept, and replayed with the network off."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from crawloop.app import open_workspace
from crawloop.cli import run
from crawloop.crawl.archive import ArchiveFetcher
from tests.fakes import kettles as shop
from tests.fakes import workspace as home
from tests.fakes.server import Reply, Server

NUMBERS = range(1, 7)


def site(page: Callable[[int], str]) -> dict[str, Reply | Callable[[int], Reply]]:
    return {f"/p/{n}": Reply(page(n).encode()) for n in NUMBERS}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = home.workspace(tmp_path / "ws")
    home.promote(made)
    monkeypatch.chdir(made)
    return made


def test_a_drift_is_regenerated_from_the_pages_that_were_kept(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = site(shop.old_page)
    script["/p/99"] = Reply(b"<title>Just a moment...</title><h1>Checking your browser</h1>", 403)
    with Server(script) as server:
        urls = [f"{server.url}/p/{n}" for n in NUMBERS]
        assert run(["crawl", shop.NAME, *urls]) == 0
        assert not (folder / "archive").exists()
        script.update(site(shop.new_page))
        assert run(["crawl", shop.NAME, *urls, f"{server.url}/p/99"]) == 4
    told = capsys.readouterr().err
    command = re.findall(r"`crawloop (regen [^`]*--archive[^`]*)`", told)[0]
    kept = ArchiveFetcher(shlex.split(command)[-1])
    assert sorted(kept.urls()) == sorted([*urls, f"{server.url}/p/99"])
    assert run(shlex.split(command)) == 0, capsys.readouterr().err
    assert run(["crawl", shop.NAME, "--archive", shlex.split(command)[-1]]) == 4  # the refusal is still one
    assert "6 ok, 1 blocked" in capsys.readouterr().err


def test_a_bootstrap_is_replayed(folder: Path) -> None:
    with Server(site(shop.old_page)) as server:
        urls = [f"{server.url}/p/{n}" for n in NUMBERS]
        labelled = [{"url": url, "records": [shop.record(n)]} for n, url in zip(NUMBERS, urls, strict=True)]
        (folder / "examples.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in labelled))
        command = ["bootstrap", "one/product", "--schema", "Product@1", "--examples", "examples.jsonl"]
        assert run([*command, *urls]) == 0
    (kept,) = (folder / "archive" / "one" / "product").iterdir()
    command[1] = "two/product"
    assert run([*command, "--archive", str(kept)]) == 0
    assert not (folder / "archive" / "two").exists()
    with open_workspace(folder) as workspace:
        first, second = (workspace.store.version(name, 1) for name in ("one/product", "two/product"))
    assert first
    assert second
    assert first.source.replace("one/", "two/") == second.source
