"""Cassettes: what was asked is found again by what it said, and nothing else is answered."""

import asyncio
from pathlib import Path

import pytest

from crawloop.errors import CompletionError, ConfigError
from crawloop.llm import RecordingCompleter, ReplayCompleter, ScriptedCompleter


def ask(completer: RecordingCompleter | ReplayCompleter, user: str, model: str = "m") -> str:
    return asyncio.run(completer.complete(system="s", user=user, model=model))


@pytest.fixture
def cassette(tmp_path: Path) -> Path:
    return tmp_path / "cassette.jsonl"


def test_the_same_call_recorded_twice_is_played_in_that_order(cassette: Path) -> None:
    recorder = RecordingCompleter(ScriptedCompleter(["1", "2", "ü\n\ud800"]), cassette)
    for user in ("a", "a", "b"):
        ask(recorder, user)
    player = ReplayCompleter(cassette)
    assert [ask(player, "a") for _ in range(3)] == ["1", "2", "2"]
    assert ask(player, "b") == "ü\n\ud800"


def test_another_model_or_question_is_not_answered(cassette: Path) -> None:
    ask(RecordingCompleter(ScriptedCompleter(["1"]), cassette), "a")
    player = ReplayCompleter(cassette)
    for user, model in (("b", "m"), ("a", "n")):
        with pytest.raises(CompletionError, match="record it again"):
            ask(player, user, model)


@pytest.mark.parametrize("line", ["{", "[]", '{"key": "x"}', '{"key": 1, "answer": "x"}'])
def test_a_file_that_is_no_cassette_is_named_with_its_line(cassette: Path, line: str) -> None:
    cassette.write_text('{"key": "k", "answer": "x"}\n' + line + "\n")
    with pytest.raises(ConfigError, match=r"cassette.jsonl:2: "):
        ReplayCompleter(cassette)


def test_a_cassette_that_is_not_there_is_named(cassette: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        ReplayCompleter(cassette)
