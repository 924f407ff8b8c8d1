"""A program is checked and compiled once; later jobs of it get what the first one made of it."""

from collections.abc import Iterator
from typing import Any

import pytest

from crawloop.errors import ProgramRefused
from crawloop.model.candidate import Run
from crawloop.model.page import Page
from crawloop.sandbox import ProcessSandbox, pool
from crawloop.sandbox.admit import admit, unpacked

PROGRAM = """
seen = []
def extract(page, more=None):
    seen.append(page.url)
    return [{"title": page.text("h1"), "seen": len(seen)}]
"""
PAGES = tuple(Page(url=f"https://a.example/{n}", html=f"<h1>{n}</h1>") for n in range(3))


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[type]:
    """What each job was sent: a source (str) or what it was compiled to (bytes)."""
    sent: list[type] = []
    converse = pool.converse

    def noted(template: Any, program: str | bytes, *more: Any) -> Any:
        sent.append(type(program))
        return converse(template, program, *more)

    monkeypatch.setattr(pool, "converse", noted)
    return sent


@pytest.fixture
def sandbox() -> Iterator[ProcessSandbox]:
    with ProcessSandbox() as made:
        yield made


def records(runs: tuple[Run, ...]) -> list[Any]:
    return [run.records for run in runs]


def test_a_program_is_sent_as_source_once_and_reads_the_same_ever_after(
    sandbox: ProcessSandbox, sent: list[type]
) -> None:
    sandbox.admit(PROGRAM)
    first, second = sandbox.run(PROGRAM, PAGES), sandbox.run(PROGRAM, PAGES)
    assert sent == [str, bytes, bytes]
    assert records(first) == records(second) == [({"title": str(n), "seen": 1},) for n in range(3)]


def test_a_refused_program_is_checked_each_time(sandbox: ProcessSandbox, sent: list[type]) -> None:
    for _ in range(2):
        with pytest.raises(ProgramRefused, match="line 1"):
            sandbox.admit("import os\ndef extract(page): return []")
    assert sent == [str, str]


def test_what_a_job_says_of_a_program_is_not_kept_where_it_ended_badly(
    sandbox: ProcessSandbox, sent: list[type]
) -> None:
    endless = "def extract(page):\n    while True: pass"
    for _ in range(2):
        (run,) = sandbox.run(endless, PAGES[:1], deadline=0.2)
        assert run.failure is not None
        assert run.failure.kind == "deadline"
    assert sent == [str, str]


def test_the_programs_that_are_kept_are_bounded(
    sandbox: ProcessSandbox, sent: list[type], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "_REMEMBERED", 1)
    for source in (PROGRAM, PROGRAM + "\n", PROGRAM):
        sandbox.run(source, PAGES[:1])
    assert sent == [str, str, str]


def test_a_packed_program_keeps_its_line_numbers_and_parameters() -> None:
    program = admit(PROGRAM)
    again = unpacked(program.packed())
    assert again.code.co_code == program.code.co_code
    assert [*again.code.co_lines()] == [*program.code.co_lines()]
    assert again.parameters == program.parameters == (("page", False), ("more", True))
