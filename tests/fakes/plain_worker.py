"""Workers with layers switched off, as on a machine that lacks them or after an escape. For tests of the jail."""

from __future__ import annotations

LANGUAGE = "language"
LIMITS = "limits"

_BOOT = """
import sys; sys.path.extend(sys.argv[1:])
import ctypes, gc, importlib, json, mmap, os, re, resource, signal, socket, struct, threading, time, types
from crawloop.sandbox import admit, answer, jail, namespace, seccomp, warm, worker
def missing(*given):
    raise OSError("switched off")
%s
worker.main()
"""
_SWITCHES = {
    "namespaces": "jail._separate = jail._separate_unprivileged = missing",
    "user id": "jail._become_nobody = missing",
    "capabilities": "jail.kernel.drop_capabilities = missing",
    "landlock": "jail.landlock.deny_all = missing",
    "system calls": "jail.Filter = missing",
    LIMITS: "resource.setrlimit = lambda what, most: None",
    # Generated code is plain Python, as after an escape.
    LANGUAGE: """
warm.warm()
worker.warm = lambda: None
worker.steps = lambda: ()
answer.admit = lambda source: admit.Program(compile(source, admit.FILENAME, "exec"), (("html", False), ("url", False)))
namespace.fresh = lambda: {"__name__": "extractor"}
""",
}


def without(*layers: str) -> str:
    """What starts a worker that lacks these layers, in place of `template._BOOT`."""
    return _BOOT % "\n".join(_SWITCHES[layer] for layer in layers)


PLAIN = without(LANGUAGE)
UNFILTERED = without(LANGUAGE, "system calls")
