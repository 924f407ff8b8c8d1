"""Ctrl-C in the middle of a crawl: nothing half-written, exit code 130, and the next run takes up where it was."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.fakes import kettles
from tests.fakes.server import Reply, Server
from tests.fakes.workspace import promote, workspace

ROOT = Path(__file__).parents[2]


def crawl(folder: Path, urls: list[str]) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "crawloop", "crawl", kettles.NAME, "-o", "items.jsonl", *urls]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        command, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


@pytest.mark.slow
def test_an_interrupted_crawl(tmp_path: Path) -> None:
    folder = workspace(tmp_path / "w")
    promote(folder)
    pages = {f"/p/{n}": Reply(kettles.old_page(n).encode(), after=0.1 if n < 25 else 0.6) for n in range(1, 41)}
    with Server(dict(pages)) as server:
        urls = [server.url + path for path in pages]
        first = crawl(folder, urls)
        kept = folder / ".items.jsonl.part"
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not (kept.exists() and kept.read_text().count("\n") > 24):
            time.sleep(0.05)
        first.send_signal(signal.SIGINT)
        out, err = first.communicate(timeout=30)
        assert (first.returncode, out) == (130, "")
        assert "interrupted" in err
        assert not (folder / "items.jsonl").exists()
        asked = len(server.asked)

        again = crawl(folder, urls)
        out, err = again.communicate(timeout=60)
        assert (again.returncode, out) == (0, "")
        assert "24 pages are taken from the crawl that was interrupted" in err
        assert len(server.asked) - asked == 16 + 1  # and robots.txt
    rows = [json.loads(line) for line in (folder / "items.jsonl").read_text().splitlines()]
    assert [row["title"] for row in rows] == [f"Kettle number {n}" for n in range(1, 41)]
    assert not kept.exists()
