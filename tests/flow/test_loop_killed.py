"""kill -9 after each step in turn: the next run takes up there, and ends as if nothing had happened."""

import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crawloop.registry import SqlStore
from tests.fakes.mortal import STEPS
from tests.fakes.shop import FAMILY

ROOT = Path(__file__).resolve().parents[2]


def run(folder: Path, kill_after: int) -> int:
    """The exit status of one run; minus the signal where it was killed."""
    program = [sys.executable, "-m", "tests.fakes.mortal", str(folder), str(kill_after)]
    return subprocess.run(program, cwd=ROOT, check=False).returncode


def result(folder: Path) -> dict[str, Any]:
    """All that a run left behind, apart from its id and how long it took."""
    store = SqlStore(f"sqlite:///{folder / 'registry.db'}", folder / "fixtures")
    try:
        versions = [replace(one, cost=None) for one in store.versions(FAMILY)]
        goldens = sorted((one.case, one.records) for one in store.goldens(FAMILY))
        kinds = [one.event.kind for one in store.entries(FAMILY)]
        runs = {one.event.run for one in store.entries(FAMILY)}
        open_journal = store.unfinished(FAMILY)
        return {
            "family": store.family(FAMILY),
            "versions": versions,
            "goldens": goldens,
            "events": kinds,
            "runs": len(runs),
            "open": open_journal,
            "log": sorted((folder / "log").read_text().split("\n")),
        }
    finally:
        store.close()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("undisturbed")
    assert run(folder, 0) == 0
    return result(folder)


@pytest.mark.slow
@pytest.mark.parametrize("step", range(1, STEPS + 1))
def test_a_run_killed_after_any_step_resumes_to_the_same_result(
    tmp_path: Path, undisturbed: dict[str, Any], step: int
) -> None:
    assert run(tmp_path, step) == -signal.SIGKILL
    assert run(tmp_path, 0) == 0
    assert result(tmp_path) == undisturbed


def test_the_undisturbed_run_promotes_after_one_fetch_a_page_and_one_call_a_program(
    undisturbed: dict[str, Any],
) -> None:
    assert [one.model for one in undisturbed["versions"]] == ["large"]
    assert undisturbed["runs"] == 1
    assert undisturbed["open"] is None
    fetches = [line for line in undisturbed["log"] if line.startswith("fetch")]
    assert len(fetches) == len(set(fetches)) == 5
    assert [line for line in undisturbed["log"] if line.startswith("ask")] == ["ask large", "ask small", "ask small"]
