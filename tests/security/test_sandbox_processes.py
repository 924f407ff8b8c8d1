"""The pool stays healthy: no process, descriptor or thread is left, whatever ran, died or was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawloop.errors import ProgramFailed, ProgramRefused, SandboxError, SandboxTimeout
from crawloop.model.page import Page
from crawloop.sandbox import ProcessSandbox, run_in_sandbox

PAGE = Page(url="https://shop.example/p/1", html="<h1>Thing</h1>")
TITLE = "def extract(page):\n    return [{'title': page.text('h1')}]\n"
SPIN = "def extract(page):\n    while True:\n        pass\n"


@pytest.fixture
def sandbox() -> Iterator[ProcessSandbox]:
    with ProcessSandbox() as made:
        yield made


def template_of(sandbox: ProcessSandbox) -> int:
    return sandbox._template()._process.pid


def is_right(sandbox: ProcessSandbox) -> bool:
    (run,) = sandbox.run(TITLE, [PAGE])
    return run.records == ({"title": "Thing"},)


def descendants(root: int) -> set[int]:
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found, grown = {root}, True
    while grown:
        more = {child for child, parent in parents.items() if parent in found} - found
        found, grown = found | more, bool(more)
    return found - {root}


def settled(root: int, count: int) -> set[int]:
    """What descends from a process, as soon as it is so many: a template forks its next job ahead."""
    for _ in range(100):
        found = descendants(root)
        if len(found) == count:
            break
        time.sleep(0.05)
    return found


def wait_gone(processes: set[int]) -> set[int]:
    for _ in range(100):
        alive = {one for one in processes if Path(f"/proc/{one}").exists()}
        if not alive:
            return alive
        time.sleep(0.05)
    return alive


def test_many_runs_leave_nothing_behind(sandbox: ProcessSandbox) -> None:
    assert is_right(sandbox)
    processes = len(settled(os.getpid(), 2))
    before = len(os.listdir("/proc/self/fd")), threading.active_count()
    for number in range(60):
        source = (TITLE, "def extract(page):\n    return 1 / 0\n", "import os\n")[number % 3]
        sandbox.run(source, [PAGE])
    sandbox.run(SPIN, [PAGE], deadline=0.1)
    assert (len(os.listdir("/proc/self/fd")), threading.active_count()) == before
    assert len(settled(os.getpid(), processes)) == processes
    assert is_right(sandbox)


def test_closing_ends_every_process() -> None:
    before = descendants(os.getpid())
    sandbox = ProcessSandbox()
    assert is_right(sandbox)
    started = descendants(os.getpid()) - before
    assert started
    sandbox.close()
    sandbox.close()
    assert not wait_gone(started)
    with pytest.raises(SandboxError, match="closed"):
        sandbox.run(TITLE, [PAGE])


def test_a_dead_template_is_replaced(sandbox: ProcessSandbox) -> None:
    assert is_right(sandbox)
    os.kill(template_of(sandbox), signal.SIGKILL)
    assert is_right(sandbox)


def test_a_dead_spare_is_replaced(sandbox: ProcessSandbox) -> None:
    assert is_right(sandbox)
    template = template_of(sandbox)
    for spare in settled(template, 1):
        os.kill(spare, signal.SIGKILL)
    time.sleep(0.2)
    assert is_right(sandbox)
    assert is_right(sandbox)
    assert template_of(sandbox) == template


def test_a_template_that_dies_under_a_job_takes_it_along(sandbox: ProcessSandbox) -> None:
    assert is_right(sandbox)
    template = template_of(sandbox)
    runs = []
    thread = threading.Thread(target=lambda: runs.extend(sandbox.run(SPIN, [PAGE], deadline=1.0)))
    thread.start()
    time.sleep(0.3)
    jobs = settled(template, 1)
    os.kill(template, signal.SIGKILL)
    thread.join(20)
    assert len(jobs) == 1
    assert not wait_gone(jobs)
    assert [run.failure.kind for run in runs if run.failure] == ["deadline"]
    assert is_right(sandbox)


def test_an_interrupted_caller_leaves_no_job(sandbox: ProcessSandbox) -> None:
    assert is_right(sandbox)
    (spare,) = settled(template_of(sandbox), 1)

    def interrupt(number: int, where: object) -> None:
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(KeyboardInterrupt):
            sandbox.run(SPIN, [PAGE], deadline=60)
    finally:
        signal.signal(signal.SIGALRM, previous)
    assert not wait_gone({spare})
    assert len(settled(template_of(sandbox), 1)) == 1
    assert is_right(sandbox)


def test_several_threads_share_one_sandbox(sandbox: ProcessSandbox) -> None:
    wrong: list[int] = []

    def work(number: int) -> None:
        for turn in range(5):
            html = f"<h1>{number}.{turn}</h1>"
            (run,) = sandbox.run(TITLE, [Page(url="https://shop.example/", html=html)])
            if run.records != ({"title": f"{number}.{turn}"},):
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not wrong
    assert not any(thread.is_alive() for thread in threads)


def test_a_forked_caller_gets_a_template_of_its_own(sandbox: ProcessSandbox) -> None:
    assert is_right(sandbox)
    child = os.fork()
    if child == 0:
        right = False
        try:
            right = is_right(sandbox)
            sandbox.close()
        finally:
            os._exit(0 if right else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert is_right(sandbox)


def script(body: str, **options: object) -> subprocess.CompletedProcess[str]:
    root = Path(__file__).parents[2]
    source = f"import sys; sys.path.insert(0, {str(root)!r})\n" + textwrap.dedent(body)
    command = [sys.executable, "-c", source]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)  # type: ignore[call-overload, no-any-return]


def test_leaving_the_interpreter_ends_every_process() -> None:
    done = script("""
        import os
        from crawloop.sandbox import run_in_sandbox
        print(run_in_sandbox("def extract(page):\\n    return [{'url': page.url}]", "<p>", url="https://a.example/"))
        print([int(one) for one in open(f"/proc/self/task/{os.getpid()}/children").read().split()])
    """)
    rows, children = done.stdout.splitlines()
    assert rows == "[{'url': 'https://a.example/'}]"
    assert done.stderr == ""
    started = {int(one) for one in children.strip("[]").split(",")}
    assert not wait_gone(started)


def test_a_killed_caller_leaves_no_process() -> None:
    done = script("""
        import os, threading, time
        from crawloop.sandbox import run_in_sandbox
        spin = "def extract(page):\\n    while True:\\n        pass"
        run_in_sandbox("def extract(page):\\n    return []", "<p>", url="")
        threading.Thread(target=run_in_sandbox, args=(spin, "<p>"), kwargs={"url": "", "deadline": 50}).start()
        time.sleep(0.3)
        template = int(open(f"/proc/self/task/{os.getpid()}/children").read())
        print(template, open(f"/proc/{template}/task/{template}/children").read(), flush=True)
        os.kill(os.getpid(), 9)
    """)
    started = {int(one) for one in done.stdout.split()}
    assert len(started) == 2
    assert not wait_gone(started)


def test_it_works_without_standard_streams() -> None:
    done = script("""
        import os
        for stream in (0, 2):
            os.close(stream)
        from crawloop.sandbox import run_in_sandbox
        print(run_in_sandbox("def extract(page):\\n    return [{'n': 1}]", "<p>", url=""))
    """)
    assert done.stdout == "[{'n': 1}]\n"


def test_importing_it_loads_neither_parser_nor_policy() -> None:
    done = script("""
        import sys
        from crawloop.sandbox import ProcessSandbox
        print([name for name in ("RestrictedPython", "selectolax", "ctypes") if name in sys.modules])
        ProcessSandbox().run("def extract(page):\\n    return []", [])
        print([name for name in ("RestrictedPython", "selectolax", "ctypes") if name in sys.modules])
    """)
    assert done.stdout == "[]\n[]\n"


def test_each_failure_has_its_exception() -> None:
    with pytest.raises(ProgramRefused, match="line 1"):
        run_in_sandbox("import os", "<p>", url="")
    with pytest.raises(ProgramFailed, match=r"ZeroDivisionError: division by zero \(line 2\)"):
        run_in_sandbox("def extract(page):\n    return 1 / 0", "<p>", url="")
    with pytest.raises(SandboxTimeout, match=r"0\.2 seconds"):
        run_in_sandbox(SPIN, "<p>", url="", deadline=0.2)
    assert run_in_sandbox(TITLE, PAGE.html, url=PAGE.url) == [{"title": "Thing"}]
