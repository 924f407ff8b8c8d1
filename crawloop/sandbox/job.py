"""One conversation with one job, from fork to reaping. Nothing that it says of itself is believed."""

from __future__ import annotations

import math
import os
import secrets
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from crawloop.model.candidate import Failure, Run
from crawloop.model.page import Page, Record
from crawloop.sandbox.channel import ChannelClosed, DeadlinePassed, FrameRefused, Frames, Limits, pack
from crawloop.sandbox.rows import NotPlain, checked
from crawloop.sandbox.template import Template

_KINDS = frozenset(("exception", "memory", "output", "page"))
_FAREWELL = 2.0


@dataclass(frozen=True, slots=True)
class Ended:
    """What a job came to. `clean`: its runs can be believed. `final`: a failure that all further pages share."""

    runs: tuple[Run, ...]
    clean: bool
    final: Failure | None = None


def converse(template: Template, source: str, pages: Sequence[Page], deadline: float, limits: Limits) -> Ended:
    """Runs one job to its end. Raises TemplateDied; whatever the job does is in the answer."""
    limits = replace(limits, processor=math.ceil(deadline * (len(pages) + 2)) + 1)
    token = secrets.token_hex(16)
    request = pack(token, source, [(page.base, page.html) for page in pages], limits)
    reading, writing = os.pipe()
    try:
        try:
            job = template.fork(request, writing)
        finally:
            os.close(request)
            os.close(writing)
        talk = _Talk(Frames(reading, token), pages, deadline)
        try:
            talk.listen()
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(job, signal.SIGKILL)
            status = template.reap(job)
        return talk.ended(status)
    finally:
        os.close(reading)


class _Talk:
    """What a job has said so far."""

    def __init__(self, frames: Frames, pages: Sequence[Page], deadline: float) -> None:
        self._frames = frames
        self._pages = pages
        self._deadline = deadline
        self._runs: list[Run] = []
        self._final: Failure | None = None
        self._problem: Failure | None = None
        self._finished = False

    def listen(self) -> None:
        """Takes in frame after frame until the job ends, breaks the rules or runs out of time."""
        try:
            if self._refused():
                return
            for page in self._pages:
                start = time.monotonic()
                report = self._next("page", self._deadline)
                self._runs.append(_run(page, report, time.monotonic() - start))
            self._next("end", _FAREWELL)
            self._finished = self._closes()
        except DeadlinePassed:
            self._final = Failure("deadline", f"deadline: no result within {self._deadline:g} seconds")
        except (FrameRefused, NotPlain) as problem:
            self._problem = Failure("output", f"output: {problem}")
        except ChannelClosed:
            return

    def _refused(self) -> bool:
        verdict = self._next("admit", self._deadline)
        if verdict:
            self._final = _failure(verdict, frozenset(("refused",)))
        return bool(verdict)

    def _next(self, kind: str, seconds: float) -> Any:
        return self._frames.next(kind, time.monotonic() + seconds)

    def _closes(self) -> bool:
        try:
            self._next("", _FAREWELL)
        except ChannelClosed:
            return True
        return False

    def ended(self, status: int) -> Ended:
        """The whole of it, in the light of how the process ended."""
        if self._final is not None:
            missing = self._pages[len(self._runs) :]
            runs = [*self._runs, *(Run(page.url, None, self._final, self._waited()) for page in missing[:1])]
            runs += [Run(page.url, None, self._final) for page in missing[1:]]
            return Ended(tuple(runs), clean=True, final=self._final)
        if self._finished and status == 0:
            return Ended(tuple(self._runs), clean=True)
        failure = self._problem or _crash(status)
        return Ended(tuple(Run(page.url, None, failure) for page in self._pages), clean=False)

    def _waited(self) -> float:
        return self._deadline if self._final is not None and self._final.kind == "deadline" else 0.0


def _run(page: Page, report: Any, seconds: float) -> Run:
    if isinstance(report, dict) and "records" in report:
        records: tuple[Record, ...] = checked(report["records"])
        return Run(page.url, records, None, seconds)
    return Run(page.url, None, _failure(report, _KINDS), seconds)


def _failure(report: Any, kinds: frozenset[str]) -> Failure:
    match report:
        case {"failure": [str(kind), str(message), None | int() as line]} if kind in kinds:
            printable = "".join(char if char.isprintable() else " " for char in message[:1000])
            return Failure(kind, printable, line)
    raise FrameRefused("a report that is not one")


def _crash(status: int) -> Failure:
    code = os.waitstatus_to_exitcode(status)
    if code == -signal.SIGSYS:
        return Failure("syscall", "syscall: the program made a system call that is not allowed")
    if code < 0:
        return Failure("crash", f"crash: the process was ended by {signal.Signals(-code).name}")
    return Failure("crash", f"crash: the process ended by itself with code {code}, without an answer")
