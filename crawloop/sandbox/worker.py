"""The template process, and the jobs that it forks: one program on some pages each.

The template never sees a program. It holds everything imported, forks on demand, and kills and reaps what the
supervisor names. It ends when the supervisor's end of the control socket closes, and its jobs end with it.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import struct
import sys
from types import TracebackType
from typing import Any, NoReturn

from crawloop.extract.view import PageView
from crawloop.sandbox import namespace
from crawloop.sandbox.admit import FILENAME, Program, Refused, admit
from crawloop.sandbox.channel import Request, frame, write_all
from crawloop.sandbox.jail import RESULT, Jail, leave_template
from crawloop.sandbox.rows import NotPlain, plain
from crawloop.sandbox.warm import warm

MESSAGE = struct.Struct("<ci")
FORK, REAP = b"f", b"r"
Report = dict[str, Any]


def main() -> NoReturn:
    """Runs the template on descriptor 0, the control socket."""
    control = socket.socket(fileno=0)
    warm()
    nowhere = os.open(os.devnull, os.O_RDWR)
    jail = Jail()
    jail.harden_template()
    gc.collect()
    gc.freeze()
    control.send(json.dumps(jail.layers).encode())
    _silence(nowhere)
    _serve(control, jail)


def _silence(nowhere: int) -> None:
    """Nothing may write to the standard streams from here on, neither Python itself nor a library."""
    os.dup2(nowhere, 2)
    os.close(nowhere)
    sys.stdin = sys.stdout = sys.stderr = None
    sys.unraisablehook = lambda problem: None


def _serve(control: socket.socket, jail: Jail) -> NoReturn:
    jobs: set[int] = set()
    supervisor = os.getppid()
    while True:
        message, descriptors = _next(control, supervisor)
        if not message:
            for job in jobs:
                _kill(job)
            os._exit(0)
        order, number = MESSAGE.unpack(message)
        if order == FORK:
            answer = _fork(jail, *descriptors)
            jobs.add(answer)
        else:
            _kill(number)
            jobs.discard(number)
            answer = os.waitpid(number, 0)[1]
        control.send(MESSAGE.pack(order, answer))


def _next(control: socket.socket, supervisor: int) -> tuple[bytes, list[int]]:
    """The next order; nothing once the supervisor is gone, also where a fork of it still holds the socket."""
    while not select.select([control], [], [], 5)[0]:
        if os.getppid() != supervisor:
            return b"", []
    message, descriptors, _, _ = socket.recv_fds(control, MESSAGE.size, 2)
    return message, descriptors


def _kill(job: int) -> None:
    for kill in (os.killpg, os.kill):
        try:
            kill(job, signal.SIGKILL)
        except ProcessLookupError:
            continue


def _fork(jail: Jail, request: int, result: int) -> int:
    """The job's process id, or a negative errno."""
    template = os.getpid()
    try:
        job = os.fork()
        if job == 0:
            _job(jail, request, result, template)
    except OSError as problem:
        job = -(problem.errno or 1)
    os.close(request)
    os.close(result)
    return job


def _job(jail: Jail, request: int, result: int, template: int) -> NoReturn:
    """Everything after the fork. Ends without tear-down, so that nothing of the program runs after its answer."""
    try:
        work = Request(request)
        leave_template(result, template)
        jail.restrict_job(work.limits)
        _answer(work)
        os._exit(0)
    finally:
        os._exit(70)


def _answer(work: Request) -> None:
    try:
        program = admit(work.source)
    except Refused as refusal:
        write_all(RESULT, frame(work.token, "admit", _failure("refused", str(refusal), refusal.line)))
        return
    write_all(RESULT, frame(work.token, "admit"))
    for url, html in work.pages():
        write_all(RESULT, _page(program, work, url, html))
    write_all(RESULT, frame(work.token, "end"))


def _page(program: Program, work: Request, url: str, html: str) -> bytes:
    """Runs the program afresh on one page. Returns the frame that answers for it."""
    try:
        answer = frame(work.token, "page", {"records": plain(_extract(program, url, html))})
        if len(answer) <= work.limits.output:
            return answer
        report = _failure("output", f"a result of {len(answer)} bytes; the limit is {work.limits.output}")
    except NotPlain as problem:
        report = _failure("output", str(problem))
    except MemoryError as problem:
        report = _failure("memory", "MemoryError: the program needs too much memory", _line(problem.__traceback__))
    except BaseException as problem:  # noqa: BLE001 - whatever a program raises is its answer
        report = _failure("exception", _described(problem), _line(problem.__traceback__))
    return frame(work.token, "page", report)


def _extract(program: Program, url: str, html: str) -> Any:
    space = namespace.fresh()
    exec(program.code, space)
    extract = space.get("extract")
    if not callable(extract):
        raise NotPlain("extract is not a function")
    parameters = program.parameters
    if parameters is None:
        code = getattr(extract, "__code__", None)
        parameters = code.co_varnames[: code.co_argcount] if code else ("page",)
    if len(parameters) == 1 and parameters[0] != "html":
        return extract(PageView(html, url))
    return extract(html, url) if len(parameters) > 1 else extract(html)


def _described(problem: BaseException) -> str:
    try:
        text = str(problem)
    except BaseException:  # noqa: BLE001 - __str__ may be the program's own
        text = ""
    return f"{type(problem).__name__}: {text[:500]}".removesuffix(": ")


def _line(trace: TracebackType | None) -> int | None:
    """The innermost line of the program itself."""
    found = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILENAME:
            found = trace.tb_lineno
        trace = trace.tb_next
    return found


def _failure(kind: str, message: str, line: int | None = None) -> Report:
    return {"failure": [kind, message, line]}
