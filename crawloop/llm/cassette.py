"""Calls to a model, recorded to a file and played back without one: JSON lines, keyed by what was asked.

{"key": "9f2c…", "model": "m", "system": "…", "user": "…", "answer": "…"}
"""

from __future__ import annotations

import json
from collections import defaultdict, deque
from pathlib import Path

from crawloop.contract import Completer
from crawloop.errors import CompletionError, ConfigError
from crawloop.llm.metering import Call
from crawloop.model.question import Question


def request_key(system: str, user: str, model: str) -> str:
    """By which a call is found again: SHA-256 of all that was asked."""
    return Call(Question(system, user, model)).key


class RecordingCompleter:
    """Asks another completer, and appends each call with its answer to a cassette. An error is not recorded."""

    def __init__(self, completer: Completer, cassette: Path) -> None:
        self._completer = completer
        self._cassette = cassette

    async def complete(self, *, system: str, user: str, model: str) -> str:
        answer = await self._completer.complete(system=system, user=user, model=model)
        row = {"key": request_key(system, user, model), "model": model, "system": system, "user": user}
        with self._cassette.open("a", encoding="utf-8", errors="surrogatepass") as file:
            file.write(json.dumps({**row, "answer": answer}) + "\n")
        return answer


class ReplayCompleter:
    """Answers from a cassette; the same call recorded several times is answered in that order, then by the last.

    Raises ConfigError where the file is no cassette, CompletionError for a call that it does not hold.
    """

    def __init__(self, cassette: Path) -> None:
        self._cassette = cassette
        self._answers: dict[str, deque[str]] = defaultdict(deque)
        try:
            lines = cassette.read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{cassette}: cannot be read as a cassette: {error}") from error
        for number, line in enumerate(lines, 1):
            if line.strip():
                key, answer = self._row(line, number)
                self._answers[key].append(answer)

    async def complete(self, *, system: str, user: str, model: str) -> str:
        answers = self._answers.get(request_key(system, user, model))
        if not answers:
            begins = " ".join(user.split())[:60]
            raise CompletionError(f'{self._cassette} holds no answer of {model} to "{begins}…": record it again')
        return answers.popleft() if len(answers) > 1 else answers[0]

    def _row(self, line: str, number: int) -> tuple[str, str]:
        try:
            row = json.loads(line)
            key, answer = row["key"], row["answer"]
        except (ValueError, KeyError, TypeError) as error:
            raise ConfigError(f'{self._cassette}:{number}: is no call with "key" and "answer"') from error
        if not isinstance(key, str) or not isinstance(answer, str):
            raise ConfigError(f"{self._cassette}:{number}: key and answer must be text")
        return key, answer
