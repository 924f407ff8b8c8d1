"""The template process: holds everything imported, and forks jobs on demand. It never sees a program.

    control socket ──► "fork" + request, result, status    status pipe ◄── process id, at its end the wait status
                   ──► "kill" + process id

It ends when the supervisor's end of the control socket closes, and its jobs end with it.
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
from contextlib import suppress
from typing import NoReturn

from crawloop.sandbox.answer import answer
from crawloop.sandbox.channel import Request
from crawloop.sandbox.jail import Jail, leave_template
from crawloop.sandbox.warm import warm

ORDER = struct.Struct("<ci")
NUMBER = struct.Struct("<i")
FORK, KILL = b"f", b"k"
_LOOK_UP = 5000


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
    _serve(control, Jobs(jail))


def _silence(nowhere: int) -> None:
    """Nothing may write to the standard streams from here on, neither Python itself nor a library."""
    os.dup2(nowhere, 2)
    os.close(nowhere)
    sys.stdin = sys.stdout = sys.stderr = None
    sys.unraisablehook = lambda problem: None


def _serve(control: socket.socket, jobs: Jobs) -> NoReturn:
    supervisor = os.getppid()
    ears = select.poll()
    ears.register(control, select.POLLIN)
    ears.register(jobs.bell, select.POLLIN)
    while True:
        heard = [descriptor for descriptor, _ in ears.poll(_LOOK_UP)]
        if jobs.bell in heard:
            jobs.reap()
        if control.fileno() in heard:
            message, descriptors, _, _ = socket.recv_fds(control, ORDER.size, 3)
            if not message:
                jobs.end()
            order, number = ORDER.unpack(message)
            if order == FORK:
                jobs.fork(*descriptors)
            else:
                jobs.kill(number)
        elif not heard and os.getppid() != supervisor:
            # The supervisor is gone, although a fork of it still holds the socket open.
            jobs.end()


class Jobs:
    """The jobs that are running, each with the pipe on which its end is told. `bell` is readable when one ended."""

    def __init__(self, jail: Jail) -> None:
        self._jail = jail
        self._status: dict[int, int] = {}
        self._template = os.getpid()
        self.bell, ringing = os.pipe()
        for end in (self.bell, ringing):
            os.set_blocking(end, False)
        signal.signal(signal.SIGCHLD, lambda number, where: None)
        signal.set_wakeup_fd(ringing, warn_on_full_buffer=False)

    def fork(self, request: int, result: int, status: int) -> None:
        """Starts a job; tells its process id, or a negative errno."""
        try:
            job = os.fork()
            if job == 0:
                self._job(request, result)
        except OSError as problem:
            job = -(problem.errno or 1)
        os.close(request)
        os.close(result)
        _tell(status, job)
        if job > 0:
            self._status[job] = status
        else:
            os.close(status)

    def _job(self, request: int, result: int) -> NoReturn:
        """Everything after the fork. Ends without tear-down, so that nothing of the program runs after its answer."""
        try:
            signal.set_wakeup_fd(-1)
            work = Request(request)
            leave_template(result, self._template)
            self._jail.restrict_job(work.limits)
            answer(work)
            os._exit(0)
        finally:
            os._exit(70)

    def kill(self, job: int) -> None:
        """Kills a job that has not ended yet, and what it may have started."""
        if job not in self._status:
            return
        for kill in (os.killpg, os.kill):
            with suppress(ProcessLookupError):
                kill(job, signal.SIGKILL)

    def reap(self) -> None:
        """Tells the end of each job that has ended. Its group is killed while its number cannot be another's yet."""
        with suppress(BlockingIOError):
            os.read(self.bell, 4096)
        while self._status:
            ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if ended is None:
                return
            self.kill(ended.si_pid)
            _, code = os.waitpid(ended.si_pid, 0)
            status = self._status.pop(ended.si_pid)
            _tell(status, code)
            os.close(status)

    def end(self) -> NoReturn:
        """Ends the template and every job."""
        for job in self._status:
            self.kill(job)
        os._exit(0)


def _tell(status: int, number: int) -> None:
    with suppress(OSError):
        os.write(status, NUMBER.pack(number))
