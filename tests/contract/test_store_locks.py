"""A family is held across threads and processes, and is free once its holder is dead."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from crawloop.errors import FamilyBusy
from crawloop.registry import SqlStore

HOLDER = """
import sys, time
from pathlib import Path
from crawloop.registry import SqlStore
store = SqlStore(sys.argv[1], Path(sys.argv[2]))
with store.hold("shop.example/product"):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgres":
        found = request.getfixturevalue("fresh_postgres")
        assert isinstance(found, str)
        return found
    return f"sqlite:///{tmp_path / 'registry.db'}"


@contextmanager
def another_process(url: str, fixtures: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", HOLDER, url, str(fixtures)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "held\n"
            yield process
        finally:
            process.kill()


def test_another_process_is_named_and_its_death_frees_the_family(url: str, tmp_path: Path) -> None:
    store = SqlStore(url, tmp_path)
    with another_process(url, tmp_path) as process:
        with (
            pytest.raises(FamilyBusy, match=f"process {process.pid} on .* since 2"),
            store.hold("shop.example/product"),
        ):
            pass
        process.kill()
        process.wait()
        for _ in range(100):
            try:
                with store.hold("shop.example/product"):
                    break
            except FamilyBusy:
                threading.Event().wait(0.05)  # a server needs a moment to see that its client is gone
        else:
            pytest.fail("the lock outlived its holder")
    store.close()


def test_of_many_threads_one_holds_the_family(url: str, tmp_path: Path) -> None:
    store = SqlStore(url, tmp_path)
    start, done = threading.Barrier(5), threading.Barrier(5)
    told: list[str] = []

    def run() -> None:
        start.wait()
        try:
            with store.hold("shop.example/product"):
                told.append("held")
                done.wait()
        except FamilyBusy:
            told.append("busy")
            done.wait()

    threads = [threading.Thread(target=run) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(told) == ["busy"] * 4 + ["held"]
    store.close()


def test_a_failure_within_frees_the_family(url: str, tmp_path: Path) -> None:
    store = SqlStore(url, tmp_path)
    with pytest.raises(ZeroDivisionError), store.hold("a.example/x"):
        raise ZeroDivisionError
    with store.hold("a.example/x"):
        pass
    store.close()
