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
import sys
from contextlib import suppress
from typing import NoReturn

from crawloop.sandbox import kernel
from crawloop.sandbox.answer import answer
from crawloop.sandbox.channel import FORK, NUMBER, ORDER, Request
from crawloop.sandbox.jail import Jail, leave_template
from crawloop.sandbox.warm import steps, warm

_LOOK_UP = 5000


def main() -> NoReturn:
    """Runs the template on descriptor 0, the control socket."""
    control = socket.socket(fileno=0)
    os.environ.clear()
    warm()
    nowhere = os.open(os.devnull, os.O_RDWR)
    jail = Jail()
    jail.harden_template()
    gc.collect()
    gc.freeze()
    kernel.renew_memory()
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
                jobs.prepare()
        elif not heard and os.getppid() != supervisor:
            # The supervisor is gone, although a fork of it still holds the socket open.
            jobs.end()


class Jobs:
    """The jobs that are running, each with the pipe on which its end is told. `bell` is readable when one ended.

    One more process waits for its orders, forked and warmed ahead: most of what a fork costs is paid by the time
    that they come. It is forked when a job is over, as until then the processors have better to do.
    """

    def __init__(self, jail: Jail) -> None:
        self._jail = jail
        self._status: dict[int, int] = {}
        self._template = os.getpid()
        self._spare = 0
        self._orders: socket.socket | None = None
        self.bell, ringing = os.pipe()
        for end in (self.bell, ringing):
            os.set_blocking(end, False)
        signal.signal(signal.SIGCHLD, lambda number, where: None)
        signal.set_wakeup_fd(ringing, warn_on_full_buffer=False)
        self.prepare()

    def fork(self, request: int, result: int, status: int) -> None:
        """Starts a job; tells its process id, or a negative errno."""
        self.prepare()
        job, orders = self._spare, self._orders
        if orders is not None:
            with orders, suppress(OSError):
                socket.send_fds(orders, [b"!"], [request, result])
            self._spare, self._orders = 0, None
            self._status[job] = status
        _tell(status, job)
        os.close(request)
        os.close(result)
        if orders is None:
            os.close(status)

    def prepare(self) -> None:
        """Forks the process that waits, unless there is one; where that cannot be, `_spare` is the negative errno."""
        if self._orders is not None:
            return
        ours, theirs = socket.socketpair()
        try:
            self._spare = os.fork()
            if self._spare == 0:
                self._wait(theirs)
            self._orders = ours
        except OSError as problem:
            self._spare = -(problem.errno or 1)
            ours.close()
        theirs.close()

    def _wait(self, orders: socket.socket) -> NoReturn:
        """Everything after the fork; `answer` ends the process where all went well."""
        try:
            signal.set_wakeup_fd(-1)
            leave_template(orders.fileno(), self._template)
            for _ in steps():
                if select.select([orders], [], [], 0)[0]:
                    break
            _, (request, result), _, _ = socket.recv_fds(orders, 1, 2)
            work = Request(request)
            self._jail.restrict_job(result, work.limits)
            answer(work)
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
        while ended := _ended():
            self.kill(ended.si_pid)
            _, code = os.waitpid(ended.si_pid, 0)
            if ended.si_pid == self._spare:
                self._orders = None
            status = self._status.pop(ended.si_pid, None)
            if status is not None:
                _tell(status, code)
                os.close(status)

    def end(self) -> NoReturn:
        """Ends the template and every job; the one that waits ends with it."""
        for job in self._status:
            self.kill(job)
        os._exit(0)


def _ended() -> os.waitid_result | None:
    """A child that has ended and is not reaped yet."""
    try:
        return os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return None


def _tell(status: int, number: int) -> None:
    with suppress(OSError):
        os.write(status, NUMBER.pack(number))
