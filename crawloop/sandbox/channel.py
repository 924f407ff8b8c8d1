"""How supervisor, template and job talk.

    orders:       to the template: FORK with three descriptors, or KILL with a process id
    status:       from the template, of one job: its process id (or a negative errno), at its end the wait status
    job request:  a sealed-off memory file: length, JSON head, then the program and the pages as they are
    result:       frames on one pipe: length, then JSON [token, kind, body];  admitted, page, page, …, end

A program goes as its source, and is answered with its compiled form before any of it is run. What comes back so can be
sent in place of the source the next time, and is then not answered: nothing outside of jobs looks into it.

JSON only, never pickle. Each frame is capped before it is read, whatever its sender claims. The token is new for each
job and never told to the program, so that writing well-formed frames is not enough to be believed.
"""

from __future__ import annotations

import json
import mmap
import os
import select
import struct
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

MAX_SOURCE = 64 * 1024
MAX_FRAME = 8 * 1024 * 1024
FORK, KILL = b"f", b"k"
ORDER = struct.Struct("<ci")
NUMBER = struct.Struct("<i")
_LENGTH = struct.Struct("<I")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one job may use: bytes of address space, bytes of one page's result, seconds of processor time."""

    memory: int = 512 * 1024 * 1024
    output: int = 4 * 1024 * 1024
    processor: int = 60


class ChannelClosed(Exception):
    """The job's end of the pipe is closed."""


class DeadlinePassed(Exception):
    """No whole frame came in time."""


class FrameRefused(Exception):
    """A frame is larger than allowed, or is not the JSON that it should be."""


_ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False, check_circular=False)


def encoded(text: str) -> bytes:
    """Text as bytes, lone surrogates included."""
    return text.encode("utf-8", "surrogatepass")


def decoded(text: bytes) -> str:
    """The text that `encoded` wrote."""
    return text.decode("utf-8", "surrogatepass")


def frame(token: str, kind: str, body: Any = None) -> bytes:
    """One frame. Raises ValueError where `body` is not plain JSON."""
    blob = _ENCODER.encode([token, kind, body]).encode("ascii")
    return _LENGTH.pack(len(blob)) + blob


def write_all(descriptor: int, blob: bytes) -> None:
    """Writes all of it, however small the pipe is."""
    rest = memoryview(blob)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


class Frames:
    """Reads frames from a pipe that somebody untrusted writes to."""

    def __init__(self, descriptor: int, token: str) -> None:
        self._descriptor = descriptor
        self._token = token
        self._buffer = bytearray()
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLIN)

    def next(self, until: float) -> tuple[str, Any]:
        """Kind and body of the next frame. `until` is on the monotonic clock, in seconds.

        Raises DeadlinePassed, ChannelClosed or FrameRefused.
        """
        self._fill(_LENGTH.size, until)
        (length,) = _LENGTH.unpack_from(self._buffer)
        if length > MAX_FRAME:
            raise FrameRefused(f"a result of {length} bytes; the limit is {MAX_FRAME}")
        self._fill(_LENGTH.size + length, until)
        blob = bytes(self._buffer[_LENGTH.size : _LENGTH.size + length])
        del self._buffer[: _LENGTH.size + length]
        try:
            said = json.loads(blob)
        except (ValueError, RecursionError) as problem:
            raise FrameRefused(f"a result that is not JSON: {type(problem).__name__}") from None
        if not isinstance(said, list) or len(said) != 3 or said[0] != self._token or not isinstance(said[1], str):
            raise FrameRefused("a result that is not the program's own")
        return said[1], said[2]

    def _fill(self, size: int, until: float) -> None:
        while len(self._buffer) < size:
            left = until - time.monotonic()
            if left <= 0 or not self._poll.poll(left * 1000):
                raise DeadlinePassed
            chunk = os.read(self._descriptor, 1 << 18)
            if not chunk:
                raise ChannelClosed
            self._buffer += chunk


def pack(token: str, program: str | bytes, pages: Sequence[tuple[str, str]], limits: Limits) -> int:
    """Puts a job into a memory file and returns its descriptor. `pages` are (url, html)."""
    texts = [encoded(program) if isinstance(program, str) else program, *(encoded(html) for _, html in pages)]
    head = {
        "token": token,
        "compiled": isinstance(program, bytes),
        "urls": [url for url, _ in pages],
        "sizes": [len(text) for text in texts],
        "limits": asdict(limits),
    }
    blob = json.dumps(head).encode("ascii")
    descriptor = os.memfd_create("job", os.MFD_CLOEXEC)
    try:
        for part in (_LENGTH.pack(len(blob)), blob, *texts):
            write_all(descriptor, part)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


class Request:
    """A job as its worker sees it. The memory file is mapped, so that pages are decoded one by one."""

    def __init__(self, descriptor: int) -> None:
        self._memory = mmap.mmap(descriptor, 0, prot=mmap.PROT_READ)
        os.close(descriptor)
        (length,) = _LENGTH.unpack_from(self._memory)
        start = _LENGTH.size + length
        head = json.loads(self._memory[_LENGTH.size : start])
        self.token: str = head["token"]
        self.limits = Limits(**head["limits"])
        self._is_compiled: bool = head["compiled"]
        self._urls: list[str] = head["urls"]
        self._spans: list[tuple[int, int]] = []
        for size in head["sizes"]:
            self._spans.append((start, start + size))
            start += size

    def _part(self, index: int) -> bytes:
        first, last = self._spans[index]
        return self._memory[first:last]

    @property
    def program(self) -> str | bytes:
        """The program: its source, or its compiled form."""
        return self._part(0) if self._is_compiled else decoded(self._part(0))

    def pages(self) -> Iterator[tuple[str, bytes]]:
        """(url, encoded html) of each page, in order."""
        for index, url in enumerate(self._urls):
            yield url, self._part(index + 1)
