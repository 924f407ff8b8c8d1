"""A worker whose language layer is off: generated code is plain Python, as after an escape. For tests of the jail."""

from __future__ import annotations

BOOT = """
import sys; sys.path.extend(sys.argv[1:])
import ctypes, importlib, json, mmap, os, re, resource, signal, socket, struct, threading, time, types
from crawloop.sandbox import admit, answer, jail, namespace, seccomp, warm, worker
warm.warm()
worker.warm = lambda: None
worker.steps = lambda: ()
answer.admit = lambda source: admit.Program(compile(source, admit.FILENAME, "exec"), (("html", False), ("url", False)))
namespace.fresh = lambda: {"__name__": "extractor"}
%s
worker.main()
"""

PLAIN = BOOT % ""
UNFILTERED = BOOT % "seccomp.Filter.put_on = lambda self: None; jail.Jail._prepare_filter = lambda self: None"
