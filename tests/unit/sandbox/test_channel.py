"""Frames and jobs: whatever the other side sends, the reader ends with a body or a named problem."""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Iterator

import pytest

from crawloop.sandbox.channel import (
    MAX_FRAME,
    ChannelClosed,
    DeadlinePassed,
    FrameRefused,
    Frames,
    Limits,
    Request,
    decoded,
    frame,
    pack,
    write_all,
)


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    yield reading, writing
    os.close(reading)


def soon() -> float:
    return time.monotonic() + 0.05


def test_a_frame_arrives_as_it_was_sent(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    body = {"records": [{"name": "Größe \ud800", "n": 1.5}]}
    write_all(writing, frame("token", "page", body) + frame("token", "end"))
    frames = Frames(reading, "token")
    assert frames.next(soon()) == ("page", body)
    assert frames.next(soon()) == ("end", None)
    os.close(writing)
    with pytest.raises(ChannelClosed):
        frames.next(soon())


def test_half_a_frame_runs_into_the_deadline(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    write_all(writing, frame("token", "page", {})[:-1])
    with pytest.raises(DeadlinePassed):
        Frames(reading, "token").next(soon())
    os.close(writing)


@pytest.mark.parametrize(
    "blob",
    [
        frame("other", "page", {}),
        frame("token", "end", {}).replace(b'"end"', b"12345"),
        struct.pack("<I", MAX_FRAME + 1),
        struct.pack("<I", 4) + b"null",
        struct.pack("<I", 4) + b"[1,}",
        struct.pack("<I", 2) + b"[]",
        struct.pack("<I", 3) + b"\xff\xfe\xfd",
        struct.pack("<I", 40_000) + b"[" * 40_000,
        struct.pack("<I", 9_000) + b"9" * 9_000,
    ],
)
def test_what_is_no_frame_is_refused(blob: bytes, pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    write_all(writing, blob)
    with pytest.raises(FrameRefused):
        Frames(reading, "token").next(soon())
    os.close(writing)


def test_a_job_arrives_as_it_was_packed() -> None:
    pages = [("https://a.example/ü", "<p>é\ud800</p>"), ("", "")]
    request = Request(pack("token", "x = 1", pages, Limits(memory=1, output=2, processor=3)))
    assert (request.token, request.program, request.limits) == ("token", "x = 1", Limits(1, 2, 3))
    assert [(url, decoded(html)) for url, html in request.pages()] == pages


def test_a_compiled_program_arrives_as_it_is() -> None:
    assert Request(pack("token", b"\xe3\x00\xff", [], Limits())).program == b"\xe3\x00\xff"
