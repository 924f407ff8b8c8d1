"""Landlock: no file, no connection, no signal to anybody outside. Put on once, by the template."""

from __future__ import annotations

import ctypes
import os

from crawloop.sandbox import kernel

_CREATE_RULESET, _RESTRICT_SELF = 444, 446
_ASK_VERSION = 1
_FILES = {1: 13, 2: 14, 3: 15, 5: 16}
"""How many kinds of access to files are known from a version on."""


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


def deny_all() -> int:
    """Denies whatever this kernel's version can deny, and returns that version. Raises OSError without Landlock."""
    version = kernel.call(_CREATE_RULESET, 0, 0, _ASK_VERSION)
    rules = _Ruleset(files=(1 << max(bits for since, bits in _FILES.items() if since <= version)) - 1)
    size = 8
    if version >= 4:
        rules.network, size = 0b11, 16
    if version >= 6:
        rules.scoped, size = 0b11, 24
    ruleset = kernel.call(_CREATE_RULESET, ctypes.addressof(rules), size, 0)
    try:
        kernel.call(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)
    return version
