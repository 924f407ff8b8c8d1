"""What every completer promises: text for a question, CompletionError for a failure, which does not stick."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from crawloop.contract import Completer
from crawloop.errors import CompletionError
from crawloop.llm import Metered, RecordingCompleter, ReplayCompleter, ScriptedCompleter
from crawloop.model.policy import Budget
from crawloop.registry import MemoryStore

ANSWERS = {"one": "first", "two": "second"}
Make = Callable[[Path], Completer]


def scripted() -> ScriptedCompleter:
    return ScriptedCompleter(lambda call: ANSWERS.get(call.user, CompletionError(f"no idea of {call.user}")))


def metered(tmp: Path) -> Completer:
    return Metered(scripted(), MemoryStore(), Budget(), lambda: "2026-01-01T00:00:00Z")


def purposed(tmp: Path) -> Completer:
    return Metered(scripted(), MemoryStore(), Budget(), lambda: "2026-01-01T00:00:00Z").of("oracle", 1)


def recording(tmp: Path) -> Completer:
    return RecordingCompleter(scripted(), tmp / "cassette.jsonl")


def replay(tmp: Path) -> Completer:
    recorder = recording(tmp)
    for user in ANSWERS:
        asyncio.run(recorder.complete(system="s", user=user, model="m"))
    return ReplayCompleter(tmp / "cassette.jsonl")


@pytest.fixture(
    params=[lambda tmp: scripted(), metered, purposed, recording, replay],
    ids=["script", "meter", "purpose", "tape", "play"],
)
def completer(request: pytest.FixtureRequest, tmp_path: Path) -> Completer:
    made: Completer = request.param(tmp_path)
    return made


def test_each_question_gets_its_own_answer_whatever_the_order(completer: Completer) -> None:
    async def both() -> list[str]:
        asked = [completer.complete(system="s", user=user, model="m") for user in ("two", "one", "two")]
        return list(await asyncio.gather(*asked))

    assert asyncio.run(both()) == ["second", "first", "second"]


def test_a_question_that_cannot_be_answered_is_a_completion_error(completer: Completer) -> None:
    with pytest.raises(CompletionError):
        asyncio.run(completer.complete(system="s", user="three", model="m"))


def test_an_error_is_no_answer_and_does_not_stick(completer: Completer) -> None:
    with pytest.raises(CompletionError):
        asyncio.run(completer.complete(system="s", user="three", model="m"))
    assert asyncio.run(completer.complete(system="s", user="one", model="m")) == "first"
