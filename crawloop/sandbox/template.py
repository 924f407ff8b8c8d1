"""The supervisor's hold on one template process: start it, have it fork and kill jobs, end it."""

from __future__ import annotations

import importlib.util
import json
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from crawloop.errors import SandboxError
from crawloop.sandbox.channel import FORK, KILL, ORDER

_BOOT = "import sys; sys.path.extend(sys.argv[1:]); from crawloop.sandbox.worker import main; main()"
_NEEDED = ("crawloop", "selectolax", "RestrictedPython")
# Memory of a page's tree is kept for the job's next page, in large pieces: page faults cost more than parsing does.
_KEEP_MEMORY = ":".join(
    f"glibc.malloc.{name}={value}"
    for name, value in (("hugetlb", 1), ("trim_threshold", 1 << 26), ("mmap_threshold", 1 << 26), ("top_pad", 1 << 22))
)
_START = 60.0
_ANSWER = 30.0


_REMEDIES = {
    "namespaces": "allow user namespaces to this user (sysctl user.max_user_namespaces)",
    "user id": "start crawloop as root, so that it can give root up",
    "capabilities": "allow capset(2) in the container's profile",
    "landlock": "use a kernel from 5.13 on with landlock in its list of security modules (the boot option lsm=)",
    "system calls": "use a kernel with seccomp filters, on x86-64 or aarch64",
}


def _refusal(layer: str, state: str) -> str:
    return (
        f"no program is run here: the sandbox's layer {layer!r} is {state}, and it is required. "
        f"Either {_REMEDIES[layer]}, or take it out of sandbox.require in crawloop.toml"
    )


class TemplateDied(Exception):
    """The template process is gone or does not answer."""


def _roots() -> list[str]:
    """Folders that hold what the worker imports, found without importing it."""
    roots: list[str] = []
    for name in _NEEDED:
        spec = importlib.util.find_spec(name)
        if spec is None or not spec.submodule_search_locations:
            raise SandboxError(f"the sandbox needs {name}, which is not installed")
        root = str(Path(spec.submodule_search_locations[0]).absolute().parent)
        if root not in roots:
            roots.append(root)
    return roots


def _environment() -> dict[str, str]:
    """Nothing of the caller's, but what makes a program give the same rows on each run."""
    known = {"PYTHONHASHSEED": "0", "TZ": "UTC0", "GLIBC_TUNABLES": _KEEP_MEMORY}
    if library := os.environ.get("LD_LIBRARY_PATH"):
        known["LD_LIBRARY_PATH"] = library
    return known


class Template:
    """One running template. Its methods may be called by several threads.

    Raises SandboxError where it cannot start, or where one of the layers is off that the caller requires.
    """

    def __init__(self, require: Sequence[str] = ()) -> None:
        if not sys.platform.startswith("linux"):
            raise SandboxError("the sandbox needs Linux")
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-s", "-S", "-P", "-B", "-X", "utf8", "-c", _BOOT, *_roots()],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=_environment(),
                cwd="/",
                start_new_session=True,
            )
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        self._control = ours
        self.layers = self._greeted()
        if missing := [name for name in require if self.layers[name] != "on"]:
            self.end(patience=0)
            raise SandboxError(_refusal(missing[0], self.layers[missing[0]]))

    def _greeted(self) -> dict[str, str]:
        """The layers of the jail that hold here, as the template reports them once it is warm."""
        assert self._process.stderr is not None
        with self._process.stderr as errors:
            try:
                self._control.settimeout(_START)
                hello = self._control.recv(1 << 16)
            except OSError:
                hello = b""
            if not hello:
                self.end(patience=0)
                raise SandboxError(
                    f"the sandbox did not start: {errors.read()[-2000:].decode(errors='replace').strip()}"
                )
        self._control.settimeout(_ANSWER)
        layers: dict[str, str] = json.loads(hello)
        return layers

    def fork(self, request: int, result: int, status: int) -> None:
        """Starts a job on three descriptors, which stay the caller's to close. Raises TemplateDied."""
        self._order(FORK, 0, [request, result, status])

    def kill(self, job: int) -> None:
        """Kills a job, unless it has ended by itself. Raises TemplateDied."""
        self._order(KILL, job, [])

    def _order(self, order: bytes, number: int, descriptors: list[int]) -> None:
        try:
            socket.send_fds(self._control, [ORDER.pack(order, number)], descriptors)
        except OSError as problem:
            raise TemplateDied from problem

    def end(self, patience: float = 2.0) -> None:
        """Ends the process and with it all jobs; kills it where it does not go by itself within `patience` seconds."""
        try:
            self._control.shutdown(socket.SHUT_RDWR)
        except OSError:
            patience = 0
        self._control.close()
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def abandon(self) -> None:
        """Lets go of a template that belongs to the process from which this one was forked."""
        self._control.close()
        self._process.returncode = 0
