"""The system calls of a job: memory, clock, end, and writing to the result pipe.

A classic BPF program, built by hand, as no binding is at hand everywhere:

    other machine or calling convention ──► kill
    a plain call of the list            ──► allow
    asking for a file or the machine    ──► "permission denied", as Python and C do so on their way to something else
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
class Machine:
    """A kind of processor: its number in the audit of calls, and the numbers of its calls."""

    audit: int
    write: int
    mmap: int
    mprotect: int
    plain: tuple[int, ...]
    asking: tuple[int, ...]


# Numbers on x86-64 and on aarch64; 0 where there is no such call.
_PLAIN = {
    "munmap": (11, 215),
    "brk": (12, 214),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "futex": (202, 98),
    "clock_gettime": (228, 113),
    "gettimeofday": (96, 169),
    "getrandom": (318, 278),
    "sched_yield": (24, 124),
    "rt_sigreturn": (15, 139),
    "restart_syscall": (219, 128),
    "exit": (60, 93),
    "exit_group": (231, 94),
}
_ASKING = {
    "openat": (257, 56),
    "newfstatat": (262, 79),
    "readlinkat": (267, 78),
    "statx": (332, 291),
    "sysinfo": (99, 179),
    "sched_getaffinity": (204, 123),
    "open": (2, 0),
    "stat": (4, 0),
    "lstat": (6, 0),
    "readlink": (89, 0),
}


def _numbers(calls: dict[str, tuple[int, int]], column: int) -> tuple[int, ...]:
    return tuple(numbers[column] for numbers in calls.values() if numbers[column])


MACHINES = {
    "x86_64": Machine(0xC000003E, 1, 9, 10, _numbers(_PLAIN, 0), _numbers(_ASKING, 0)),
    "aarch64": Machine(0xC00000B7, 64, 222, 226, _numbers(_PLAIN, 1), _numbers(_ASKING, 1)),
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


def steps(machine: Machine, descriptor: int) -> list[_Step]:
    steps: list[_Step] = [
        (_LOAD, _MACHINE, "", ""),
        (_EQUAL, machine.audit, "", "kill"),
        (_LOAD, _NUMBER, "", ""),
        (_AT_LEAST, _OTHER_CONVENTION, "kill", ""),
    ]
    steps += [(_EQUAL, number, "allow", "") for number in machine.plain]
    steps += [(_EQUAL, number, "deny", "") for number in machine.asking]
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


def assembled(steps: list[_Step]) -> list[_Instruction]:
    made = []
    for place, (code, word, yes, no) in enumerate(steps):
        jumps = [len(steps) - _PLACES[target] - place - 1 if target else 0 for target in (yes, no)]
        made.append(_Instruction(code, *jumps, word))
    return made


class Filter:
    """The filter for this machine, ready to be put on. Raises OSError where this machine is not known."""

    def __init__(self, descriptor: int) -> None:
        machine = MACHINES.get(platform.machine())
        if machine is None or ctypes.sizeof(ctypes.c_void_p) != 8:
            raise OSError(f"no filter is known for {platform.machine()}")
        instructions = assembled(steps(machine, descriptor))
        self._array = (_Instruction * len(instructions))(*instructions)
        self._program = _Program(len(instructions), self._array)

    def put_on(self) -> None:
        """Binds this process, for good. Raises OSError; no new privileges must be set before."""
        kernel.control(kernel.PR_SET_SECCOMP, _MODE_FILTER, ctypes.addressof(self._program))
