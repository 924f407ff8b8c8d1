"""What the operating system takes away: once from the template, once more from each job.

template   not dumpable, no new privileges
job        own session, dies with the template, resource limits, one descriptor
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal

from crawloop.sandbox.channel import Limits

RESULT = 3
"""The only descriptor that a job has: where its frames go."""

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 1, 4, 38
_libc = ctypes.CDLL(None, use_errno=True)


def _control(option: int, value: int) -> None:
    if _libc.prctl(option, value, 0, 0, 0) != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"prctl {option}: {os.strerror(code)}")


def harden_template() -> dict[str, str]:
    """Takes away what no job needs. Returns each layer with "on", or why it is off."""
    _control(_PR_SET_NO_NEW_PRIVS, 1)
    _control(_PR_SET_DUMPABLE, 0)
    return {"no-new-privileges": "on"}


def leave_template(result: int, parent: int) -> None:
    """First thing in a job: its own session, bound to the template's life, with one descriptor left."""
    os.setsid()
    _control(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    os.dup2(result, RESULT)
    os.closerange(0, RESULT)
    os.closerange(RESULT + 1, 4096)


def restrict_job(limits: Limits) -> None:
    """Resource limits; none of them can be raised again."""
    for what, most in (
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_CPU, limits.processor),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_NOFILE, 0),
    ):
        resource.setrlimit(what, (most, most))
