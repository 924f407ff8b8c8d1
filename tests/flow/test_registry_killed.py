"""A process that is killed while it settles leaves a whole registry, whatever it was doing."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from crawloop.registry import SqlStore
from tests.fakes.promotions import SHOP

SETTLER = """
import sys
from pathlib import Path
from crawloop.registry import SqlStore
from tests.fakes.promotions import SHOP, T1, golden, promote
from crawloop.contract import Answer
store = SqlStore(sys.argv[1], Path(sys.argv[2]))
print("ready", flush=True)
for turn in range(10_000):
    run = f"{sys.argv[3]}.{turn}"
    store.begin(run, SHOP.name, T1)
    for step in range(3):
        store.journal(run, step + 1, "Round", '{"turn": %d, "step": %d}' % (turn, step + 1))
    store.save_answer(Answer(run, "m", "codegen", "text", 0.5, 1.0, SHOP.name, run, T1))
    print("paid", run, flush=True)
    promote(store, golden("one"), golden("two", "https://shop.example/p/2"), run=run, new_epoch=turn % 3 == 0)
    print("settled", run, flush=True)
"""


def test_killed_at_any_point(tmp_path: Path) -> None:
    path = tmp_path / "registry.db"
    said: list[str] = []
    for turn in range(6):
        command = [sys.executable, "-c", SETTLER, f"sqlite:///{path}", str(tmp_path / "fixtures"), str(turn)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.05 + 0.037 * turn)
            process.kill()
            said += process.stdout.read().splitlines()
        _is_whole(path, tmp_path / "fixtures", said)
    assert any(line.startswith("settled") for line in said)


def _is_whole(path: Path, fixtures: Path, said: list[str]) -> None:
    store = SqlStore(f"sqlite:///{path}", fixtures)
    versions = store.versions(SHOP.name)
    promoted = store.entries(SHOP.name, kinds=["VersionPromoted"])
    assert [v.number for v in versions] == list(range(1, len(versions) + 1))
    assert [e.event.body()["version"] for e in promoted] == [v.number for v in versions]
    assert len(store.goldens(SHOP.name)) == 2 * len(versions)
    family = store.family(SHOP.name)
    assert (family.active if family else 0) == len(versions)
    settled = {line.split()[1] for line in said if line.startswith("settled")}
    assert settled <= {e.event.run for e in promoted}
    for line in said:
        if line.startswith("paid"):
            assert store.answer(line.split()[1]) is not None
    open_run = store.unfinished(SHOP.name)
    assert open_run is None or open_run[0] not in {e.event.run for e in promoted}
    store.close()
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
