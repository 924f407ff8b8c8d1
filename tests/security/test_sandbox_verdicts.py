"""What a program hit is named in its runs, in the gauntlet's findings and in what a model is told."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from crawloop.gauntlet import judge
from crawloop.loop.contest.feedback import feedback
from crawloop.model.candidate import Candidate, Trial
from crawloop.model.verdict import Verdict
from crawloop.sandbox import ProcessSandbox, template
from tests.fakes.plain_worker import PLAIN
from tests.fakes.trials import case, known

CASE = case([known(1, {"title": "page 1"}), known(2, {"title": "page 2"}), known(3, {"title": "page 3"})])
PAGES = [sample.page for sample in CASE.seen]


@pytest.fixture(scope="module")
def sandbox() -> Iterator[ProcessSandbox]:
    with ProcessSandbox() as made:
        yield made


@pytest.fixture(scope="module")
def escaped() -> Iterator[ProcessSandbox]:
    """The language layer is off: some limits are the system's alone, and only a program that broke out meets them."""
    with pytest.MonkeyPatch.context() as patch, ProcessSandbox() as made:
        patch.setattr(template, "_BOOT", PLAIN)
        made.layers()
        yield made


def judged(sandbox: ProcessSandbox, source: str) -> tuple[Trial, Verdict]:
    trial = Trial(Candidate(source, "codegen", frozenset(("title",))), sandbox.run(source, PAGES, deadline=0.5), ())
    return trial, judge(trial, CASE)


HITS = {
    "memory": ("    return [{'title': 'x' * 10 ** 10}]", 2, "too much memory"),
    "deadline": ("    while True:\n        pass", None, "no result within 0.5 seconds"),
    "output": ("    return [{'title': page.css_first('h1')}]", None, "records[0]['title'] is a Element"),
    "exception": ("    title = page.text('h1')\n    return [{'title': title.no}]", 3, "AttributeError"),
    "refused": ("    import os\n    return [{'title': os.name}]", 2, "refused: import of 'os'"),
}


@pytest.mark.parametrize("kind", HITS)
def test_a_hit_reaches_run_finding_and_feedback(kind: str, sandbox: ProcessSandbox) -> None:
    body, line, words = HITS[kind]
    trial, verdict = judged(sandbox, f"def extract(page):\n{body}\n")
    failures = [run.failure for run in trial.seen]
    assert [one.kind for one in failures if one] == [kind] * len(PAGES)
    assert {one.line for one in failures if one} == {line}
    told(verdict, words, line)
    assert verdict.stopped_at == ("safety" if kind == "refused" else "runs")
    if kind == "refused":
        assert "line 2" in verdict.findings[0].message


ESCAPED = {
    "syscall": ("    import socket\n    socket.socket()", "asked the system for what no program may have"),
    "crash": (
        "    import ctypes\n    ctypes.string_at(0)",
        "ended its process: crash: the process was ended by SIGSEGV",
    ),
}


@pytest.mark.parametrize("kind", ESCAPED)
def test_a_hit_that_only_the_system_sees_does_too(kind: str, escaped: ProcessSandbox) -> None:
    body, words = ESCAPED[kind]
    trial, verdict = judged(escaped, f"def extract(html, url):\n{body}\n")
    assert [run.failure.kind for run in trial.seen if run.failure] == [kind] * len(PAGES)
    told(verdict, words, None)


def told(verdict: Verdict, words: str, line: int | None) -> None:
    finding = verdict.findings[0]
    assert not verdict.passed
    assert words in finding.message
    assert finding.line == line
    text = feedback([verdict], CASE.seen)
    assert words in text
    assert f"at line {line}" in text or line is None


def test_a_candidate_that_loops_on_its_first_page_is_not_tried_on_the_next_two(sandbox: ProcessSandbox) -> None:
    trial, verdict = judged(sandbox, "def extract(page):\n    while True:\n        pass\n")
    assert [run.seconds for run in trial.seen] == [0.5, 0, 0]
    assert {run.failure for run in trial.seen} == {trial.seen[0].failure}
    assert verdict.stopped_at == "runs"


def test_a_deadline_is_for_each_page_and_not_for_all(sandbox: ProcessSandbox) -> None:
    source = "import re\ndef extract(page):\n    sum(range(10 ** 6))\n    return [{'title': page.text('h1')}]\n"
    (alone,) = sandbox.run(source, PAGES[:1], deadline=10)
    deadline = max(0.5, alone.seconds * 10)
    runs = sandbox.run(source, [PAGES[0]] * 30, deadline=deadline)
    assert [run.failure for run in runs] == [None] * 30
    assert all(run.seconds < deadline for run in runs)
    assert sum(run.seconds for run in runs) > alone.seconds
