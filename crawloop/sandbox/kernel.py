"""The few Linux calls that Python has no names for."""

from __future__ import annotations

import ctypes
import os

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_SET_NO_NEW_PRIVS = 38

CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWNET = 0x40000000

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def _checked(result: int, what: str) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


def control(option: int, first: int, second: int = 0) -> None:
    """prctl(2). Raises OSError."""
    words = [ctypes.c_ulong(word) for word in (first, second, 0, 0)]
    _checked(_libc.prctl(option, *words), f"prctl {option}")


def call(number: int, *words: int) -> int:
    """syscall(2). Raises OSError."""
    return _checked(_libc.syscall(ctypes.c_long(number), *(ctypes.c_long(word) for word in words)), f"call {number}")


def drop_capabilities() -> None:
    """capset(2) with none left. Raises OSError."""
    version_3 = 0x20080522
    header, nothing = (ctypes.c_uint32 * 2)(version_3, 0), (ctypes.c_uint32 * 6)()
    _checked(_libc.capset(header, nothing), "capset")


def give_back_memory() -> None:
    """malloc_trim(3), where the C library has it: what is free goes back to the kernel."""
    trim = getattr(_libc, "malloc_trim", None)
    if trim is not None:
        trim(ctypes.c_size_t(0))


def unshare(flags: int) -> None:
    """unshare(2). Raises OSError."""
    _checked(_libc.unshare(flags), "unshare")
