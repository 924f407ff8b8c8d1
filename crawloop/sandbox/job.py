"""One conversation with one job, from fork to reaping. Nothing that it says of itself is believed."""

from __future__ import annotations

import base64
import binascii
import math
import os
import secrets
import select
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from crawloop.errors import PageRefused, SandboxError
from crawloop.model.candidate import Failure, Run
from crawloop.model.page import Page, Record
from crawloop.sandbox.channel import NUMBER, ChannelClosed, DeadlinePassed, FrameRefused, Frames, Limits, pack
from crawloop.sandbox.rows import NotPlain, checked
from crawloop.sandbox.template import Template, TemplateDied

_KINDS = frozenset(("exception", "memory", "output"))
_FAREWELL = 2.0
_ANSWER = 30.0


@dataclass(frozen=True, slots=True)
class Ended:
    """What a job came to: runs of its pages, fewer where the rest needs another job.

    `clean`: they can be believed. `final`: a failure that all further pages share. `compiled`: the program as it may be
    sent the next time, where its source was.
    """

    runs: tuple[Run, ...]
    clean: bool
    final: Failure | None = None
    compiled: bytes | None = None


def converse(template: Template, program: str | bytes, pages: Sequence[Page], deadline: float, limits: Limits) -> Ended:
    """Runs one job to its end. `program` is a source, or what an earlier job compiled it to.

    Raises TemplateDied; whatever the job does is in the answer.
    """
    limits = replace(limits, processor=math.ceil(deadline * (len(pages) + 2)) + 1)
    token = secrets.token_hex(16)
    reading, writing = os.pipe()
    status, telling = os.pipe()
    try:
        request = pack(token, program, [(page.base, page.html) for page in pages], limits)
        try:
            template.fork(request, writing, telling)
        finally:
            for descriptor in (request, writing, telling):
                os.close(descriptor)
        process = _Process(template, status)
        talk = _Talk(Frames(reading, token), isinstance(program, bytes), pages, deadline)
        try:
            talk.listen()
        finally:
            # Also one that is about to end by itself: nobody waits for that.
            process.kill()
        return talk.ended(process)
    finally:
        os.close(reading)
        os.close(status)


class _Process:
    """The job's process, as its template tells of it on a pipe that the job does not have."""

    def __init__(self, template: Template, status: int) -> None:
        self._template = template
        self._status = status
        self._poll = select.poll()
        self._poll.register(status, select.POLLIN)
        self._job = 0

    def _number(self) -> int:
        if not self._poll.poll(_ANSWER * 1000):
            raise TemplateDied
        told = os.read(self._status, NUMBER.size)
        if len(told) < NUMBER.size:
            raise TemplateDied
        return int(NUMBER.unpack(told)[0])

    def _begin(self) -> None:
        if not self._job:
            self._job = self._number()
            if self._job < 0:
                raise SandboxError(f"no process for the sandbox: {os.strerror(-self._job)}")

    def kill(self) -> None:
        """Has it killed, with all that it may have started."""
        self._begin()
        self._template.kill(self._job)

    def status(self) -> int:
        """Waits for its end. Returns the wait status."""
        self._begin()
        return self._number()


class _Talk:
    """What a job has said so far."""

    def __init__(self, frames: Frames, is_compiled: bool, pages: Sequence[Page], deadline: float) -> None:
        self._frames = frames
        self._is_compiled = is_compiled
        self._compiled: bytes | None = None
        self._pages = pages
        self._deadline = deadline
        self._runs: list[Run] = []
        self._final: Failure | None = None
        self._problem: Failure | None = None
        self._finished = False
        self._unreadable = False

    def listen(self) -> None:
        """Takes in frame after frame, up to the last, or until the job breaks the rules or runs out of time."""
        try:
            if not self._is_compiled:
                body = self._next("admitted", self._deadline)
                if self._final is not None:
                    return
                self._compiled = _bytes(body)
            for page in self._pages:
                start = time.monotonic()
                report = self._next("page", self._deadline)
                self._runs.append(_run(page, report, time.monotonic() - start))
            self._next("end", _FAREWELL)
            self._finished = True
        except DeadlinePassed:
            self._late()
        except (FrameRefused, NotPlain) as problem:
            self._problem = Failure("output", f"output: {problem}")
        except ChannelClosed:
            # How it ended tells why.
            pass

    def _late(self) -> None:
        """Whose fault is it? A page that no parser gets through in time does not speak against the program."""
        # Here, because it is rarely needed and slow to load.
        from crawloop.extract.bounds import guard

        failure = Failure("deadline", f"deadline: no result within {self._deadline:g} seconds")
        try:
            for page in self._pages[len(self._runs) :][:1]:
                guard.check(page.html)
            self._final = failure
        except PageRefused as problem:
            self._unreadable = True
            failure = Failure("page", str(problem))
        self._runs += [Run(page.url, None, failure, self._deadline) for page in self._pages[len(self._runs) :][:1]]

    def _next(self, expected: str, seconds: float) -> Any:
        kind, body = self._frames.next(time.monotonic() + seconds)
        if kind == "refused" and expected == "admitted":
            self._final = _failure(body, frozenset(("refused",)))
        elif kind != expected:
            raise FrameRefused("a frame out of turn")
        return body

    def ended(self, process: _Process) -> Ended:
        """The whole of it. Where the last frame did not come, how the process ended tells why."""
        if self._unreadable:
            return Ended(tuple(self._runs), clean=True)
        if self._final is not None:
            rest = [Run(page.url, None, self._final) for page in self._pages[len(self._runs) :]]
            return Ended((*self._runs, *rest), clean=True, final=self._final)
        if self._finished:
            return Ended(tuple(self._runs), clean=True, compiled=self._compiled)
        failure = self._problem or _crash(process.status())
        return Ended(tuple(Run(page.url, None, failure) for page in self._pages), clean=False)


def _run(page: Page, report: Any, seconds: float) -> Run:
    if isinstance(report, dict) and "records" in report:
        records: tuple[Record, ...] = checked(report["records"])
        return Run(page.url, records, None, seconds)
    return Run(page.url, None, _failure(report, _KINDS), seconds)


def _bytes(text: Any) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (TypeError, ValueError, binascii.Error):
        raise FrameRefused("a compiled program that is none") from None


def _failure(report: Any, kinds: frozenset[str]) -> Failure:
    match report:
        case {"failure": [str(kind), str(message), None | int() as line]} if kind in kinds:
            printable = "".join(char if char.isprintable() else " " for char in message[:1000])
            return Failure(kind, printable, line)
    raise FrameRefused("a report that is not one")


def _crash(status: int) -> Failure:
    code = os.waitstatus_to_exitcode(status)
    if code == -signal.SIGSYS:
        return Failure(
            "syscall",
            "syscall: the program made a system call that is not allowed: it has its page, no files or network",
        )
    if code < 0:
        return Failure("crash", f"crash: the process was ended by {signal.Signals(-code).name}")
    return Failure("crash", f"crash: the process ended by itself with code {code}, without an answer")
