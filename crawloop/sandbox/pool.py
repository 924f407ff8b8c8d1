"""The supervisor: has programs run in jobs of a template process, and alone states status, time and identity.

run ──► job (fork) ──► admit, page, page, …, end ──► reap
             │ deadline passed: SIGKILL, rest not tried
             └ crashed: each page again in a job of its own
"""

from __future__ import annotations

import functools
import os
import threading
import weakref
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from crawloop.errors import ProgramFailed, ProgramRefused, SandboxError, SandboxTimeout
from crawloop.model.candidate import Failure, Run
from crawloop.model.page import Page, Record
from crawloop.model.policy import SandboxRules
from crawloop.sandbox.channel import MAX_SOURCE, Limits, encoded
from crawloop.sandbox.job import Ended, converse
from crawloop.sandbox.template import Template, TemplateDied

_PAGES = 32
_TEXT = 32 * 1024 * 1024
_REMEMBERED = 256


class ProcessSandbox:
    """Runs programs in killable processes. Safe to share between threads; `jobs` run at the same time at most.

    Where a layer is off that `rules` require, as by default the filter for system calls, it raises SandboxError on
    its first use, naming the layer and the remedy.
    """

    def __init__(self, *, jobs: int | None = None, rules: SandboxRules | None = None) -> None:
        rules = rules or SandboxRules()
        self._require = rules.require
        self._jobs = jobs or max(2, os.cpu_count() or 2)
        self._limits = Limits(memory=rules.memory << 20)
        self._closed = False
        self._own()

    def _own(self) -> None:
        """Starts with nothing: at first, and after this process was forked from the one that made the sandbox."""
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._slots = threading.BoundedSemaphore(self._jobs)
        self._held: list[Template] = []
        self._compiled: dict[str, bytes] = {}
        weakref.finalize(self, _end_all, self._held, self._owner)

    def admit(self, source: str) -> None:
        """The static check alone, in a job. Raises ProgramRefused, which names the rule and the line."""
        if refusal := _oversized(source):
            raise ProgramRefused(refusal.message)
        ended = self._job(source, (), 5.0)
        if ended.final is not None:
            raise ProgramRefused(ended.final.message)
        if not ended.clean:
            raise ProgramRefused("refused: the source breaks the check itself")

    def run(self, source: str, pages: Sequence[Page], *, deadline: float = 5.0) -> tuple[Run, ...]:
        """One run for each page, in order; see contract.Sandbox. Raises SandboxError where no worker can be had."""
        if refusal := _oversized(source):
            return tuple(Run(page.url, None, refusal) for page in pages)
        runs: list[Run] = []
        batches = deque(_batches(pages))
        while batches:
            batch = batches.popleft()
            ended = self._job(source, batch, deadline)
            if not ended.clean and len(batch) > 1:
                batches.extendleft((page,) for page in reversed(batch))
                continue
            runs += ended.runs
            if ended.final is not None:
                runs += [Run(page.url, None, ended.final) for page in pages[len(runs) :]]
                break
            if rest := batch[len(ended.runs) :]:
                batches.appendleft(rest)
        return tuple(runs)

    def layers(self) -> dict[str, str]:
        """What protects the jobs on this machine: each layer with "on", or why it is off."""
        return dict(self._template().layers)

    def close(self) -> None:
        """Ends every process. The sandbox cannot be used again."""
        self._closed = True
        with self._lock:
            _end_all(self._held, self._owner)

    def __enter__(self) -> ProcessSandbox:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def _job(self, source: str, pages: Sequence[Page], deadline: float) -> Ended:
        """One job. A template that dies meanwhile is replaced, and the job tried once more."""
        for _ in range(2):
            template = self._template()
            try:
                with self._slots:
                    ended = converse(template, self._compiled.get(source, source), pages, deadline, self._limits)
                if ended.compiled is not None:
                    self._remember(source, ended.compiled)
                return ended
            except TemplateDied:
                self._discard(template)
        lost = Failure("crash", "crash: the worker died with the program, twice")
        return Ended(tuple(Run(page.url, None, lost) for page in pages), clean=False)

    def _remember(self, source: str, compiled: bytes) -> None:
        """Checking and compiling costs more than many a page: what was admitted once is not checked again."""
        with self._lock:
            self._compiled[source] = compiled
            if len(self._compiled) > _REMEMBERED:
                del self._compiled[next(iter(self._compiled))]

    def _template(self) -> Template:
        if self._owner != os.getpid():
            for template in self._held:
                template.abandon()
            self._own()
        with self._lock:
            if self._closed:
                raise SandboxError("the sandbox is closed")
            if not self._held:
                self._held.append(Template(self._require))
            return self._held[0]

    def _discard(self, template: Template) -> None:
        with self._lock:
            if template in self._held:
                self._held.remove(template)
                template.end(patience=0)


def _end_all(held: list[Template], owner: int) -> None:
    if owner == os.getpid():
        while held:
            held.pop().end()


def _oversized(source: str) -> Failure | None:
    size = len(encoded(source))
    if size <= MAX_SOURCE:
        return None
    return Failure("refused", f"refused: a source of {size} bytes, the limit is {MAX_SOURCE}")


def _batches(pages: Iterable[Page]) -> Iterator[tuple[Page, ...]]:
    batch: list[Page] = []
    size = 0
    for page in pages:
        if batch and (len(batch) == _PAGES or size + len(page.html) > _TEXT):
            yield tuple(batch)
            batch, size = [], 0
        batch.append(page)
        size += len(page.html)
    if batch:
        yield tuple(batch)


@functools.cache
def _shared() -> ProcessSandbox:
    return ProcessSandbox()


def run_in_sandbox(source: str, html: str, *, url: str, deadline: float = 5.0) -> list[Record]:
    """Runs a program on one page and returns its records. `deadline` is in seconds.

    Raises ProgramRefused, SandboxTimeout or ProgramFailed; SandboxError where no worker can be had.
    """
    (run,) = _shared().run(source, (Page(url=url, html=html),), deadline=deadline)
    if run.records is not None:
        return list(run.records)
    assert run.failure is not None
    kind, message, line = run.failure.kind, run.failure.message, run.failure.line
    if kind == "refused":
        raise ProgramRefused(message)
    if kind == "deadline":
        raise SandboxTimeout(message)
    if kind == "page":
        raise SandboxError(message)
    raise ProgramFailed(f"{message} (line {line})" if line else message)
