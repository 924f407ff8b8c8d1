"""What `crawloop init` writes: every key there is, with its default, and a schema that loads."""

import dataclasses
import re
from pathlib import Path

from crawloop.cli import run
from crawloop.config import FILE, ModelRules, Places, Settings, read_settings
from crawloop.model.policy import Budget, FetchRules, NotifyRules, Policy, RenderRules
from crawloop.schemas import load


def uncommented(text: str, *, examples: bool) -> str:
    """The file with its keys set; those that are only an example stay out unless they are wanted."""
    lines = text.splitlines()
    wanted = [line for line in lines if examples or "for example" not in line or not line.startswith("# ")]
    return "\n".join(re.sub(r"^# (?=\w+ = |\[)", "", line) for line in wanted)


def test_as_it_is_written_the_defaults_apply(tmp_path: Path) -> None:
    assert run(["init", str(tmp_path)]) == 0
    assert read_settings(tmp_path) == Settings()


def test_each_value_that_is_shown_is_the_default(tmp_path: Path) -> None:
    assert run(["init", str(tmp_path)]) == 0
    file = tmp_path / FILE
    file.write_text(uncommented(file.read_text(), examples=False))
    shown, defaults = read_settings(tmp_path), Settings()
    assert (shown.policy, shown.fetch, shown.places) == (defaults.policy, defaults.fetch, defaults.places)
    assert shown.render == defaults.render
    assert (shown.models.timeout, shown.models.max_tokens) == (defaults.models.timeout, defaults.models.max_tokens)


def test_every_key_that_there_is_stands_in_it_and_can_be_set(tmp_path: Path) -> None:
    assert run(["init", str(tmp_path)]) == 0
    file = tmp_path / FILE
    file.write_text(uncommented(file.read_text(), examples=True))
    assert read_settings(tmp_path).models.prices["openai/gpt-4.1-mini"] == {"input": 0.4, "output": 1.6}
    keys = set(re.findall(r"^(\w+) = ", file.read_text(), re.MULTILINE))
    known = {
        one.name
        for shape in (Policy, Budget, ModelRules, FetchRules, Places, NotifyRules, RenderRules)
        for one in dataclasses.fields(shape)
    }
    assert known - keys == {"models", "budget", "prices"}  # a section each


def test_the_schema_loads(tmp_path: Path) -> None:
    assert run(["init", str(tmp_path)]) == 0
    assert load("Product@1", tmp_path / "schemas").names == ("name", "price", "url")
