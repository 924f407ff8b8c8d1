"""The system calls of a job: memory, clock, end, and writing to the result pipe.

A classic BPF program, built by hand, as no binding is at hand everywhere:

    other machine or calling convention ──► kill
    a plain call of the list            ──► allow
    asking for a file                   ──► "permission denied", as Python itself does that on the way to an error
    write to another descriptor         ──► kill
    memory that can be executed         ──► kill
    anything else                       ──► kill
"""

from __future__ import annotations

import ctypes
import errno
import platform
from dataclasses import dataclass

from crawloop.sandbox import kernel

_MODE_FILTER = 2
_KILL, _ALLOW, _DENY = 0x80000000, 0x7FFF0000, 0x00050000 | errno.EACCES
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _MACHINE, _FIRST, _THIRD = 0, 4, 16, 32
_WORD = 4
_OTHER_CONVENTION = 0x40000000
_EXECUTABLE = 4


@dataclass(frozen=True, slots=True)
class _Machine:
    """A machine's audit number, and the numbers of its calls."""

    audit: int
    write: int
    mmap: int
    mprotect: int
    plain: tuple[int, ...]
    files: tuple[int, ...]


# Plain calls: munmap brk mremap madvise futex clock_gettime gettimeofday getrandom sched_yield rt_sigreturn
# restart_syscall exit exit_group. Calls about files: openat newfstatat readlinkat statx, open stat lstat readlink.
_MACHINES = {
    "x86_64": _Machine(
        0xC000003E,
        1,
        9,
        10,
        (11, 12, 25, 28, 202, 228, 96, 318, 24, 15, 219, 60, 231),
        (257, 262, 267, 332, 2, 4, 6, 89),
    ),
    "aarch64": _Machine(
        0xC00000B7, 64, 222, 226, (215, 214, 216, 233, 98, 113, 169, 278, 124, 139, 128, 93, 94), (56, 79, 78, 291)
    ),
}


class _Instruction(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_uint16),
        ("yes", ctypes.c_uint8),
        ("no", ctypes.c_uint8),
        ("word", ctypes.c_uint32),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("instructions", ctypes.POINTER(_Instruction)))


_Step = tuple[int, int, str, str]
"""Code, operand, and where to go on yes and on no: the next step, or a name in _PLACES."""


_PLACES = {"deny": 1, "allow": 2, "kill": 3, "memory": 5, "write": 9}
"""Steps from the end."""


def _steps(machine: _Machine, descriptor: int) -> list[_Step]:
    steps: list[_Step] = [
        (_LOAD, _MACHINE, "", ""),
        (_EQUAL, machine.audit, "", "kill"),
        (_LOAD, _NUMBER, "", ""),
        (_AT_LEAST, _OTHER_CONVENTION, "kill", ""),
    ]
    steps += [(_EQUAL, number, "allow", "") for number in machine.plain]
    steps += [(_EQUAL, number, "deny", "") for number in machine.files]
    steps += [
        (_EQUAL, machine.write, "write", ""),
        (_EQUAL, machine.mmap, "memory", ""),
        (_EQUAL, machine.mprotect, "memory", "kill"),
        (_LOAD, _FIRST + _WORD, "", ""),
        (_EQUAL, 0, "", "kill"),
        (_LOAD, _FIRST, "", ""),
        (_EQUAL, descriptor, "allow", "kill"),
        (_LOAD, _THIRD, "", ""),
        (_ANY_BIT, _EXECUTABLE, "kill", "allow"),
        (_RETURN, _KILL, "", ""),
        (_RETURN, _ALLOW, "", ""),
        (_RETURN, _DENY, "", ""),
    ]
    return steps


def _assembled(steps: list[_Step]) -> list[_Instruction]:
    made = []
    for place, (code, word, yes, no) in enumerate(steps):
        jumps = [len(steps) - _PLACES[target] - place - 1 if target else 0 for target in (yes, no)]
        made.append(_Instruction(code, *jumps, word))
    return made


class Filter:
    """The filter for this machine, ready to be put on. Raises OSError where this machine is not known."""

    def __init__(self, descriptor: int) -> None:
        machine = _MACHINES.get(platform.machine())
        if machine is None or ctypes.sizeof(ctypes.c_void_p) != 8:
            raise OSError(f"no filter is known for {platform.machine()}")
        instructions = _assembled(_steps(machine, descriptor))
        self._array = (_Instruction * len(instructions))(*instructions)
        self._program = _Program(len(instructions), self._array)

    def put_on(self) -> None:
        """Binds this process, for good. Raises OSError; no new privileges must be set before."""
        kernel.control(kernel.PR_SET_SECCOMP, _MODE_FILTER, ctypes.addressof(self._program))
