"""Commands in a process of their own, which is killed as by kill -9 at a moment that is counted and not timed.

A moment is the call of some function in the main thread, counted from the start of the command. Processes are forked
from one that has imported everything, so that they have only the command to run.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import signal
import sys
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Any

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["tests.fakes.mortal_crawl"])


def command(folder: Path, words: Sequence[str], moment: int = 0) -> tuple[int, int]:
    """Runs `crawloop WORDS` in `folder`, and kills it at the moment; 0 lets it live.

    Returns its exit code, -9 where it was killed, and how many moments it had. What it says is in `folder`/out and err.
    """
    here, there = _CONTEXT.Pipe(duplex=False)
    process = _CONTEXT.Process(target=_run, args=(folder, list(words), moment, there))
    process.start()
    there.close()
    process.join()
    code = process.exitcode
    assert code is not None
    return code, here.recv() if code >= 0 else moment


def _run(folder: Path, words: list[str], moment: int, told: Connection) -> None:
    from crawloop.cli import run

    os.chdir(folder)
    for name, stream in (("out", 1), ("err", 2)):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
    passed = 0

    def tick(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal passed
        passed += 1
        if passed == moment:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(tick)
    code = run(words)
    sys.setprofile(None)
    told.send(passed)
    sys.stdout.flush()
    os._exit(code)


_ON_THE_WAY = (  # what a crawl and a regeneration load
    "anyio._backends._asyncio crawloop.cli.crawl crawloop.crawl.archive crawloop.crawl.fetch crawloop.crawl.serve "
    "crawloop.engine crawloop.loop.standard crawloop.notify.signals crawloop.registry crawloop.sandbox "
    "crawloop.schemas pydantic"
)
for _module in _ON_THE_WAY.split():
    importlib.import_module(_module)
