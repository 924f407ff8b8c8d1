"""What the operating system takes away: once from the template, once more from each job.

    template   namespaces, user id, capabilities, no new privileges, Landlock, not dumpable
    job        own process group, dies with the template, one descriptor, resource limits, system calls

Each layer is tried and its state reported. Without a filter for system calls the template reports it, and the
supervisor refuses to work; the others make the walls thicker where they are to be had.
"""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable

from crawloop.sandbox import kernel, landlock
from crawloop.sandbox.channel import Limits
from crawloop.sandbox.seccomp import Filter

RESULT = 3
"""The only descriptor that a job has: where its frames go."""

ON = "on"
_NOBODY = 65534
_APART = kernel.CLONE_NEWNET | kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS


class Jail:
    """The layers of one template and its jobs. `layers` says of each "on", or why it is off."""

    def __init__(self) -> None:
        self.layers: dict[str, str] = {}
        self._filter: Filter | None = None

    def harden_template(self) -> None:
        """Takes away what no job needs, for good. Raises OSError where even the least is not to be had."""
        self._try("namespaces", _separate)
        self._try("user id", _become_nobody)
        if self.layers["namespaces"] != ON:
            # After the user id, which cannot be changed inside: root would stay the owner of all that root owns.
            self._try("namespaces", _separate_unprivileged)
        self._try("capabilities", kernel.drop_capabilities)
        kernel.control(kernel.PR_SET_NO_NEW_PRIVS, 1)
        self._try("landlock", landlock.deny_all)
        kernel.control(kernel.PR_SET_DUMPABLE, 0)
        self._try("system calls", self._prepare_filter)

    def _try(self, name: str, layer: Callable[[], object]) -> None:
        try:
            layer()
            self.layers[name] = ON
        except OSError as problem:
            self.layers[name] = f"off: {problem.strerror or problem}"

    def _prepare_filter(self) -> None:
        """Makes the filter and tries it on a process of its own, as it cannot be taken off again."""
        prepared = Filter(RESULT)
        for forbidden, expected in ((False, 0), (True, -signal.SIGSYS)):
            probe = os.fork()
            if probe == 0:
                _wear(prepared, forbidden)
            ended = os.waitstatus_to_exitcode(os.waitpid(probe, 0)[1])
            if ended != expected:
                raise OSError(f"the filter does not hold here ({ended})")
        self._filter = prepared

    def restrict_job(self, result: int, limits: Limits) -> None:
        """One descriptor, resource limits, then system calls; nothing of it can be undone."""
        os.dup2(result, RESULT)
        _close_all_but(RESULT)
        for what, most in (
            (resource.RLIMIT_AS, limits.memory),
            (resource.RLIMIT_CPU, limits.processor),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_NPROC, 0),
            (resource.RLIMIT_NOFILE, 0),
        ):
            resource.setrlimit(what, (most, most))
        if self._filter is not None:
            self._filter.put_on()


def leave_template(orders: int, template: int) -> None:
    """First thing after a fork: its own process group, bound to the template's life, and nothing of other jobs."""
    os.setpgid(0, 0)
    kernel.control(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != template:
        os._exit(1)
    _close_all_but(orders)


def _close_all_but(descriptor: int) -> None:
    os.closerange(0, descriptor)
    os.closerange(descriptor + 1, 4096)


def _wear(prepared: Filter, forbidden: bool) -> None:
    try:
        prepared.put_on()
        if forbidden:
            os.getppid()
    except OSError:
        os._exit(1)
    os._exit(0)


def _separate() -> None:
    """No network but its own empty one."""
    kernel.unshare(_APART)


def _separate_unprivileged() -> None:
    """The same without the privilege for it, inside a user namespace of its own."""
    kernel.unshare(_APART | kernel.CLONE_NEWUSER)


def _become_nobody() -> None:
    """A user that nothing else runs as; else the one that owns nothing."""
    if os.geteuid() != 0:
        raise OSError("only root can become another user; programs run as this one")
    os.setgroups([])
    for number in (0x70000000 + int.from_bytes(os.urandom(3)), _NOBODY):
        try:
            os.setresgid(number, number, number)
            os.setresuid(number, number, number)
        except OSError:
            continue
        return
    raise OSError("no other user id is to be had")
