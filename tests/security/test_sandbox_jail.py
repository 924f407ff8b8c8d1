"""What the operating system still denies when the language layer has been escaped, with and without the filter."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawloop.errors import SandboxError
from crawloop.model.candidate import Failure, Run
from crawloop.model.page import Page
from crawloop.model.policy import SandboxRules
from crawloop.sandbox import ProcessSandbox, template
from tests.fakes.plain_worker import PLAIN, UNFILTERED

PAGE = Page(url="https://shop.example/p/1", html="<h1>Thing</h1>")
HONEST = "def extract(html, url):\n    return [{'size': len(html)}]\n"
SECRET = "a-secret-of-the-caller"


def started(boot: str, rules: SandboxRules | None = None) -> Iterator[ProcessSandbox]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(template, "_BOOT", boot)
        patch.setenv("CRAWLOOP_TEST_SECRET", SECRET)
        with ProcessSandbox(rules=rules) as made:
            made.run(HONEST, [PAGE])
            yield made


@pytest.fixture(scope="module")
def jailed() -> Iterator[ProcessSandbox]:
    yield from started(PLAIN)


@pytest.fixture(scope="module")
def unfiltered() -> Iterator[ProcessSandbox]:
    yield from started(UNFILTERED, SandboxRules(require=()))


def attempt(sandbox: ProcessSandbox, body: str, deadline: float = 10.0) -> Run:
    source = "def extract(html, url):\n" + "".join(f"    {line}\n" for line in body.strip().splitlines())
    (run,) = sandbox.run(source, [PAGE], deadline=deadline)
    assert SECRET not in repr(run)
    (honest,) = sandbox.run(HONEST, [PAGE])
    assert honest.records == ({"size": len(PAGE.html)},)
    return run


def failure(run: Run) -> Failure:
    assert run.records is None
    assert run.failure is not None
    return run.failure


FILES = {
    "read a file": "return [{'text': open('/etc/hostname').read()}]",
    "write a file": "open('/tmp/written-by-a-program', 'w').write('x')",
    "list a folder": "import os\nreturn [{'names': os.listdir('/')}]",
    "ask for a file": "import os\nreturn [{'size': os.stat('/etc/passwd').st_size}]",
    "read the caller's environment": (
        "import os\nreturn [{'text': open(f'/proc/{os.getppid()}/environ', 'rb').read().decode('latin1')}]"
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_there_are_no_files(name: str, jailed: ProcessSandbox) -> None:
    ended = failure(attempt(jailed, FILES[name]))
    assert ended.kind == "syscall" or ended.message.startswith("PermissionError")


CALLS = {
    "start a program": "import os\nos.system('true')",
    "make a folder": "import os\nos.mkdir('/tmp/made-by-a-program')",
    "remove a file": "import os\nos.unlink('/tmp/nothing')",
    "become a program": "import os\nos.execv('/bin/true', ['true'])",
    "fork": "import os\nreturn [{'pid': os.fork()}]",
    "start a thread": "import threading\nthreading.Thread(target=print).start()",
    "connect": "import socket\nsocket.create_connection(('127.0.0.1', 9), 1)",
    "listen": "import socket\nsocket.socket().bind(('127.0.0.1', 0))",
    "talk to a local socket": "import socket\nsocket.socket(socket.AF_UNIX).connect('\\0test')",
    "kill the template": "import os\nos.kill(os.getppid(), 9)",
    "kill everybody": "import os\nos.kill(-1, 9)",
    "raise its limits": "import resource\nresource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
    "leave its session": "import os\nos.setsid()",
    "open a pipe": "import os\nos.pipe()",
    "sleep for long": "import time\ntime.sleep(60)",
    "ignore signals": "import signal\nsignal.signal(15, signal.SIG_IGN)",
    "memory that can run": "import mmap\nmmap.mmap(-1, 4096, prot=mmap.PROT_EXEC | mmap.PROT_READ)",
    "trace the template": "import ctypes, os\nctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0)",
    "another namespace": "import ctypes\nctypes.CDLL(None).unshare(0x10000000)",
    "standard output": "import os\nos.write(1, b'x' * 100)",
    "another descriptor": "import os\nos.write(4, b'x')",
    "close the result": "import os\nos.close(3)",
    "copy the result": "import os\nos.dup2(3, 9)",
    "read the control socket": "import os\nos.read(0, 10)",
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_off_the_list_is_the_end(name: str, jailed: ProcessSandbox) -> None:
    ended = failure(attempt(jailed, CALLS[name]))
    assert ended.kind == "syscall"
    assert "system call" in ended.message


def test_it_sees_no_environment(jailed: ProcessSandbox) -> None:
    run = attempt(jailed, "import os\nreturn [dict(os.environ)]")
    assert run.records is not None
    assert set(run.records[0]) <= {"PYTHONHASHSEED", "TZ", "LC_CTYPE", "LD_LIBRARY_PATH"}


CRASHES = {
    "null pointer": ("import ctypes\nctypes.string_at(0)", "SIGSEGV"),
    "write to nowhere": ("import ctypes\nctypes.memset(1, 0, 8)", "SIGSEGV"),
    "end without an answer": ("import os\nos._exit(0)", "code 0"),
    "end with a code": ("import os\nos._exit(7)", "code 7"),
}


@pytest.mark.parametrize("name", CRASHES)
def test_a_native_crash_is_a_failure(name: str, jailed: ProcessSandbox) -> None:
    body, told = CRASHES[name]
    ended = failure(attempt(jailed, body))
    assert ended.kind == "crash"
    assert told in ended.message


def test_a_crash_spares_the_other_pages(jailed: ProcessSandbox) -> None:
    source = (
        "import ctypes\ndef extract(html, url):\n    if 'bad' in html:\n        ctypes.string_at(0)\n    return [{}]\n"
    )
    pages = [PAGE, Page(url="https://shop.example/bad", html="bad"), PAGE]
    runs = jailed.run(source, pages)
    assert [run.records for run in runs] == [({},), None, ({},)]


FORGED = {
    "well-formed frames": """
import os, struct
for kind, body in (("page", {"records": [{"spoof": 1}]}), ("end", None)):
    text = json.dumps(["0" * 32, kind, body]).encode()
    os.write(3, struct.pack("<I", len(text)) + text)
os._exit(0)
""",
    "a frame of four gigabytes": "import os\nos.write(3, b'\\xff' * 4)\nwhile True: pass",
    "garbage": "import os\nos.write(3, b'\\x05\\x00\\x00\\x00{nan}')\nwhile True: pass",
    "half a frame": "import os\nos.write(3, b'\\x05\\x00\\x00\\x00[')\nos._exit(0)",
    "endless output": "import os\nwhile True: os.write(3, b'\\x00\\x00\\x7f\\x00' + b'x' * 65536)",
}


@pytest.mark.parametrize("name", FORGED)
def test_frames_that_are_not_the_workers_own_are_not_believed(name: str, jailed: ProcessSandbox) -> None:
    run = attempt(jailed, "import json\n" + FORGED[name].strip())
    assert failure(run).kind in ("output", "crash")
    assert "spoof" not in repr(run)


def test_a_poisoned_worker_cannot_make_the_caller_swallow_anything(jailed: ProcessSandbox) -> None:
    hostile = '{"records": [{"n": 1e999, "m": ' + "9" * 100 + ', "deep": ' + "[" * 50 + "]" * 50 + "}]}"
    body = f"""
import crawloop.sandbox.answer as answer, struct, sys
frame = sys._getframe()
while 'work' not in frame.f_locals:
    frame = frame.f_back
text = ('["' + frame.f_locals['work'].token + '","page",' + {hostile!r} + ']').encode()
answer.frame = lambda *parts: struct.pack("<I", len(text)) + text
return []
"""
    assert failure(attempt(jailed, body)).kind == "output"


def test_who_answers_and_lives_on_is_ended(jailed: ProcessSandbox) -> None:
    body = """
import crawloop.sandbox.answer as answer, sys
frame = sys._getframe()
while 'work' not in frame.f_locals:
    frame = frame.f_back
token = frame.f_locals['work'].token
answer.write_all(3, answer.frame(token, "page", {"records": [{"said": "early"}]}) + answer.frame(token, "end"))
while True: pass
"""
    began = time.monotonic()
    assert attempt(jailed, body, deadline=60).records == ({"said": "early"},)
    template = jailed._template()._process.pid
    children = Path(f"/proc/{template}/task/{template}/children")
    while len(children.read_text().split()) > 1 and time.monotonic() - began < 20:
        time.sleep(0.02)
    assert len(children.read_text().split()) == 1, "the one that waits for the next job"
    assert time.monotonic() - began < 20


def test_memory_is_bounded(jailed: ProcessSandbox) -> None:
    body = (
        "held = []\nwhile True:\n    try:\n        held.append('z' * (1 << 24))\n    except MemoryError:\n        break"
    )
    run = attempt(jailed, body + "\nreturn [{'megabytes': 16 * len(held)}]")
    assert run.records is not None
    assert run.records[0]["megabytes"] <= 512


# The walls behind the filter: the call is possible, and does not reach anything.


@pytest.fixture
def listeners() -> Iterator[list[str]]:
    reached: list[str] = []
    tcp = socket.create_server(("127.0.0.1", 0))
    local = socket.socket(socket.AF_UNIX)
    local.bind("\0crawloop-test-listener")
    local.listen()

    def wait(server: socket.socket, name: str) -> None:
        try:
            server.accept()[0].close()
            reached.append(name)
        except OSError:
            return

    threads = [threading.Thread(target=wait, args=pair, daemon=True) for pair in ((tcp, "tcp"), (local, "local"))]
    for thread in threads:
        thread.start()
    reached.append(str(tcp.getsockname()[1]))
    yield reached
    for server in (tcp, local):
        server.shutdown(socket.SHUT_RDWR)
        server.close()
    for thread in threads:
        thread.join(5)


def layered(sandbox: ProcessSandbox, name: str) -> None:
    if sandbox.layers()[name] != "on":
        pytest.skip(f"no {name} here: {sandbox.layers()[name]}")


def test_landlock_alone_keeps_files_away(unfiltered: ProcessSandbox, tmp_path: Path) -> None:
    layered(unfiltered, "landlock")
    secret = tmp_path / "secret.txt"
    secret.write_text(SECRET)
    tmp_path.chmod(0o777)
    for body in (
        f"return [{{'text': open({str(secret)!r}).read()}}]",
        f"open({str(tmp_path / 'new')!r}, 'w').write('x')",
        "import os\nreturn [{'names': os.listdir('/')}]",
        "import os\nreturn [{'text': open(f'/proc/{os.getppid()}/environ').read()}]",
        "import os\nos.execv('/bin/true', ['true'])",
    ):
        assert failure(attempt(unfiltered, body)).kind == "exception"
    assert [one.name for one in tmp_path.iterdir()] == ["secret.txt"]


def test_nothing_listens_without_the_filter_either(unfiltered: ProcessSandbox, listeners: list[str]) -> None:
    layered(unfiltered, "namespaces")
    port = listeners.pop()
    for body in (
        f"import socket\nsocket.create_connection(('127.0.0.1', {port}), 1)",
        "import socket\nsocket.socket(socket.AF_UNIX).connect('\\0crawloop-test-listener')",
    ):
        assert failure(attempt(unfiltered, body)).kind == "exception"
    assert listeners == []


def test_limits_alone_keep_processes_and_descriptors_away(unfiltered: ProcessSandbox) -> None:
    for body in ("import os\nos.fork()", "import os\nos.pipe()", "import os\nos.dup(3)"):
        assert failure(attempt(unfiltered, body)).kind == "exception"


def test_nobody_outside_can_be_killed(unfiltered: ProcessSandbox) -> None:
    layered(unfiltered, "landlock")
    ended = failure(attempt(unfiltered, f"import os\nos.kill({os.getpid()}, 0)"))
    assert ended.message.startswith("PermissionError")


def test_it_is_somebody_else(unfiltered: ProcessSandbox) -> None:
    run = attempt(unfiltered, "import os\nreturn [{'user': os.getuid(), 'groups': os.getgroups()}]")
    assert run.records is not None
    if os.getuid() == 0:
        assert run.records[0]["user"] != 0
        assert run.records[0]["groups"] == []


def test_a_template_that_cannot_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template, "_BOOT", "raise SystemExit('no parser here')")
    began = time.monotonic()
    with ProcessSandbox() as sandbox, pytest.raises(SandboxError, match="no parser here"):
        sandbox.run(HONEST, [PAGE])
    assert time.monotonic() - began < 10


def test_layers_are_plain_words(jailed: ProcessSandbox) -> None:
    layers = jailed.layers()
    assert layers["system calls"] == "on"
    assert json.dumps(layers)
