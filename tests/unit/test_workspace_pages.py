"""A workspace's pages: what is odd about an archive is said aloud, once."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from crawloop.app import Workspace
from crawloop.app.machines import pages
from crawloop.config import Settings
from crawloop.registry import MemoryStore


def test_several_captures_of_one_url_are_told_on_stderr(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for day in (1, 2):
        (tmp_path / f"{day}.html").write_text(f"<p>{day}")
        (tmp_path / f"{day}.json").write_text(json.dumps({"url": "https://x.example/a", "date": f"2024-01-0{day}"}))
    workspace = Workspace(tmp_path, Settings(), MemoryStore())

    async def fetched() -> str:
        async with pages(workspace, tmp_path) as fetcher:
            return (await fetcher.fetch("https://x.example/a")).html

    assert asyncio.run(fetched()) == "<p>2"
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("warning: https://x.example/a: 2 captures in ")
    assert err.count("\n") == 1
