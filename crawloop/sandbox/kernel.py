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
_libc.malloc.restype = _libc.sbrk.restype = ctypes.c_ssize_t

_LARGE_PAGE = 1 << 21
_OWN = 1 << 16  # what the template itself will need
_LARGEST_GAP = 1 << 20


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


def renew_memory() -> None:
    """Takes all gaps in the heap out of use, so that it goes on just before the next large page. With glibc only.

    What a job puts into gaps it gets by small pages, each copied or cleaned for it; a large one comes whole.
    """
    if not hasattr(_libc, "malloc_trim"):
        return
    _libc.malloc_trim(ctypes.c_size_t(0))
    end = _allocated(_LARGE_PAGE)
    if not 0 < end < _libc.sbrk(ctypes.c_long(0)):
        return  # it does not lie in one piece
    for size in (_LARGEST_GAP >> power for power in range(10)):
        while 0 < (gap := _allocated(size)) < end:
            pass
        _libc.free(ctypes.c_void_p(gap))
    # As long as the largest try above at least: no large page may have been touched.
    _allocated(_LARGEST_GAP + (-end - _OWN - _LARGEST_GAP) % _LARGE_PAGE)


def _allocated(size: int) -> int:
    return int(_libc.malloc(ctypes.c_size_t(size)))


def unshare(flags: int) -> None:
    """unshare(2). Raises OSError."""
    _checked(_libc.unshare(flags), "unshare")
